// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-made evaluation: terms with names and weights (weights.hpp), tapered between middlegame
// and endgame.
#pragma once

#include <vector>

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

// Remembers pawn structures; one per worker.
class PawnTable {
  public:
    PawnTable() : entries_(kSize) {}
    PawnEntry& slot(Key key) { return entries_[key & (kSize - 1)]; }

  private:
    static constexpr std::size_t kSize = 4096;
    std::vector<PawnEntry> entries_;
};

// From the side to move.
Value evaluate_classical(const Position& position, PawnTable& pawns);

// What the terms add up to before and after the last steps, for White.
struct ClassicalResult {
    Tapered sum;
    int phase = 0;  // 24 with all pieces, 0 with none
    int scale = 64;
    bool special = false;  // an ending with an evaluation of its own: the terms do not count
    Value value = 0;
};
// The same evaluation with everything counted.
ClassicalResult trace_classical(const Position& position, Trace& trace);

}  // namespace rokada::engine
