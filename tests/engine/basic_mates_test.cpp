// SPDX-License-Identifier: GPL-3.0-or-later
// The basic endings without tables: at full strength they are won, from anywhere and within fifty moves.
#include "chess/game.hpp"
#include "engine/evaluation/kpk.hpp"
#include "tests/engine/helpers.hpp"
#include "tests/engine/retrograde.hpp"

namespace rokada::engine {
namespace {

// White, with the engine, against the engine as defender. How many moves it took; 0 if it was no mate.
int moves_to_mate(const char* fen) {
    Recorder white, black;
    Game game(position_of(fen));
    std::vector<Move> moves;
    while (!game.over()) {
        const bool strong = game.position().turn() == Color::White;
        Recorder& player = strong ? white : black;
        player.engine.set_position(game.start(), moves);
        moves.push_back(player.engine.think(nodes(strong ? 20000 : 2000)).move);
        if (!game.play(moves.back())) return 0;
    }
    return game.outcome()->reason == EndReason::Checkmate ? static_cast<int>(moves.size() + 1) / 2
                                                          : 0;
}

TEST(BasicMates, AreWonAtFullStrengthWithoutTables) {
    for (const char* fen : {"8/8/3k4/8/8/3K4/8/7Q w - - 0 1", "7k/8/8/8/8/8/8/KQ6 w - - 0 1",
                            "8/8/3k4/8/8/3K4/8/7R w - - 0 1", "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
                            "8/8/3k4/8/8/3K4/8/5BB1 w - - 0 1", "8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1",
                            "8/8/3k4/8/8/3K4/8/5BN1 w - - 0 1", "k7/8/8/8/8/8/8/4KBN1 w - - 0 1"}) {
        const int moves = moves_to_mate(fen);
        EXPECT_GT(moves, 0) << fen;
        EXPECT_LE(moves, 50) << fen;
    }
}

// Every position of king and pawn against king, the rook pawns included.
TEST(BasicMates, KingAndPawnAgainstKingIsKnownExactly) {
    retrograde::Solver solver;
    const retrograde::Ending& ending = solver.solve("KPvK");
    std::size_t compared = 0, rook_pawns = 0, wrong = 0;
    for (std::size_t i = 0; i < ending.states(); ++i) {
        const int distance = ending.distance(i);
        if (distance == retrograde::Ending::kIllegal) continue;
        const retrograde::State state = ending.state(i);
        const Square pawn = square_at(state.men[2].second);
        if (rank_of(pawn) == Rank::R1 || rank_of(pawn) == Rank::R8) continue;
        const bool won = state.turn == Color::White ? distance > 0 : distance < 0;
        ++compared;
        rook_pawns += file_of(pawn) == File::A || file_of(pawn) == File::H;
        wrong += kpk_is_won(Color::White, square_at(state.men[0].second), pawn,
                            square_at(state.men[1].second), state.turn) != won;
    }
    EXPECT_GT(compared, 100'000u);
    EXPECT_GT(rook_pawns, 30'000u);
    EXPECT_EQ(wrong, 0u);
}

// For the build that watches for data races: all that four threads share is used.
TEST(Threads, FourOfThemShareTheTableAndAnswerEveryTime) {
    Recorder recorder;
    recorder.engine.set_option("Threads", "4");
    recorder.engine.set_option("Hash", "1");
    for (const char* fen : {"r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
                            "8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42"}) {
        EXPECT_FALSE(recorder.think(fen, nodes(40'000)).move.none());
        recorder.engine.go(Limits{});
        recorder.engine.stop();
        recorder.engine.wait();
        recorder.engine.new_game();
    }
    EXPECT_EQ(recorder.finished(), 4u);
}

}  // namespace
}  // namespace rokada::engine
