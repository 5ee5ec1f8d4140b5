// SPDX-License-Identifier: GPL-3.0-or-later
// Why a move that somebody tries on the board is illegal: one reason as a code, with the squares that
// prove it. The board, the terminal and the server turn it into words or arrows in the player's language.
#pragma once

#include <optional>
#include <string_view>

#include "chess/position.hpp"

namespace rokada {

enum class IllegalReason : std::uint8_t {
    NoPiece,                // at: the empty square
    NotYourTurn,            // at: the opponent's piece
    OwnPieceOnTarget,       // at: that piece
    CannotMoveLikeThat,     // at: the piece
    PathBlocked,            // at: the pieces in the way
    Pinned,                 // at: the piece; by: who would attack the king
    CheckNotAnswered,       // at: the king; by: who gives the check
    KingWouldBeInCheck,     // at: the square; by: who attacks it
    CastlingRightGone,      // at: the king
    CastlingInCheck,        // at: the king; by: who gives the check
    CastlingBlocked,        // at: the pieces in the way
    CastlingThroughAttack,  // at: the attacked squares of the king's way; by: who attacks them
    EnPassantNotAvailable,  // at: the pawn that cannot be taken so
    PromotionPieceNeeded,   // at: the square
    PromotionNotPossible,   // at: the square; a promotion is asked for where none happens
};

struct IllegalMove {
    IllegalReason reason;
    Bitboard at;
    Bitboard by;  // pieces of the opponent
};

// Nothing if such a move is legal. Castling may be tried as the king's move to its castled square or onto
// its rook.
std::optional<IllegalMove> explain_illegal(const Position& position, Square from, Square to,
                                           PieceType promotion = PieceType::None);

std::string_view to_string(IllegalReason reason);  // "no-piece", "not-your-turn", ...

}  // namespace rokada
