// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/san.hpp"

#include "chess/movegen.hpp"
#include "chess/notation/move_error.hpp"
#include "chess/notation/move_text.hpp"

namespace rokada {

namespace {

// The file is preferred, then the rank, then both: the order the PGN standard asks for.
void append_disambiguation(std::string& out, const Position& position, PieceType type, Move move) {
    const Square from = move.from();
    const Bitboard rivals = legal_origins(position, type, move.to()) ^ Bitboard { from };
    if (rivals.empty()) return;
    const bool same_file = (rivals & Bitboard{file_of(from)}).any();
    const bool same_rank = (rivals & Bitboard{rank_of(from)}).any();
    if (!same_file || same_rank) out += to_char(file_of(from));
    if (same_file) out += to_char(rank_of(from));
}

// Exact for plain moves; for the rare kinds, yes means only that it has to be tried.
bool may_give_check(const Position& position, Move move) {
    if (move.kind() != MoveKind::Normal) return true;
    const Color us = position.turn();
    const Square from = move.from(), to = move.to(), king = position.king(~us);
    const PieceType type = type_of(position.at(from));
    const Bitboard after = (position.occupied() ^ Bitboard{from}) | Bitboard{to};
    const Bitboard direct =
        type == PieceType::Pawn ? pawn_attacks(us, to) : piece_attacks(type, to, after);
    if (direct.contains(king)) return true;
    if (line_through(king, from).empty()) return false;
    const Bitboard discovered =
        (rook_attacks(king, after) & position.pieces(us, PieceType::Rook, PieceType::Queen)) |
        (bishop_attacks(king, after) & position.pieces(us, PieceType::Bishop, PieceType::Queen));
    return discovered.without(Bitboard{from}).any();
}

}  // namespace

void append_check_mark(std::string& out, const Position& position, Move move) {
    if (!may_give_check(position, move)) return;
    Position after = position;
    after.play(move);
    if (after.in_check()) out += has_legal_move(after) ? '+' : '#';
}

void append_san(std::string& out, const Position& position, Move move,
                const PieceLetters& letters) {
    if (move.is_castling()) {
        out += move.castling_side() == CastlingSide::King ? "O-O" : "O-O-O";
    } else {
        const PieceType type = type_of(position.at(move.from()));
        const bool captures = position.is_capture(move);
        if (type == PieceType::Pawn) {
            if (captures) out += to_char(file_of(move.from()));
        } else {
            out += letters[type];
            if (type != PieceType::King) append_disambiguation(out, position, type, move);
        }
        if (captures) out += 'x';
        out += to_char(file_of(move.to()));
        out += to_char(rank_of(move.to()));
        if (move.is_promotion()) {
            out += '=';
            out += letters[move.promoted()];
        }
    }
    append_check_mark(out, position, move);
}

std::string to_san(const Position& position, Move move, const PieceLetters& letters) {
    std::string text;
    append_san(text, position, move, letters);
    return text;
}

Result<Move, ParseError> parse_san(const Position& position, std::string_view text) {
    const MoveText written = read_move_text(text);
    if (written.fault == MoveText::Fault::None) {
        const FittingMoves fitting = find_moves(position, written);
        if (fitting.only()) return fitting.move;
    }
    return Error{explain_unplayable(position, text, written)};
}

}  // namespace rokada
