// SPDX-License-Identifier: GPL-3.0-or-later
// Forsyth-Edwards notation, with X-FEN and Shredder-FEN castling letters. Reading accepts any well-formed
// text, legal or not, and gives a Setup; missing counters mean `0 1`.
#pragma once

#include <string>
#include <string_view>

#include "chess/notation/parse_error.hpp"
#include "chess/position.hpp"

namespace rokada {

inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Result<Setup, ParseError> parse_fen(std::string_view text);
// The two steps in one; the message of an illegal position names every reason.
Result<Position, ParseError> parse_position(std::string_view fen);

enum class CastlingStyle {
    XFen,      // KQkq, file letters only where those would be ambiguous
    Shredder,  // always file letters
};
enum class EnPassantStyle {
    Legal,   // the square only when a legal capture exists
    Always,  // after every double step
};

std::string to_fen(const Setup& setup, CastlingStyle castling = CastlingStyle::XFen);
std::string to_fen(const Position& position, CastlingStyle castling = CastlingStyle::XFen,
                   EnPassantStyle en_passant = EnPassantStyle::Legal);
// The first four fields only, as EPD and opening tables use them.
std::string to_fen_without_counters(const Position& position);

}  // namespace rokada
