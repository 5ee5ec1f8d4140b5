// SPDX-License-Identifier: GPL-3.0-or-later
// The positions that `rokada bench` searches: all phases, both sides to move, quiet and sharp,
// draws and mates, Chess960.
#pragma once

#include <array>
#include <string_view>

namespace rokada::cli {

inline constexpr std::array<std::string_view, 40> kBenchPositions{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",
    "rnb1kbnr/pp2pppp/2p5/q7/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq - 1 5",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 10",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r3r1k1/1bq1bpp1/p2p1n1p/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 w - - 0 16",
    "r1b2rk1/1pq1bppp/p1nppn2/8/3NPP2/2N1B3/PPP1B1PP/R2Q1R1K w - - 4 11",
    "3r1rk1/p1q2ppp/1pn1p3/8/2P1N3/P3P3/1PQ2PPP/3R1RK1 w - - 0 19",
    "r4rk1/1bp1qppp/p1pb4/4n3/4P3/1NN1BP2/PPP1Q1PP/R4RK1 b - - 4 15",
    "2kr3r/ppp1qppp/2nb1n2/3p4/3P2b1/2PB1N2/PP1NQPPP/R1B2RK1 w - - 7 11",
    "r1bqr1k1/pp1n1pbp/3p1np1/2pP4/4P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 5 11",
    "4rrk1/pppb4/7p/3P2pq/3Qn3/P5P1/1PP4P/R3RNNK b - - 1 27",
    "r1b1r1k1/ppp2ppp/8/3q4/3P4/2PB1N2/P4PPP/R2Q1RK1 b - - 0 14",
    "5rk1/1pp2p1p/p2b2p1/3P4/1P1Q4/P4N1q/5P1P/4R1K1 w - - 2 28",
    "r2qk2r/1b1nbppp/p3pn2/1pp5/3P4/1B2PN2/PP2QPPP/RNBR2K1 w kq - 2 11",
    "1r3rk1/3qbppp/p2pbn2/1p2p3/4P3/1NN1BP2/PPPQ2PP/1K1R3R w - - 4 16",
    "8/pp3pkp/2p3p1/3n4/3P4/1P3NP1/P4P1P/6K1 w - - 0 28",
    "8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42",
    "2r3k1/5ppp/p3p3/1p1b4/3P4/P3P1B1/1P3PPP/2R3K1 w - - 0 27",
    "8/2k5/1p1p1p2/pPpPpPp1/P1P1P1P1/3K4/8/8 w - - 0 50",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 40",
    "8/8/1p1k4/p1p2p2/P1P2P1p/1P1K3P/8/8 w - - 0 45",
    "4r1k1/pp3pp1/7p/3n4/8/1P4P1/PB3P1P/3R2K1 b - - 1 30",
    "8/1p4k1/p5p1/P1P2p1p/5P1P/4B1P1/1b4K1/8 w - - 3 46",
    "6k1/3R1pp1/4p2p/1p6/1n5P/5NP1/1r3P2/6K1 w - - 0 33",
    "8/8/4k3/3R4/4K3/4P3/8/6r1 w - - 10 70",
    "8/3k4/8/8/3K4/8/3P4/8 w - - 0 60",
    "8/8/2k5/8/8/4NK2/8/6B1 w - - 12 80",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
    "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 16",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 18",
    "r3kb1r/3n1pp1/p6p/2pPp2q/Pp2N3/3B2PP/1PQ2P2/R3K2R w KQkq - 0 20",
    "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1",
    "6rk/6pp/3N4/8/8/7P/5PPK/8 b - - 3 38",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbkqbrn/1ppp1ppp/p7/4p3/4P3/1P6/P1PP1PPP/NRBKQBRN w GBgb - 0 3"};

}  // namespace rokada::cli
