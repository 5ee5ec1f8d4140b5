// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/game_pgn.hpp"

#include <gtest/gtest.h>

#include "chess/notation/pgn_game_reader.hpp"
#include "chess/notation/pgn_writer.hpp"
#include "chess/notation/san.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using std::chrono::milliseconds;

Game played(std::initializer_list<const char*> moves, const Position& start = Position()) {
    Game game(start, DrawRule::Claim);
    for (const char* san : moves) EXPECT_TRUE(game.play(parse_san(game.position(), san).value()));
    return game;
}

// Through text and back.
Game restored(const Game& game) {
    const std::string text = to_pgn(to_pgn_game(game));
    const PgnGames all = parse_pgn(text);
    EXPECT_EQ(all.games.size(), 1u) << text;
    auto back = to_game(all.games.at(0));
    EXPECT_TRUE(back) << (back ? "" : back.error());
    return *back;
}

TEST(GameAsPgn, KeepsEveryEnd) {
    std::vector<Game> games;
    const auto ended = [&games](auto end) {
        games.push_back(played({"e4", "e5", "Nf3"}));
        end(games.back());
        EXPECT_TRUE(games.back().over());
    };
    ended([](Game& g) { g.resign(Color::White); });
    ended([](Game& g) { g.resign(Color::Black); });
    ended([](Game& g) { g.agree_draw(); });
    ended([](Game& g) { g.flag_fell(Color::White); });
    ended([](Game& g) { g.flag_fell(Color::Black); });
    ended([](Game& g) { g.abandon(Color::Black); });
    ended([](Game& g) { g.adjudicate(Color::White); });
    ended([](Game& g) { g.adjudicate(std::nullopt); });
    ended([](Game& g) { g.abort(); });
    games.push_back(played({"f3", "e5", "g4", "Qh4"}));  // mate
    games.push_back(played({"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"}));
    EXPECT_TRUE(games.back().claim_draw());
    games.push_back(
        played({"Kd7"}, testing_support::position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 40")));
    EXPECT_TRUE(games.back().flag_fell(Color::White));  // against a bare king
    EXPECT_EQ(games.back().outcome(), (Outcome{std::nullopt, EndReason::TimeAgainstBareKing}));
    games.push_back(played({"e4"}));  // still running
    for (const Game& game : games) {
        const Game back = restored(game);
        EXPECT_EQ(back.outcome(), game.outcome()) << to_pgn(to_pgn_game(game));
        EXPECT_EQ(back.position(), game.position());
        EXPECT_EQ(back.plies().size(), game.plies().size());
    }
}

TEST(GameAsPgn, KeepsClockTimes) {
    Game game;
    EXPECT_TRUE(game.play(parse_san(game.position(), "e4").value(), milliseconds(59900)));
    EXPECT_TRUE(game.play(parse_san(game.position(), "e5").value()));
    EXPECT_TRUE(game.play(parse_san(game.position(), "Nf3").value(), milliseconds(58123)));
    const Game back = restored(game);
    EXPECT_EQ(back.plies()[0].clock, milliseconds(59900));
    EXPECT_FALSE(back.plies()[1].clock);
    EXPECT_EQ(back.plies()[2].clock, milliseconds(58123));
}

TEST(GameAsPgn, NamesTheTermination) {
    Game game = played({"e4"});
    EXPECT_EQ(to_pgn_game(game).tag("Termination"), "");
    game.flag_fell(Color::Black);
    EXPECT_EQ(to_pgn_game(game).tag("Termination"), "time forfeit");
    Game resigned = played({"e4"});
    resigned.resign(Color::Black);
    EXPECT_EQ(to_pgn_game(resigned).tag("Termination"), "normal");
}

TEST(GameAsPgn, RandomGamesRoundTrip) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto random = testing_support::random_game(seed);
        Game game(random.start, DrawRule::Claim);
        for (const Move move : random.moves)
            if (!game.play(move)) break;
        const Game back = restored(game);
        ASSERT_EQ(back.outcome(), game.outcome()) << seed;
        ASSERT_EQ(back.position(), game.position()) << seed;
    }
}

TEST(GameFromPgn, SaysWhyItCannotBe) {
    const auto error = [](const char* text) {
        const auto game = to_game(parse_pgn(text).games.at(0));
        EXPECT_FALSE(game) << text;
        return game ? "" : game.error();
    };
    EXPECT_EQ(error("1. e4 -- 2. d4 *"), "ply 2 is a null move");
    EXPECT_EQ(error("1. f3 e5 2. g4 Qh4# 1-0"),
              "the result is 1-0, but the game ended 0-1 by checkmate");
    EXPECT_EQ(error("[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n1. Kxe2 Kd7 *"),
              "ply 2 comes after the end of the game by insufficient-material");
}

TEST(GameFromPgn, ReadsWhatOthersWrite) {
    const auto outcome = [](const char* text) {
        return to_game(parse_pgn(text).games.at(0)).value().outcome().value();
    };
    EXPECT_EQ(outcome("[Termination \"Time forfeit\"]\n1. e4 1-0"),
              (Outcome{Color::White, EndReason::Time}));
    EXPECT_EQ(outcome("[Termination \"Normal\"]\n1. e4 0-1"),
              (Outcome{Color::Black, EndReason::Resignation}));
    EXPECT_EQ(outcome("1. e4 1/2-1/2"), (Outcome{std::nullopt, EndReason::Agreement}));
    // A flag cannot win against a bare king, but an arbiter may have thought so.
    EXPECT_EQ(
        outcome(
            "[FEN \"4k3/8/8/8/8/8/4p3/K7 w - - 0 1\"]\n[Termination \"time forfeit\"]\n1. Kb1 1-0"),
        (Outcome{Color::White, EndReason::Adjudication}));
}

}  // namespace
}  // namespace rokada
