// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/lan.hpp"

#include "chess/notation/move_error.hpp"
#include "chess/notation/move_text.hpp"
#include "chess/notation/san.hpp"

namespace rokada {

std::string to_lan(const Position& position, Move move, const PieceLetters& letters) {
    std::string text;
    if (move.is_castling()) {
        text = move.castling_side() == CastlingSide::King ? "O-O" : "O-O-O";
    } else {
        const PieceType type = type_of(position.at(move.from()));
        if (type != PieceType::Pawn) text += letters[type];
        text += to_string(move.from());
        text += position.is_capture(move) ? 'x' : '-';
        text += to_string(move.to());
        if (move.is_promotion()) {
            text += '=';
            text += letters[move.promoted()];
        }
    }
    append_check_mark(text, position, move);
    return text;
}

Result<Move, ParseError> parse_lan(const Position& position, std::string_view text) {
    const MoveText written = read_move_text(text);
    if (written.fault == MoveText::Fault::None) {
        if (written.castling == MoveText::Castling::No && !written.names_square)
            return Error{
                ParseError{0, quoted(text) + " does not name the square the piece leaves"}};
        const FittingMoves fitting = find_moves(position, written);
        if (fitting.only()) return fitting.move;
    }
    return Error{explain_unplayable(position, text, written)};
}

}  // namespace rokada
