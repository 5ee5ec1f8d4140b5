// SPDX-License-Identifier: GPL-3.0-or-later
// Long algebraic notation: both squares of every move, Ng1-f3, e4xd5, e7-e8=Q, O-O. Reading also takes e2e4,
// Qd2d4 and every mark; unlike SAN it insists on both squares, so nothing is ever guessed.
#pragma once

#include <string>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/notation/piece_letters.hpp"
#include "chess/position.hpp"

namespace rokada {

// The move must be legal in the position. Check and mate are marked as in SAN.
std::string to_lan(const Position& position, Move move,
                   const PieceLetters& letters = kEnglishLetters);

Result<Move, ParseError> parse_lan(const Position& position, std::string_view text);

}  // namespace rokada
