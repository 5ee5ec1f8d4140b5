// SPDX-License-Identifier: GPL-3.0-or-later
// How a level plays: whole games against itself, every move judged. Tells whether it errs like a person of its strength:
// no piece left standing for no reason, no queen given away, no giving up when it is behind.
#pragma once

#include <array>

#include "chess/game.hpp"
#include "lab/levels/level_player.hpp"

namespace rokada::lab {

// Counts that add up over games.
struct Conduct {
    static constexpr std::array<int, 4> kBounds{5, 50, 100, 300};  // of the shares of losses

    std::uint64_t games = 0;
    std::uint64_t moves = 0;                // judged, while the game was open (within three pawns)
    std::uint64_t loss = 0;                 // centipawns of those moves
    std::array<std::uint64_t, 5> shares{};  // of those moves: up to each bound, and beyond
    std::uint64_t level_moves = 0, level_loss = 0;    // within a pawn
    std::uint64_t behind_moves = 0, behind_loss = 0;  // three to six pawns behind
    std::uint64_t trivial = 0, trivial_missed = 0;
    std::uint64_t all_moves = 0, queens_given = 0;

    void add(const Conduct& other);
    double mean_loss() const { return ratio(loss, moves); }
    // Of the positions where any player sees a good move (see is_trivial), those where a piece or more was lost all the same.
    double trivial_miss() const { return ratio(trivial_missed, trivial); }
    double queen_gift() const { return ratio(queens_given, all_moves); }
    // Mean loss behind by that of level positions; much over 1 means giving up.
    double resistance() const {
        return level_loss == 0 ? 0
                               : ratio(behind_loss, behind_moves) / ratio(level_loss, level_moves);
    }

    static double ratio(std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    }
};

// A good move is there for everybody to see: taking back what was just taken, taking a piece for nothing, or saving the queen
// from a pawn or a minor piece. `last` led to the position.
bool is_trivial(const Position& before_last, Move last, const Position& position);

// The queen, not attacked before, may now be taken for less than a rook.
bool gives_queen(const Position& before, Move move);

// One game of the level against itself with another seed.
Conduct play_and_judge(LevelPlayer& player, Judge& judge, std::uint64_t seed);

}  // namespace rokada::lab
