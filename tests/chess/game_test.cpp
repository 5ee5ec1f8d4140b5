// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/game.hpp"

#include <initializer_list>
#include <set>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/uci_move.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::position_of;

void play(Game& game, std::initializer_list<const char*> moves) {
    for (const char* text : moves) {
        const auto move = parse_uci_move(game.position(), text);
        ASSERT_TRUE(move) << text << ": " << move.error().to_string();
        ASSERT_TRUE(game.play(*move)) << text;
    }
}

Outcome win(Color winner, EndReason reason) { return {winner, reason}; }
Outcome draw(EndReason reason) { return {std::nullopt, reason}; }

void knights_out_and_back(Game& game) { play(game, {"g1f3", "g8f6", "f3g1", "f6g8"}); }

TEST(Game, EndsByMate) {
    Game game;
    play(game, {"f2f3", "e7e5", "g2g4", "d8h4"});
    ASSERT_TRUE(game.over());
    EXPECT_EQ(*game.outcome(), win(Color::Black, EndReason::Checkmate));
    EXPECT_EQ(result_text(game.outcome()), "0-1");
    EXPECT_FALSE(game.play(Move(Square::E2, Square::E4)));
    EXPECT_FALSE(game.resign(Color::White));
    EXPECT_FALSE(game.agree_draw());
}

TEST(Game, EndsByStalemateAndByMissingMaterial) {
    Game stalemate(position_of("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    play(stalemate, {"f1f7"});
    EXPECT_EQ(stalemate.outcome(), draw(EndReason::Stalemate));
    Game bare(position_of("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"));
    play(bare, {"e1e2"});
    EXPECT_EQ(bare.outcome(), draw(EndReason::InsufficientMaterial));
    EXPECT_EQ(result_text(bare.outcome()), "1/2-1/2");
}

TEST(Game, IsOverFromTheStartIfThePositionIs) {
    EXPECT_EQ(Game(position_of("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")).outcome(),
              win(Color::White, EndReason::Checkmate));
    EXPECT_EQ(Game(position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).outcome(),
              draw(EndReason::InsufficientMaterial));
    EXPECT_EQ(Game(position_of("4k3/8/8/8/8/8/R7/4K3 b - - 0 1")).over(), false);
}

TEST(Repetition, EndsTheGameTheThirdTimeWhenDrawsAreAutomatic) {
    Game game;
    knights_out_and_back(game);
    EXPECT_EQ(game.repetitions(), 2);
    EXPECT_FALSE(game.over());
    EXPECT_FALSE(game.claimable_draw());
    knights_out_and_back(game);
    EXPECT_EQ(game.repetitions(), 3);
    EXPECT_EQ(game.outcome(), draw(EndReason::ThreefoldRepetition));
}

TEST(Repetition, MustBeClaimedWhenDrawsAreByClaimUntilTheFifthTime) {
    Game game(Position(), DrawRule::Claim);
    knights_out_and_back(game);
    EXPECT_FALSE(game.claim_draw());
    knights_out_and_back(game);
    EXPECT_FALSE(game.over());
    EXPECT_EQ(game.claimable_draw(), EndReason::ThreefoldRepetition);
    Game claimed = game;
    EXPECT_TRUE(claimed.claim_draw());
    EXPECT_EQ(claimed.outcome(), draw(EndReason::ThreefoldRepetition));
    EXPECT_FALSE(claimed.claim_draw());
    knights_out_and_back(game);
    EXPECT_EQ(game.repetitions(), 4);
    knights_out_and_back(game);
    EXPECT_EQ(game.outcome(), draw(EndReason::FivefoldRepetition));
}

TEST(Repetition, CountsPositionsNotBoards) {
    // The rights to castle are lost on the way, so the start never comes again.
    Game rights(position_of("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"));
    for (int i = 0; i < 2; ++i) play(rights, {"a1a2", "h8h7", "a2a1", "h7h8"});
    EXPECT_EQ(rights.repetitions(), 2);
    // A pawn that may be taken en passant makes the first time different.
    Game passing(position_of("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), DrawRule::Claim);
    play(passing, {"e2e4"});
    for (int i = 0; i < 2; ++i) play(passing, {"e8e7", "e1e2", "e7e8", "e2e1"});
    EXPECT_EQ(passing.repetitions(), 2);
    // One that cannot be taken does not.
    Game blocked(position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), DrawRule::Claim);
    play(blocked, {"e2e4"});
    for (int i = 0; i < 2; ++i) play(blocked, {"e8e7", "e1e2", "e7e8", "e2e1"});
    EXPECT_EQ(blocked.repetitions(), 3);
    // Another side to move is another position.
    Game turns(position_of("4k3/8/8/8/8/8/R7/4K3 w - - 0 1"), DrawRule::Claim);
    play(turns, {"a2a3", "e8d8", "a3a1", "d8e8", "a1a2"});
    EXPECT_EQ(turns.repetitions(), 1);
}

TEST(FiftyMoves, EndTheGameOrCanBeClaimed) {
    const Position nearly = position_of("4k3/8/8/8/8/8/R7/4K3 w - - 99 80");
    Game automatic(nearly);
    play(automatic, {"a2a3"});
    EXPECT_EQ(automatic.outcome(), draw(EndReason::FiftyMoves));
    Game claim(nearly, DrawRule::Claim);
    EXPECT_FALSE(claim.claimable_draw());
    play(claim, {"a2a3"});
    EXPECT_FALSE(claim.over());
    EXPECT_EQ(claim.claimable_draw(), EndReason::FiftyMoves);
    EXPECT_TRUE(claim.claim_draw());
    EXPECT_EQ(claim.outcome(), draw(EndReason::FiftyMoves));
}

TEST(FiftyMoves, AreCountedAgainAfterPawnMovesAndCaptures) {
    Game game(position_of("4k3/8/8/8/8/7p/4P3/4K2R w - - 99 80"));
    play(game, {"h1h3"});
    EXPECT_FALSE(game.over());
    EXPECT_EQ(game.position().halfmove_clock(), 0);
}

TEST(SeventyFiveMoves, EndEveryGame) {
    Game game(position_of("4k3/8/8/8/8/8/R7/4K3 w - - 149 80"), DrawRule::Claim);
    play(game, {"a2a3"});
    EXPECT_EQ(game.outcome(), draw(EndReason::SeventyFiveMoves));
}

TEST(Mate, CountsEvenWithTheLastOfTheFiftyOrSeventyFiveMoves) {
    for (const int clock : {99, 149}) {
        rokada::Setup setup = position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 80").to_setup();
        setup.halfmove_clock = clock;
        Game game(Position::from_setup(setup).value(), DrawRule::Claim);
        play(game, {"a1a8"});
        EXPECT_EQ(game.outcome(), win(Color::White, EndReason::Checkmate));
    }
}

TEST(Takeback, BringsBackThePositionAndLiftsTheResult) {
    Game game;
    EXPECT_FALSE(game.take_back());
    play(game, {"f2f3", "e7e5", "g2g4", "d8h4"});
    ASSERT_TRUE(game.over());
    EXPECT_TRUE(game.take_back());
    EXPECT_FALSE(game.over());
    EXPECT_EQ(game.plies().size(), 3u);
    EXPECT_EQ(game.position(), game.position_after(3));
    play(game, {"b8c6"});
    while (game.take_back()) {
    }
    EXPECT_EQ(game.position(), Position());
    EXPECT_TRUE(game.plies().empty());
}

TEST(Takeback, RestoresEveryPositionOfRandomGames) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto random = testing_support::random_game(seed, 120);
        Game game(random.start, DrawRule::Claim);
        std::vector<Position> seen{game.position()};
        std::vector<int> repeated{game.repetitions()};
        for (const Move move : random.moves) {
            if (!game.play(move)) break;
            seen.push_back(game.position());
            repeated.push_back(game.repetitions());
        }
        for (;;) {
            ASSERT_EQ(game.position(), seen.back());
            ASSERT_EQ(game.position().key(), seen.back().key());
            ASSERT_EQ(game.repetitions(), repeated.back());
            if (!game.take_back()) break;
            seen.pop_back();
            repeated.pop_back();
        }
        ASSERT_EQ(seen.size(), 1u);
    }
}

TEST(Game, RefusesIllegalMovesAndStaysAsItIs) {
    Game game;
    EXPECT_FALSE(game.play(Move(Square::E2, Square::E5)));
    EXPECT_FALSE(game.play(Move()));
    EXPECT_TRUE(game.plies().empty());
    EXPECT_EQ(game.position(), Position());
}

TEST(Game, KeepsTheClockOfEveryMove) {
    using namespace std::chrono_literals;
    Game game;
    ASSERT_TRUE(game.play(Move(Square::E2, Square::E4), 179500ms));
    ASSERT_TRUE(game.play(Move(Square::E7, Square::E5)));
    EXPECT_EQ(game.plies()[0].clock, 179500ms);
    EXPECT_EQ(game.plies()[1].clock, std::nullopt);
}

TEST(Game, CanBeEndedFromOutside) {
    const auto after = [](auto act) {
        Game game;
        EXPECT_TRUE(act(game));
        EXPECT_TRUE(game.over());
        EXPECT_FALSE(game.play(Move(Square::E2, Square::E4)));
        return *game.outcome();
    };
    EXPECT_EQ(after([](Game& g) { return g.resign(Color::White); }),
              win(Color::Black, EndReason::Resignation));
    EXPECT_EQ(after([](Game& g) { return g.agree_draw(); }), draw(EndReason::Agreement));
    EXPECT_EQ(after([](Game& g) { return g.flag_fell(Color::Black); }),
              win(Color::White, EndReason::Time));
    EXPECT_EQ(after([](Game& g) { return g.abandon(Color::White); }),
              win(Color::Black, EndReason::Abandonment));
    EXPECT_EQ(after([](Game& g) { return g.adjudicate(Color::White); }),
              win(Color::White, EndReason::Adjudication));
    EXPECT_EQ(after([](Game& g) { return g.adjudicate(std::nullopt); }),
              draw(EndReason::Adjudication));
    EXPECT_EQ(after([](Game& g) { return g.abort(); }), draw(EndReason::Aborted));
}

TEST(FallenFlag, IsADrawAgainstAnOpponentWhoCouldNeverMate) {
    Game game(position_of("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1"));
    ASSERT_TRUE(game.flag_fell(Color::White));
    EXPECT_EQ(game.outcome(), draw(EndReason::TimeAgainstBareKing));
}

TEST(EndReasons, HaveStableWordsThatCanBeReadBack) {
    std::set<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(EndReason::Aborted); ++i) {
        const auto reason = static_cast<EndReason>(i);
        EXPECT_EQ(parse_end_reason(to_string(reason)), reason);
        words.insert(to_string(reason));
    }
    EXPECT_EQ(words.size(), static_cast<std::size_t>(EndReason::Aborted) + 1);
    EXPECT_EQ(parse_end_reason("nonsense"), std::nullopt);
    EXPECT_EQ(result_text(std::nullopt), "*");
    EXPECT_EQ(result_text(draw(EndReason::Aborted)), "*");
    EXPECT_EQ(result_text(win(Color::White, EndReason::Time)), "1-0");
}

}  // namespace
}  // namespace rokada
