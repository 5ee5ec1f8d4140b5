// SPDX-License-Identifier: GPL-3.0-or-later
#include "bindings/wasm/reports.hpp"

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::wasm {

namespace {

std::string hexadecimal(Key key) {
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; key >>= 4) text[i] = "0123456789abcdef"[key & 15];
    return text;
}

}  // namespace

const char* side_name(Color color) { return color == Color::White ? "white" : "black"; }

std::string write_uci(const Position& position, Move move) {
    const Square rook = relative(
        position.turn(), move.castling_side() == CastlingSide::King ? Square::H1 : Square::A1);
    const bool usual = move.from() == relative(position.turn(), Square::E1) && move.to() == rook;
    return to_uci(move, move.is_castling() && !usual ? CastlingNotation::KingTakesRook
                                                     : CastlingNotation::KingMove);
}

void write_squares(Json& json, Bitboard squares) {
    json.begin_array();
    for (const Square s : squares) json.value(to_string(s));
    json.end_array();
}

void write_position(Json& json, const Position& position) {
    json.field("fen", to_fen(position));
    json.field("turn", side_name(position.turn()));
    json.field("key", hexadecimal(position.key()));
    json.field("check",
               position.in_check() ? to_string(position.king(position.turn())) : std::string());
    json.key("checkers");
    write_squares(json, position.checkers());
    json.key("legal");
    json.begin_array();
    for (const Move move : legal_moves(position)) {
        json.begin_object();
        json.field("uci", write_uci(position, move));
        json.field("san", to_san(position, move));
        json.end_object();
    }
    json.end_array();
}

}  // namespace rokada::wasm
