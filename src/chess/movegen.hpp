// SPDX-License-Identifier: GPL-3.0-or-later
// Legal moves, directly: a mask of squares that answer a check and the lines of pinned pieces make
// every generated move legal, so that nothing has to be tried and taken back.
#pragma once

#include "chess/move.hpp"
#include "chess/position.hpp"

namespace rokada {

enum class MoveSet {
    All,
    Noisy,  // captures and promotions to a queen
    Quiet,  // everything else
};

// Appends the legal moves of that kind to the list.
void generate(const Position& position, MoveSet set, MoveList& list);

inline MoveList legal_moves(const Position& position) {
    MoveList list;
    generate(position, MoveSet::All, list);
    return list;
}

bool has_legal_move(const Position& position);

}  // namespace rokada
