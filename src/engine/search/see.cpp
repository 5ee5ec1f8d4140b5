// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/see.hpp"

namespace rokada::engine {

namespace {

// A piece that shields its king from a slider may recapture only along that line, as long as the
// slider stands.
Bitboard pinned_pieces(const Position& position, Color side, Bitboard occupied) {
    const Square king = position.king(side);
    const Bitboard snipers =
        ((rook_rays(king) & position.pieces(~side, PieceType::Rook, PieceType::Queen)) |
         (bishop_rays(king) & position.pieces(~side, PieceType::Bishop, PieceType::Queen))) &
        occupied;
    Bitboard pinned;
    for (const Square sniper : snipers) {
        const Bitboard shield = between(king, sniper) & occupied;
        if (shield.single()) pinned |= shield & position.pieces(side);
    }
    return pinned;
}

}  // namespace

bool exchange_reaches(const Position& position, Move move, Value threshold) {
    // Castling takes nothing and en passant and promotions are rare enough to be called even.
    if (move.kind() != MoveKind::Normal) return threshold <= 0;

    const Square from = move.from(), to = move.to();
    // If even keeping what was taken is not enough, or losing the mover still is, nothing has to be
    // played out.
    Value balance = exchange_value(position.at(to)) - threshold;
    if (balance < 0) return false;
    balance = exchange_value(position.at(from)) - balance;
    if (balance <= 0) return true;

    Bitboard occupied = position.occupied() ^ Bitboard { from } ^ Bitboard { to };
    if (position.at(to) == Piece::None) occupied = position.occupied() ^ Bitboard { from };
    const Bitboard diagonal = position.pieces(PieceType::Bishop, PieceType::Queen);
    const Bitboard straight = position.pieces(PieceType::Rook, PieceType::Queen);
    Bitboard attackers = position.attackers_to(to, occupied);
    Color side = position.turn();
    bool wins = true;  // for the side that made the first move

    for (;;) {
        side = ~side;
        attackers &= occupied;
        Bitboard own = attackers & position.pieces(side);
        if (own.empty()) break;
        // Most attackers stand on no line with their king, and looking for pins is dear.
        const Square king = position.king(side);
        if ((own & (rook_rays(king) | bishop_rays(king))).any()) {
            for (const Square s : own& pinned_pieces(position, side, occupied))
                if (!line_through(king, s).contains(to)) own ^= Bitboard{s};
            if (own.empty()) break;
        }
        wins = !wins;

        // The cheapest piece recaptures and may uncover another behind it.
        PieceType type = PieceType::Pawn;
        while (type != PieceType::King && (own & position.pieces(type)).empty())
            type = static_cast<PieceType>(index(type) + 1);
        if (type == PieceType::King) {
            // The king may take only what nobody defends any more.
            return (attackers & position.pieces(~side)).any() ? !wins : wins;
        }
        balance = exchange_value(type) - balance;
        if (balance < static_cast<int>(wins)) break;
        occupied ^= Bitboard{(own & position.pieces(type)).first()};
        if (type == PieceType::Pawn || type == PieceType::Bishop || type == PieceType::Queen)
            attackers |= bishop_attacks(to, occupied) & diagonal;
        if (type == PieceType::Rook || type == PieceType::Queen)
            attackers |= rook_attacks(to, occupied) & straight;
    }
    return wins;
}

}  // namespace rokada::engine
