// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/phases.hpp"

namespace rokada::review {

namespace {

int pieces_left(const Position& position) {
    return position.occupied().without(position.pieces(PieceType::Pawn, PieceType::King)).count();
}

bool back_rank_thin(const Position& position) {
    for (const Color side : kColors)
        if ((position.pieces(side) & Bitboard{relative(side, Rank::R1)}).count() < 4) return true;
    return false;
}

}  // namespace

Phases find_phases(const Game& game) {
    Phases phases;
    for (std::size_t plies = 0; plies <= game.plies().size(); ++plies) {
        const Position& position = game.position_after(plies);
        const int left = pieces_left(position);
        if (left <= 6) {
            phases.endgame = plies;
            break;
        }
        if (!phases.middlegame && (left <= 10 || back_rank_thin(position)))
            phases.middlegame = plies;
    }
    return phases;
}

Phase Phases::at(std::size_t plies) const {
    if (endgame && plies >= *endgame) return Phase::Endgame;
    if (middlegame && plies >= *middlegame) return Phase::Middlegame;
    return Phase::Opening;
}

}  // namespace rokada::review
