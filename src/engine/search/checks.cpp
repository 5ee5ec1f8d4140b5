// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/checks.hpp"

namespace rokada::engine {

Checks::Checks(const Position& p) : king_(p.king(~p.turn())) {
    const Color us = p.turn();
    const Bitboard all = p.occupied();
    squares_[PieceType::Pawn] = pawn_attacks(~us, king_);
    squares_[PieceType::Knight] = knight_attacks(king_);
    squares_[PieceType::Bishop] = bishop_attacks(king_, all);
    squares_[PieceType::Rook] = rook_attacks(king_, all);
    squares_[PieceType::Queen] = squares_[PieceType::Bishop] | squares_[PieceType::Rook];
    const Bitboard snipers =
        (rook_rays(king_) & p.pieces(us, PieceType::Rook, PieceType::Queen)) |
        (bishop_rays(king_) & p.pieces(us, PieceType::Bishop, PieceType::Queen));
    for (const Square sniper : snipers) {
        const Bitboard between_them = between(king_, sniper) & all;
        if (between_them.single()) hiding_ |= between_them & p.pieces(us);
    }
}

bool Checks::given_by(const Position& p, Move m) const {
    const Square from = m.from(), to = m.to();
    if (m.is_castling()) {
        const Square rook = castled_rook(p.turn(), m.castling_side());
        const Bitboard after = p.occupied().without(Bitboard{from} | Bitboard{to}) |
                               Bitboard{rook} | Bitboard{castled_king(p.turn(), m.castling_side())};
        return rook_attacks(rook, after).contains(king_);
    }
    if (hiding_.contains(from) && !line_through(king_, from).contains(to)) return true;
    if (m.is_promotion())
        return piece_attacks(m.promoted(), to, p.occupied() ^ Bitboard{from}).contains(king_);
    return squares_[type_of(p.at(from))].contains(to);
}

}  // namespace rokada::engine
