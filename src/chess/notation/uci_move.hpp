// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as UCI writes them: e2e4, e7e8q. Castling is written e1g1, in Chess960 as king takes rook (e1h1); both
// are read.
#pragma once

#include <string>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/position.hpp"

namespace rokada {

enum class CastlingNotation { KingMove, KingTakesRook };
// KingTakesRook if a king or rook with a right stands where usual chess has none.
CastlingNotation castling_notation_for(const Position& position);

std::string to_uci(Move move, CastlingNotation castling = CastlingNotation::KingMove);
// Gives only legal moves; the error says what is wrong with the text or with the move.
Result<Move, ParseError> parse_uci_move(const Position& position, std::string_view text);

}  // namespace rokada
