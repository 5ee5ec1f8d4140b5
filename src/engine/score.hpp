// SPDX-License-Identifier: GPL-3.0-or-later
// What a search thinks of a position, from the side to move: centipawns, or a forced mate.
#pragma once

#include <optional>

namespace rokada::engine {

class Score {
  public:
    constexpr Score() = default;
    static constexpr Score centipawns(int value) { return Score(value, 0); }
    // Moves (not plies) to mate; positive when the side to move mates. mated(0) is checkmate on the board.
    static constexpr Score mate_in(int moves) { return Score(0, moves, true); }
    static constexpr Score mated_in(int moves) { return Score(0, -moves, true); }

    constexpr bool is_mate() const { return mate_; }
    constexpr int moves_to_mate() const {
        return moves_;
    }  // negative when being mated; see is_mate
    constexpr int centipawns() const { return centipawns_; }
    constexpr Score operator-() const { return Score(-centipawns_, -moves_, mate_); }

  private:
    constexpr Score(int cp, int moves, bool mate = false)
        : centipawns_(cp), moves_(moves), mate_(mate) {}
    int centipawns_ = 0;
    int moves_ = 0;
    bool mate_ = false;
};

}  // namespace rokada::engine
