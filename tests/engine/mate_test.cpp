// SPDX-License-Identifier: GPL-3.0-or-later
// Mates are found, and every line shown is legal; a mate line is complete and ends in checkmate.
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

struct Problem {
    const char* fen;
    int moves;
};

void expect_sound_line(const Position& start, const Info& info) {
    Position position = start;
    for (const Move m : info.line) {
        ASSERT_TRUE(position.is_legal(m)) << text(info);
        position.play(m);
    }
    if (!info.score.is_mate() || info.bound != Bound::Exact) return;
    const int moves = info.score.moves_to_mate();
    const int plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
    EXPECT_EQ(static_cast<int>(info.line.size()), plies) << text(info);
    EXPECT_TRUE(position.in_check() && !has_legal_move(position)) << text(info);
}

class KnownMate : public testing::TestWithParam<Problem> {};

TEST_P(KnownMate, IsFoundWithACompleteLine) {
    const Problem& problem = GetParam();
    Recorder recorder;
    Limits limits = nodes(2000000);
    limits.mate = std::abs(problem.moves);
    if (problem.moves < 0) {
        limits.mate.reset();
        limits = depth(8);
    }
    recorder.think(problem.fen, limits);
    ASSERT_FALSE(recorder.infos.empty());
    for (const Info& info : recorder.infos) expect_sound_line(position_of(problem.fen), info);
    const Score score = recorder.infos.back().score;
    ASSERT_TRUE(score.is_mate()) << text(recorder.infos.back());
    EXPECT_EQ(score.moves_to_mate(), problem.moves);
}

INSTANTIATE_TEST_SUITE_P(
    Problems, KnownMate,
    testing::Values(Problem{"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1},
                    Problem{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
                            1},
                    Problem{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},
                    Problem{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
                    Problem{"8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0},
                    Problem{"4k3/8/4K3/8/8/8/8/7R w - - 0 1", 1},
                    Problem{"k7/8/1K6/8/8/8/8/7R b - - 0 1", -1}));

TEST(Lines, AreLegalAtEveryDepth) {
    for (const char* fen :
         {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/8/8/8/8/3QK3/8 w - - 0 1"}) {
        Recorder recorder;
        recorder.engine.set_option("MultiPV", "3");
        recorder.think(fen, nodes(60000));
        for (const Info& info : recorder.infos) expect_sound_line(position_of(fen), info);
    }
}

}  // namespace
}  // namespace rokada::engine
