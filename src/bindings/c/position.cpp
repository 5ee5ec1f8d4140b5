// SPDX-License-Identifier: GPL-3.0-or-later
#include "bindings/c/border.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/perft.hpp"

using namespace rokada;
using namespace rokada::border;

namespace {

rokada_error parse_move(const rokada_position* position, const char* text, rokada_move* move,
                        Result<Move, ParseError> (*parse)(const Position&, std::string_view)) {
    if (!position || !text || !move) return fail_null();
    *move = 0;
    return guarded([&] {
        const auto parsed = parse(position->get(), text);
        if (!parsed) return fail(ROKADA_ERROR_MOVE, parsed.error().to_string());
        *move = parsed->bits();
        return ROKADA_OK;
    });
}

}  // namespace

int rokada_move_from(rokada_move move) { return index(move_of(move).from()); }
int rokada_move_to(rokada_move move) { return index(move_of(move).to()); }
char rokada_move_promotion(rokada_move move) {
    if (!move_of(move).is_promotion()) return 0;
    return static_cast<char>(to_char(move_of(move).promoted()) - 'A' + 'a');
}

rokada_error rokada_position_new(const char* fen, rokada_position** position) {
    if (!position) return fail_null();
    *position = nullptr;
    return guarded([&] {
        if (!fen) {
            *position = new rokada_position(Position());
            return ROKADA_OK;
        }
        const auto parsed = parse_position(fen);
        if (!parsed) return fail(ROKADA_ERROR_POSITION, parsed.error().to_string());
        *position = new rokada_position(*parsed);
        return ROKADA_OK;
    });
}

rokada_error rokada_position_new_chess960(int number, rokada_position** position) {
    if (!position) return fail_null();
    *position = nullptr;
    if (number < 0 || number > 959)
        return fail(ROKADA_ERROR_ARGUMENT, "start positions of Chess960 count from 0 to 959");
    return guarded([&] {
        const auto made = Position::from_setup(Setup::chess960(number));
        if (!made) return fail(ROKADA_ERROR_INTERNAL, made.error().message());
        *position = new rokada_position(*made);
        return ROKADA_OK;
    });
}

rokada_error rokada_position_copy(const rokada_position* original, rokada_position** position) {
    if (!original || !position) return fail_null();
    *position = nullptr;
    return guarded([&] {
        *position = new rokada_position(original->get());
        return ROKADA_OK;
    });
}

void rokada_position_free(rokada_position* position) { delete position; }

size_t rokada_position_fen(const rokada_position* position, char* text, size_t size) {
    return guarded_text(text, size,
                        [&] { return position ? to_fen(position->get()) : std::string(); });
}

rokada_color rokada_position_turn(const rokada_position* position) {
    return guarded_value(ROKADA_WHITE, [&] {
        return position ? border::color_of(position->get().turn()) : ROKADA_WHITE;
    });
}

char rokada_position_piece(const rokada_position* position, int square) {
    return guarded_value('\0', [&] {
        if (!position || square < 0 || square > 63) return '\0';
        const Piece piece = position->get().at(square_at(square));
        return piece == Piece::None ? '\0' : to_char(piece);
    });
}

int rokada_position_in_check(const rokada_position* position) {
    return guarded_value(0, [&] { return position && position->get().in_check() ? 1 : 0; });
}

uint64_t rokada_position_key(const rokada_position* position) {
    return guarded_value<std::uint64_t>(0, [&] { return position ? position->get().key() : 0; });
}

rokada_board_status rokada_position_status(const rokada_position* position) {
    return guarded_value(ROKADA_PLAYING, [&] {
        if (!position) return ROKADA_PLAYING;
        const Game game(position->get());
        if (!game.over()) return ROKADA_PLAYING;
        switch (game.outcome()->reason) {
            case EndReason::Checkmate: return ROKADA_CHECKMATE;
            case EndReason::Stalemate: return ROKADA_STALEMATE;
            case EndReason::InsufficientMaterial: return ROKADA_INSUFFICIENT_MATERIAL;
            default: return ROKADA_PLAYING;  // counters are for games to judge
        }
    });
}

size_t rokada_position_legal_moves(const rokada_position* position, rokada_move* moves,
                                   size_t capacity) {
    return guarded_value<std::size_t>(0, [&]() -> std::size_t {
        if (!position) return 0;
        const MoveList list = legal_moves(position->get());
        if (moves)
            for (std::size_t i = 0; i < list.size() && i < capacity; ++i) moves[i] = list[i].bits();
        return list.size();
    });
}

int rokada_position_is_legal(const rokada_position* position, rokada_move move) {
    return guarded_value(
        0, [&] { return position && position->get().is_legal(move_of(move)) ? 1 : 0; });
}

rokada_error rokada_position_play(rokada_position* position, rokada_move move) {
    if (!position) return fail_null();
    return guarded([&] {
        const std::lock_guard lock(position->mutex);
        if (!position->position.is_legal(move_of(move)))
            return fail(ROKADA_ERROR_MOVE, "the move is not legal in this position");
        position->position.play(move_of(move));
        return ROKADA_OK;
    });
}

rokada_error rokada_position_perft(const rokada_position* position, int depth, uint64_t* leaves) {
    if (!position || !leaves) return fail_null();
    *leaves = 0;
    if (depth < 0 || depth > 20)
        return fail(ROKADA_ERROR_ARGUMENT, "a depth from 0 to 20 is needed");
    return guarded([&] {
        *leaves = Perft().count(position->get(), depth);
        return ROKADA_OK;
    });
}

rokada_error rokada_position_parse_uci(const rokada_position* position, const char* text,
                                       rokada_move* move) {
    return parse_move(position, text, move, parse_uci_move);
}

rokada_error rokada_position_parse_san(const rokada_position* position, const char* text,
                                       rokada_move* move) {
    return parse_move(position, text, move, parse_san);
}

size_t rokada_move_uci(const rokada_position* position, rokada_move move, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!position) return std::string();
        const Position p = position->get();
        return p.is_legal(move_of(move)) ? to_uci(move_of(move), castling_notation_for(p))
                                         : std::string();
    });
}

size_t rokada_move_san(const rokada_position* position, rokada_move move, char* text, size_t size) {
    return guarded_text(text, size, [&] {
        if (!position) return std::string();
        const Position p = position->get();
        return p.is_legal(move_of(move)) ? to_san(p, move_of(move)) : std::string();
    });
}
