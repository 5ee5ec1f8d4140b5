// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/material.hpp"

#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "chess/locked.hpp"
#include "chess/movegen.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::position_of;
using testing_support::Random;

TEST(InsufficientMaterial, IsWhatFideSaysAndNoMore) {
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
          "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "2b1k3/8/8/8/8/8/8/4K3 b - - 0 1",
          // Any number of bishops, all on squares of one colour.
          "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", "2b1k3/3b4/8/8/8/8/4B3/4K3 w - - 0 1"})
        EXPECT_TRUE(insufficient_material(position_of(fen))) << fen;
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1",
          "1n2k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "1n2k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
          "5bk1/8/8/8/8/8/8/4KB2 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
          "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"})
        EXPECT_FALSE(insufficient_material(position_of(fen))) << fen;
}

TEST(CanEverMate, FollowsTheMaterialOfBothSides) {
    const struct {
        const char* fen;  // asked for White
        bool can;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", false},    {"q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", true},    {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", true},  {"4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", true},   {"4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", false},
        {"q3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", false}, {"r3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", true},
        {"4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1", true},  {"n3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", true},
        {"b3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", true},  {"4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false},
        {"r3k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false}, {"q3k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false},
        {"4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1", true},  {"n3k3/8/8/8/8/8/8/2B1K3 w - - 0 1", true},
        {"2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", true}, {"b3k3/8/8/8/8/8/8/4KB2 w - - 0 1", false},
    };
    for (const auto& c : cases)
        EXPECT_EQ(can_ever_mate(position_of(c.fen), Color::White), c.can) << c.fen;
}

// Walls of pawns that nobody can take, with kings that cannot pass.
constexpr const char* kLocked[] = {
    "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
    "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 b - - 0 1",
    "8/2k5/8/1p1p1p1p/pP1P1P1P/P7/3K4/8 w - - 0 1",
    "6k1/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/6K1 w - - 0 1",
    // Bishops shut in behind their own pawns.
    "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w - - 0 1",
};
// The same with one thing different that lets somebody through.
constexpr const char* kOpen[] = {
    "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1",
    "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3NK3 w - - 0 1",
    "4k3/8/8/p1p1p1p1/P1P1P1P1/7R/8/4K3 w - - 0 1",
    "4k3/6p1/8/p1p1p3/P1P1P1P1/8/8/4K3 w - - 0 1",
    "4k3/8/1p6/p1p1p1p1/P1P1P1P1/1P6/8/4K3 w - - 0 1",
};

TEST(CanEverMate, SeesLockedPawns) {
    for (const char* fen : kLocked) {
        const Position position = position_of(fen);
        EXPECT_FALSE(can_ever_mate(position, Color::Black)) << fen;
    }
    for (const char* fen : kOpen) EXPECT_TRUE(can_ever_mate(position_of(fen), Color::White)) << fen;
}

// Whether `side` mates in any line of legal moves at all; nothing if there are too many positions to look at.
std::optional<bool> mates_somewhere(const Position& start, Color side, std::size_t limit) {
    std::unordered_set<Key> seen{start.key()};
    std::vector<Position> open{start};
    while (!open.empty()) {
        const Position position = open.back();
        open.pop_back();
        const MoveList moves = legal_moves(position);
        if (moves.empty() && position.in_check() && position.turn() != side) return true;
        for (const Move move : moves) {
            Position next = position;
            next.play(move);
            if (!seen.insert(next.key()).second) continue;
            if (seen.size() > limit) return std::nullopt;
            open.push_back(next);
        }
    }
    return false;
}

void expect_not_called_dead_if_alive(const Position& position, std::size_t limit, int& dead) {
    for (const Color side : kColors) {
        if (can_ever_mate(position, side)) continue;
        ++dead;
        const auto mates = mates_somewhere(position, side, limit);
        EXPECT_FALSE(mates.value_or(false)) << to_fen(position) << " side " << index(side);
    }
}

TEST(CanEverMate, NeverCallsALivePositionDeadByItsMaterial) {
    // Small endings, searched completely or for as long as it is reasonable.
    int dead = 0;
    for (const char* fen : {"4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1"})
        expect_not_called_dead_if_alive(position_of(fen), 200'000, dead);
    for (const char* fen : {"q3k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "r3k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
                            "b3k3/8/8/8/8/8/8/4KB2 w - - 0 1"})
        expect_not_called_dead_if_alive(position_of(fen), 60'000, dead);
    EXPECT_GE(dead, 8);
}

TEST(CanEverMate, NeverCallsALiveWallOfPawnsDead) {
    Random random(960);
    int dead = 0, tried = 0;
    for (const char* fen : kLocked) expect_not_called_dead_if_alive(position_of(fen), 60'000, dead);
    EXPECT_GE(dead, 6);
    // Random blocked pawns on the middle ranks, kings on their sides, now and then one more piece.
    for (dead = 0; tried < 20000; ++tried) {
        rokada::Setup setup;
        const int base = 2 + static_cast<int>(random.below(3));
        for (int file = 0; file < 8; ++file) {
            if (random.below(8) == 0) continue;
            const int rank = std::clamp(base + static_cast<int>(random.below(3)) - 1, 1, 5);
            const bool level = random.below(3) != 0;
            setup.board[square_at((level ? base : rank) * 8 + file)] = Piece::WhitePawn;
            setup.board[square_at(((level ? base : rank) + 1) * 8 + file)] = Piece::BlackPawn;
        }
        const auto put_somewhere = [&](Piece piece, int lowest, int ranks) {
            const auto s = square_at(
                (lowest + static_cast<int>(random.below(static_cast<std::size_t>(ranks)))) * 8 +
                static_cast<int>(random.below(8)));
            if (setup.board[s] == Piece::None) setup.board[s] = piece;
        };
        put_somewhere(Piece::WhiteKing, 0, random.below(8) == 0 ? 8 : 2);
        put_somewhere(Piece::BlackKing, random.below(8) == 0 ? 0 : 6, 2);
        if (random.below(3) == 0) put_somewhere(static_cast<Piece>(random.below(5)), 1, 6);
        if (random.below(3) == 0)
            put_somewhere(make_piece(Color::Black, static_cast<PieceType>(random.below(5))), 1, 6);
        setup.turn = random.below(2) == 0 ? Color::White : Color::Black;
        if (const auto position = Position::from_setup(setup))
            expect_not_called_dead_if_alive(*position, 20'000, dead);
    }
    EXPECT_GT(dead, 100);  // the test must not run empty
}

TEST(MayEverCheck, IsTrueWheneverACheckIsFoundByPlaying) {
    testing_support::for_random_positions(40, [](const Position& position) {
        if (position.in_check()) {
            ASSERT_TRUE(may_ever_check(position, ~position.turn()));
        }
    });
}

}  // namespace
}  // namespace rokada
