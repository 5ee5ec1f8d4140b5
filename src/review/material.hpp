// SPDX-License-Identifier: GPL-3.0-or-later
// Material as people count it: pawn 1, knight and bishop 3, rook 5, queen 9. Sentences about material use these values and
// counts, never the engine's centipawns.
#pragma once

#include "chess/position.hpp"

namespace rokada::review {

constexpr int points(PieceType t) {
    constexpr int kPoints[] = {1, 3, 3, 5, 9, 0, 0};
    return kPoints[index(t)];
}

// White's points minus Black's, or the other way round.
int balance(const Position& position, Color side);

// What one side has more of than before, or less: counts per kind of piece.
struct MaterialChange {
    PerPieceType<int> lost{}, gained{};  // by the side the change is told for

    int net() const;  // gained minus lost, in points
    bool empty() const { return lost == PerPieceType<int>{} && gained == PerPieceType<int>{}; }
};

// What `side` lost of its own and took of the other's between two positions. A promoted pawn counts as lost, the new piece as
// gained.
MaterialChange material_change(const Position& before, const Position& after, Color side);

}  // namespace rokada::review
