// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/proof.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::review {
namespace {

Position at(const char* fen) { return parse_position(fen).value(); }
Move move(const Position& position, const char* uci) {
    return parse_uci_move(position, uci).value();
}
Verdict wins(const char* fen, const char* first, int points, int plies) {
    const Position position = at(fen);
    return gain_proof(position, move(position, first), points, plies).verdict;
}

TEST(Swap, CountsOnlyWhatLegalCapturesWin) {
    // The guard of the knight is pinned, so it guards nothing.
    EXPECT_EQ(legal_swap(at("4k3/8/4b3/3n4/8/1B6/8/4R1K1 w - - 0 1"), Square::D5), 3);
    // A king cannot take back where the bishop looks.
    EXPECT_EQ(legal_swap(at("6k1/5pp1/8/7Q/2B5/8/8/6K1 w - - 0 1"), Square::F7), 1);
    EXPECT_EQ(legal_swap(at("6k1/5pp1/8/7Q/8/8/8/6K1 w - - 0 1"), Square::F7), 0);
    // En passant would uncover the rook.
    EXPECT_EQ(legal_swap(at("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"), Square::D6), 0);
    // The second rook takes part through the first.
    EXPECT_EQ(legal_swap(at("3r2k1/3r4/8/8/8/8/3R4/3R2K1 w - - 0 1"), Square::D7), 5);
    EXPECT_EQ(legal_swap(at("3r2k1/3r4/8/8/8/8/3R4/6K1 w - - 0 1"), Square::D7), 0);
}

TEST(Mate, IsProvedWithItsLength) {
    EXPECT_EQ(mate_proof(at("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1"), 1), Verdict::Proved);
    EXPECT_EQ(mate_proof(at("6rk/6p1/8/6N1/8/8/8/6K1 w - - 0 1"), 1), Verdict::Refuted);
    EXPECT_EQ(mate_proof(at("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), 1), Verdict::Proved);
    EXPECT_EQ(mate_proof(at("6k1/5pp1/7p/8/8/8/5PPP/3R2K1 w - - 0 1"), 1), Verdict::Refuted);
    const auto mate =
        shortest_mate(at("r1bqkbnr/ppp2ppp/2np4/4N3/2B1P3/2N5/PPPP1PPP/R1BbK2R w KQkq - 0 6"), 3);
    ASSERT_TRUE(mate);
    EXPECT_EQ(mate->moves, 2);
    EXPECT_TRUE(mate->exact);
    EXPECT_EQ(to_uci(mate->first), "c4f7");
}

TEST(Mate, StalemateIsNone) {
    const Position stale = at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    EXPECT_EQ(mate_proof(stale, 1), Verdict::Refuted);
}

TEST(Gain, ForkWinsTheQueenAgainstEveryReply) {
    EXPECT_EQ(wins("2q3k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1", "d5e7", 9, 3), Verdict::Proved);
}

TEST(Gain, ForkOfAPieceThatTakesWinsNothing) {
    EXPECT_NE(wins("3q2k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1", "d5e7", 1, 3), Verdict::Proved);
}

TEST(Gain, SkewerWinsTheQueenBehindTheKing) {
    EXPECT_EQ(wins("3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "a1d1", 9, 3), Verdict::Proved);
    EXPECT_NE(wins("3q4/8/8/8/8/8/3k4/R5K1 w - - 0 1", "a1d1", 1, 3), Verdict::Proved);
}

TEST(Gain, APawnThatADesperadoWinsBackIsNoGain) {
    // Every square by itself is safe, but the knight takes on e4 and uncovers the bishop.
    for (const int plies : {1, 3})
        EXPECT_NE(wins("r2q1rk1/4bpp1/5n2/6p1/4P3/5PQ1/8/2B3K1 w - - 0 1", "c1g5", 1, plies),
                  Verdict::Proved)
            << plies;
}

TEST(Gain, DiscoveredAttackThatOnlyWinsATempoIsNoGain) {
    EXPECT_NE(wins("3qk3/8/8/3N4/8/8/8/3RK3 w - - 0 1", "d5c3", 1, 3), Verdict::Proved);
    EXPECT_EQ(wins("3q1k2/8/8/8/3B4/8/6P1/3R2K1 w - - 0 1", "d4c5", 4, 3), Verdict::Proved);
}

TEST(Gain, APinnedKnightThatCannotBeTakenIsNoGain) {
    EXPECT_NE(wins("4k3/4n3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e3", 1, 3), Verdict::Proved);
}

TEST(Quiet, MeansNobodyWinsAnythingAtOnce) {
    EXPECT_TRUE(is_quiet(Position()));
    EXPECT_FALSE(is_quiet(at("2q3k1/4Nppp/8/8/8/8/5PPP/6K1 b - - 0 1")));
    EXPECT_FALSE(is_quiet(at("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1")));
}

}  // namespace
}  // namespace rokada::review
