// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"

namespace rokada {
namespace {

struct Known {
    const char* fen;
    int depth;
    std::uint64_t leaves;
};

class KnownPerft : public testing::TestWithParam<Known> {};

TEST_P(KnownPerft, IsReached) {
    const Known& known = GetParam();
    const auto position = parse_position(known.fen);
    ASSERT_TRUE(position) << position.error().to_string();
    EXPECT_EQ(perft(*position, known.depth), known.leaves) << known.fen;
}

INSTANTIATE_TEST_SUITE_P(
    Positions, KnownPerft,
    testing::Values(
        Known{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
        Known{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
        Known{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        Known{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
        Known{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
        Known{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
              3894594}));

}  // namespace
}  // namespace rokada
