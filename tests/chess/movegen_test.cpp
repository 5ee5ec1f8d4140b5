// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "chess/counter.hpp"
#include "chess/perft.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/slow_rules.hpp"

namespace rokada {
namespace {

using testing_support::for_random_positions;
using testing_support::position_of;
using testing_support::SlowRules;

std::vector<std::uint16_t> sorted_bits(const MoveList& moves) {
    std::vector<std::uint16_t> bits;
    for (const Move move : moves) bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

// Moves and the positions they lead to, by both sets of rules.
void expect_same_as_slow_rules(const Position& position) {
    std::map<std::uint16_t, std::string> slow, fast;
    for (const auto& [move, after] : SlowRules::legal_moves(position.to_setup()))
        slow[move.bits()] = to_fen(after);
    const MoveList moves = legal_moves(position);
    for (const Move move : moves) {
        Position after = position;
        after.play(move);
        fast[move.bits()] = to_fen(after);
        ASSERT_EQ(after.in_check(), SlowRules::in_check(after.to_setup(), after.turn()));
    }
    ASSERT_EQ(moves.size(), fast.size()) << "a move twice: " << to_fen(position);
    ASSERT_EQ(fast, slow) << to_fen(position);
    ASSERT_EQ(position.in_check(), SlowRules::in_check(position.to_setup(), position.turn()));
    ASSERT_EQ(has_legal_move(position), !slow.empty()) << to_fen(position);
}

TEST(LegalMoves, AreThoseOfTheSlowRulesInRandomGames) {
    std::size_t positions = 0;
    for_random_positions(90, [&](const Position& position) {
        ++positions;
        expect_same_as_slow_rules(position);
    });
    EXPECT_GT(positions, 8000u);
}

TEST(LegalMoves, AreThoseOfTheSlowRulesWhereTheRulesAreSubtle) {
    for (
        const char* fen : {
            // En passant: legal, pinned on the rank, pinned on a diagonal, along the diagonal, on the file, two takers
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
            "4k3/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1",
            "4k3/b7/8/2pP4/8/4K3/8/8 w - c6 0 1",
            "3rk3/8/8/2pP4/8/3K4/8/8 w - c6 0 1",
            "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/r1PpP2K/8/8/8/8 w - d6 0 1",
            // The double step gives check; taking it en passant answers
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "8/8/8/8/2kPp3/8/8/R3K3 b Q d3 0 1",
            // Double check, check by knight, by pawn, blocked and taken
            "4k3/8/8/8/8/5n2/4r3/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1",
            "4k3/4r3/8/8/8/8/3P1P2/R2QKB1R w KQ - 0 1",
            // Castling in all its conditions
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 0 1",
            "r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1",
            "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            // Chess960: the rook is the shield, king and rook change places, the king stays
            "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
            "4k3/8/8/8/8/8/8/5KRr w G - 0 1",
            "4k3/8/8/8/8/8/8/R1K4R w AH - 0 1",
            "4k3/8/8/8/8/8/8/1RK4R w BH - 0 1",
            "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "4k3/8/8/8/8/8/8/1KR5 w C - 0 1",
            "1rkr4/8/8/8/8/8/8/1RKR4 b BDbd - 0 1",
            // Promotions with and without taking, pinned and not
            "r1n1k3/1P6/8/8/8/8/6p1/4K2R w K - 0 1",
            "2r1k3/1P6/K7/8/8/8/8/8 w - - 0 1",
            "8/KP4r1/8/8/8/8/8/7k w - - 0 1",
            // Mate, stalemate, and a castling that is the only move
            "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        })
        expect_same_as_slow_rules(position_of(fen));
}

TEST(LegalMoves, AgreeInEveryChess960Start) {
    for (int number = 0; number < 960; ++number)
        expect_same_as_slow_rules(Position::from_setup(rokada::Setup::chess960(number)).value());
}

TEST(LegalMoves, FitInTheListHoweverManyQueensASetupHas) {
    // 218 moves, the most a game can reach; and more than that with fifteen queens.
    const Position record = position_of("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    EXPECT_EQ(legal_moves(record).size(), 218u);
    const Position crowded = position_of("2Q4Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Qpp/K1QQ1Qnk w - - 0 1");
    EXPECT_EQ(legal_moves(crowded).size(), 241u);
    for (const Position& position : {record, crowded}) {
        expect_same_as_slow_rules(position);
        EXPECT_EQ(count_leaves(position, 2), perft(position, 2));
    }
}

TEST(MoveSets, AreTwoHalvesOfTheLegalMoves) {
    for_random_positions(30, [](const Position& position) {
        MoveList noisy, quiet, both;
        generate(position, MoveSet::Noisy, noisy);
        generate(position, MoveSet::Quiet, quiet);
        generate(position, MoveSet::Noisy, both);
        generate(position, MoveSet::Quiet, both);
        ASSERT_EQ(both.size(), noisy.size() + quiet.size());
        ASSERT_EQ(sorted_bits(both), sorted_bits(legal_moves(position))) << to_fen(position);
        const auto is_noisy = [&](Move move) {
            if (move.is_promotion()) return move.promoted() == PieceType::Queen;
            return position.is_capture(move);
        };
        for (const Move move : noisy) ASSERT_TRUE(is_noisy(move)) << to_fen(position);
        for (const Move move : quiet) ASSERT_FALSE(is_noisy(move)) << to_fen(position);
    });
}

TEST(IsLegal, SaysYesToExactlyTheListedMovesAmongAll65536) {
    std::size_t asked = 0;
    for_random_positions(40, [&](const Position& position) {
        if (++asked % 12 != 0) return;
        const MoveList moves = legal_moves(position);
        std::vector<bool> listed(65536);
        for (const Move move : moves) listed[move.bits()] = true;
        for (unsigned bits = 0; bits < 65536; ++bits)
            ASSERT_EQ(position.is_legal(Move::from_bits(static_cast<std::uint16_t>(bits))),
                      listed[bits])
                << to_fen(position) << ' ' << bits;
    });
}

TEST(Counter, FindsAsManyLeavesAsTheListsInRandomGames) {
    std::size_t positions = 0;
    for_random_positions(60, [&](const Position& position) {
        if (++positions % 3 != 0) return;
        for (int depth = 0; depth <= 2; ++depth)
            ASSERT_EQ(count_leaves(position, depth), perft(position, depth)) << to_fen(position);
        const int deep = positions % 15 == 0 ? 3 : 0;
        ASSERT_EQ(count_leaves(position, deep), perft(position, deep)) << to_fen(position);
    });
}

}  // namespace
}  // namespace rokada
