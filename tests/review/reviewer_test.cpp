// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/reviewer.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "review/json.hpp"

namespace rokada::review {
namespace {

Game played(std::initializer_list<const char*> moves, const char* fen = nullptr) {
    Game game(fen == nullptr ? Position() : parse_position(fen).value());
    for (const char* san : moves) {
        const auto move = parse_san(game.position(), san);
        EXPECT_TRUE(move) << san;
        if (!move) break;
        EXPECT_TRUE(game.play(*move)) << san;
    }
    return game;
}

Review reviewed(const Game& game, std::uint64_t nodes = 20'000) {
    Budget budget;
    budget.nodes = nodes;
    EngineAnalyst analyst(budget);
    return review_game(game, analyst).value();
}

Game scholar() { return played({"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"}); }

TEST(ReviewGame, NamesTheBlunderAndItsReason) {
    const Review review = reviewed(scholar());
    ASSERT_EQ(review.moves.size(), 7u);
    ASSERT_EQ(review.evaluations.size(), 8u);
    const ReviewedMove& blunder = review.moves[5];
    EXPECT_EQ(blunder.judgement, Judgement::Blunder);
    ASSERT_EQ(blunder.reasons.size(), 1u);
    EXPECT_EQ(blunder.reasons[0].kind, ReasonKind::Allows);
    EXPECT_EQ(blunder.reasons[0].motif, Motif::Mate);
    EXPECT_EQ(blunder.reasons[0].mate_in, 1);
    EXPECT_TRUE(blunder.reasons[0].exact);
    EXPECT_EQ(review.moves[6].judgement, Judgement::Best);
    EXPECT_EQ(review.key_moments, std::vector<std::size_t>{5});
    EXPECT_GT(review.evaluations.back().win, 95);
}

TEST(ReviewGame, GivesTheSameReviewTwice) {
    EXPECT_TRUE(to_json(reviewed(scholar())) == to_json(reviewed(scholar())));
}

TEST(ReviewGame, ReportsProgressAndCanBeCancelled) {
    Budget budget;
    budget.nodes = 1'000;
    EngineAnalyst analyst(budget);
    int last = 0, all = 0;
    std::size_t scores = 0;
    Listener listener;
    listener.on_progress = [&](int done, int total) {
        EXPECT_EQ(done, last + 1);
        last = done;
        all = total;
    };
    listener.on_score = [&](std::size_t, engine::Score) { ++scores; };
    ASSERT_TRUE(review_game(scholar(), analyst, {}, listener));
    EXPECT_EQ(last, all);
    EXPECT_EQ(scores, 8u);
    listener.on_progress = nullptr;
    listener.cancelled = [&] { return true; };
    EXPECT_FALSE(review_game(scholar(), analyst, {}, listener));
}

TEST(ReviewGame, KnowsAGameWithoutMoves) {
    const Review review = reviewed(Game(), 1'000);
    EXPECT_TRUE(review.moves.empty());
    EXPECT_EQ(review.evaluations.size(), 1u);
    EXPECT_FALSE(review.side[Color::White].accuracy);
}

TEST(ReviewGame, NamesTheStalemate) {
    const Review review = reviewed(played({"Kg6"}, "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"));
    EXPECT_EQ(review.moves[0].judgement, Judgement::Blunder);
    ASSERT_FALSE(review.moves[0].reasons.empty());
    EXPECT_EQ(review.moves[0].reasons[0].motif, Motif::Stalemate);
}

TEST(ReviewGame, NamesTheFork) {
    // The queen steps where the knight's check finds it.
    const Review review =
        reviewed(played({"Qc8", "Ne7+"}, "3q2k1/5ppp/8/3N4/8/8/5PPP/6K1 b - - 0 1"));
    ASSERT_FALSE(review.moves[0].reasons.empty());
    const Reason& reason = review.moves[0].reasons[0];
    EXPECT_EQ(reason.motif, Motif::Fork);
    EXPECT_EQ(reason.amount, Amount::Queen);
    EXPECT_EQ(reason.actor, (NamedPiece{Piece::WhiteKnight, Square::E7}));
    EXPECT_EQ(reason.target, (NamedPiece{Piece::BlackKing, Square::G8}));
    EXPECT_EQ(reason.other, (NamedPiece{Piece::BlackQueen, Square::C8}));
}

TEST(ReviewGame, NamesTheOpeningAndItsMoves) {
    const Review review = reviewed(played({"e4", "c5", "Nf3", "d6", "d4"}), 2'000);
    ASSERT_TRUE(review.opening);
    EXPECT_EQ(review.opening->name.substr(0, 8), "Sicilian");
    EXPECT_EQ(review.opening_plies, 5u);
    EXPECT_EQ(review.moves[0].judgement, Judgement::Book);
    EXPECT_FALSE(review.moves[0].accuracy);
}

TEST(ReviewGame, SaysForcedWhereThereIsNoChoice) {
    const Review review = reviewed(played({"Ra8+", "Kh7"}, "6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1"));
    EXPECT_EQ(review.moves[1].judgement, Judgement::Forced);
}

}  // namespace
}  // namespace rokada::review
