// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/material.hpp"

#include "chess/locked.hpp"

namespace rokada {

bool insufficient_material(const Position& position) {
    const Bitboard heavy =
        position.pieces(PieceType::Pawn) | position.pieces(PieceType::Rook, PieceType::Queen);
    if (heavy.any()) return false;
    const Bitboard knights = position.pieces(PieceType::Knight);
    const Bitboard bishops = position.pieces(PieceType::Bishop);
    if (knights.any()) return knights.single() && bishops.empty();
    return (bishops & kLightSquares).empty() || (bishops & kDarkSquares).empty();
}

namespace {

bool material_can_mate(const Position& position, Color side) {
    if (insufficient_material(position)) return false;
    const Color other = ~side;
    const Bitboard own = position.pieces(side);
    const Bitboard heavy = own & (position.pieces(PieceType::Pawn) |
                                  position.pieces(PieceType::Rook, PieceType::Queen));
    if (heavy.any()) return true;
    const Bitboard knights = own & position.pieces(PieceType::Knight);
    const Bitboard bishops = own & position.pieces(PieceType::Bishop);
    if (knights.empty() && bishops.empty()) return false;  // a bare king
    const Bitboard foes = position.pieces(other).without(position.pieces(PieceType::King));
    if (knights.several()) return true;
    if (knights.any()) {
        // One knight mates only a king walled in by a man of its own; a queen never has to stand in the
        // way, so that K+N v K+Q cannot end in mate.
        return bishops.any() || foes.without(position.pieces(PieceType::Queen)).any();
    }
    const Bitboard light = bishops & kLightSquares, dark = bishops & kDarkSquares;
    if (light.any() && dark.any()) return true;
    // Bishops of one colour need a blocker: a knight, a pawn (which may become one) or a bishop on the other colour.
    const Bitboard others = light.any() ? kDarkSquares : kLightSquares;
    return (position.pieces(other, PieceType::Knight, PieceType::Pawn) |
            (position.pieces(other, PieceType::Bishop) & others))
        .any();
}

}  // namespace

bool can_ever_mate(const Position& position, Color side) {
    return material_can_mate(position, side) && may_ever_check(position, side);
}

}  // namespace rokada
