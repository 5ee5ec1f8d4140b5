// SPDX-License-Identifier: GPL-3.0-or-later
// One level of the tree that is being searched: the position and what the search knows about it at
// the moment. Frames lie in an array with a few empty ones before the root, so that looking back
// needs no tests.
#pragma once

#include <optional>

#include "chess/position.hpp"
#include "engine/search/history.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

// From the beginning of a cache line: positions are copied in wide pieces, none of which then lies across two lines.
struct alignas(64) Frame {
    Position position;
    int ply = 0;

    // About the move that is being tried from here.
    Move move;
    PieceToHistory* continuation = nullptr;  // the history of moves that follow it
    std::optional<std::uint16_t> moved_to;  // its piece and target, see piece_to(); none for a pass
    int move_count = 0;

    // About the position.
    Move excluded;                // left out by the singular search
    Value evaluation = kNoValue;  // corrected static evaluation; none in check
    int plies_since_null = 0;
    bool in_check = false;
    bool was_pv = false;     // is, or was once, on a principal variation
    int cutoffs = 0;         // beta cutoffs among the children
    int reduction_1024 = 0;  // by how much the search of the current move was reduced
    int history_score = 0;   // of the move being tried
};

// The line that is best below a node, as far as known.
struct Line {
    Move moves[kMaxPly + 2];
    int length = 0;

    void clear() { length = 0; }
    void set(Move first, const Line& rest) {
        moves[0] = first;
        for (int i = 0; i < rest.length; ++i) moves[i + 1] = rest.moves[i];
        length = rest.length + 1;
    }
};

}  // namespace rokada::engine
