// SPDX-License-Identifier: GPL-3.0-or-later
// What a written move says, before anyone asks whether it is legal; and the legal moves it can mean.
// The common ground of SAN and long algebraic: both readers are these two steps.
#pragma once

#include <cstdint>
#include <string_view>

#include "chess/position.hpp"

namespace rokada {

struct MoveText {
    enum class Castling : std::uint8_t { No, KingSide, QueenSide };
    enum class Fault : std::uint8_t {
        None,
        Empty,
        NoTarget,      // ends before the square to go to
        Unexpected,    // a character that fits nowhere
        BadPromotion,  // a piece letter after '=' that no pawn becomes
    };

    PieceType type = PieceType::None;       // None: not named
    PieceType promotion = PieceType::None;  // None: not named
    Castling castling = Castling::No;
    bool captures = false;
    bool names_square = false;  // the origin is one whole square
    Square to = Square::None;
    Bitboard origin = kAllSquares;  // where the piece may stand, as far as the text tells
    Fault fault = Fault::None;
    std::uint32_t fault_at = 0;  // bytes from the start
};

// Total: any bytes give a MoveText, perhaps with a fault.
MoveText read_move_text(std::string_view text);

// From where a piece of that type of the side to move can legally go to the square. Not for pawns.
Bitboard legal_origins(const Position& position, PieceType type, Square to);

// The legal moves that fit the text: none, one, or several if it is ambiguous.
struct FittingMoves {
    Move move;                     // the only one, or the first
    Bitboard origins;              // where such a piece can start from
    bool needs_promotion = false;  // a legal pawn move, but the text names no piece
    bool only() const { return origins.single() && !needs_promotion; }
};
FittingMoves find_moves(const Position& position, const MoveText& text);

}  // namespace rokada
