// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/uci_move.hpp"

#include "chess/movegen.hpp"

namespace rokada {

CastlingNotation castling_notation_for(const Position& position) {
    for (const Color c : kColors) {
        for (const CastlingSide side : kCastlingSides) {
            const Square rook = position.castling().rook(c, side);
            if (rook == Square::None) continue;
            const Square usual = side == CastlingSide::King ? Square::H1 : Square::A1;
            if (rook != relative(c, usual) || position.king(c) != relative(c, Square::E1))
                return CastlingNotation::KingTakesRook;
        }
    }
    return CastlingNotation::KingMove;
}

std::string to_uci(Move move, CastlingNotation castling) {
    if (move.none()) return "0000";
    Square to = move.to();
    if (move.is_castling() && castling == CastlingNotation::KingMove) {
        const Color c = rank_of(move.from()) == Rank::R1 ? Color::White : Color::Black;
        to = castled_king(c, move.castling_side());
    }
    std::string text = to_string(move.from()) + to_string(to);
    if (move.is_promotion()) text += static_cast<char>(to_char(move.promoted()) - 'A' + 'a');
    return text;
}

Result<Move, ParseError> parse_uci_move(const Position& position, std::string_view text) {
    if (text.size() < 4 || text.size() > 5)
        return Error{ParseError{0, quoted(text) + " is no move like e2e4 or e7e8q"}};
    const Square from = parse_square(text[0], text[1]);
    const Square to = parse_square(text[2], text[3]);
    if (from == Square::None)
        return Error{ParseError{0, quoted(text.substr(0, 2)) + " is no square"}};
    if (to == Square::None)
        return Error{ParseError{2, quoted(text.substr(2, 2)) + " is no square"}};
    PieceType promotion = PieceType::None;
    if (text.size() == 5) {
        const Piece p = parse_piece(text[4]);
        promotion = p == Piece::None ? PieceType::None : type_of(p);
        if (promotion == PieceType::None || promotion == PieceType::Pawn ||
            promotion == PieceType::King)
            return Error{ParseError{4, quoted(text[4]) + " is no piece to promote to"}};
    }

    // Nearly every move is a plain one.
    if (promotion == PieceType::None && position.is_legal(Move(from, to))) return Move(from, to);
    Move castling;
    for (const Move move : legal_moves(position)) {
        if (move.from() != from) continue;
        const PieceType wanted = move.is_promotion() ? move.promoted() : PieceType::None;
        if (move.to() == to && wanted == promotion) return move;
        // e1g1 means castling only if no plain king move is written that way (Chess960).
        if (move.is_castling() && promotion == PieceType::None &&
            castled_king(position.turn(), move.castling_side()) == to)
            castling = move;
    }
    if (castling) return castling;
    return Error{ParseError{0, quoted(text) + " is not a legal move here"}};
}

}  // namespace rokada
