// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as people write them: Nf3, exd5, O-O, e8=Q#. Writing gives the shortest correct form with
// check and mate marks. Reading is tolerant of form (0-0, e8Q, Ng1f3, exd6e.p., any +#!?) and strict about
// the move: it gives a legal one or says exactly what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/notation/piece_letters.hpp"
#include "chess/position.hpp"

namespace rokada {

// The move must be legal in the position.
std::string to_san(const Position& position, Move move,
                   const PieceLetters& letters = kEnglishLetters);
// The same at the end of a text, for writers of whole games.
void append_san(std::string& out, const Position& position, Move move,
                const PieceLetters& letters = kEnglishLetters);
// '+' if the move gives check, '#' if it mates.
void append_check_mark(std::string& out, const Position& position, Move move);

// Also reads moves given by both squares (e2e4, Ng1-f3, e7e8q), since many files contain them.
Result<Move, ParseError> parse_san(const Position& position, std::string_view text);

}  // namespace rokada
