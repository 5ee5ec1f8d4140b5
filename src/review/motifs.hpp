// SPDX-License-Identifier: GPL-3.0-or-later
// Names for a gain that is already proved: which pattern on the board brings it. A name is given only if the pattern itself wins the
// material whatever the defender replies. Used by reasons.cpp and by the tests that score them against known themes.
#pragma once

#include <vector>

#include "review/review.hpp"

namespace rokada::review {

// A proved gain: `line` begins with the move that wins `points` at least.
struct Gain {
    Position position;
    std::vector<Move> line;
    int points = 0;
    const Position* before = nullptr;  // one move earlier, if known
    std::vector<Move> expected;        // how the engine would go on
};

// Fills motif, actor, target and other; Motif::Material if no pattern explains the gain.
void name_motif(const Gain& gain, Reason& reason);

// Checkmate of the side to move on its first rank, by a rook or queen along it, shut in by its own men.
bool is_back_rank_mate(const Position& position);
// The mate in that many moves beginning with `first` can be forced so that every defence ends in one on the back rank.
bool forces_back_rank_mate(const Position& position, Move first, int moves);

}  // namespace rokada::review
