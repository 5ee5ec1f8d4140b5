// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/material.hpp"

namespace rokada::review {

int balance(const Position& position, Color side) {
    int sum = 0;
    for (const PieceType t : kPieceTypes)
        sum += points(t) * (position.pieces(side, t).count() - position.pieces(~side, t).count());
    return sum;
}

int MaterialChange::net() const {
    int sum = 0;
    for (const PieceType t : kPieceTypes) sum += points(t) * (gained[t] - lost[t]);
    return sum;
}

MaterialChange material_change(const Position& before, const Position& after, Color side) {
    MaterialChange change;
    for (const PieceType t : kPieceTypes) {
        const int own = after.pieces(side, t).count() - before.pieces(side, t).count();
        const int other = after.pieces(~side, t).count() - before.pieces(~side, t).count();
        // Own men that appeared by promotion and enemy men that vanished are gains; the opposite are losses.
        change.gained[t] += (own > 0 ? own : 0) + (other < 0 ? -other : 0);
        change.lost[t] += (own < 0 ? -own : 0) + (other > 0 ? other : 0);
    }
    return change;
}

}  // namespace rokada::review
