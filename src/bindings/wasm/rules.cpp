// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the rules module; rokada.ts gives them types.
#include <array>
#include <utility>

#include "bindings/wasm/exchange.hpp"
#include "bindings/wasm/json.hpp"
#include "bindings/wasm/reports.hpp"
#include "chess/game.hpp"
#include "chess/illegal.hpp"
#include "chess/material.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/openings.hpp"

namespace rokada::wasm {

namespace {

Square read_square(std::string_view text) {
    return text.size() == 2 ? parse_square(text[0], text[1]) : Square::None;
}

void write_outcome(Json& json, const Game& game) {
    json.key("outcome");
    if (const auto& outcome = game.outcome()) {
        json.begin_object();
        json.key("winner");
        if (outcome->winner) {
            json.value(side_name(*outcome->winner));
        } else {
            json.null();
        }
        json.field("reason", to_string(outcome->reason));
        json.end_object();
    } else {
        json.null();
    }
    json.key("claim");
    if (const auto claim = game.claimable_draw()) {
        json.value(to_string(*claim));
    } else {
        json.null();
    }
    json.field("repetitions", game.repetitions());
}

void write_opening(Json& json, const Game& game) {
    json.key("opening");
    if (const auto opening = find_opening(game)) {
        json.begin_object();
        json.field("code", opening->code);
        json.field("name", opening->name);
        json.end_object();
    } else {
        json.null();
    }
}

std::uint32_t replay(std::uint32_t size) {
    const auto in = fields(size, 3);
    const auto start = parse_position(in[0]);
    if (!start) return answer_error(start.error().to_string());
    Game game(start.value(), in[2] == "1" ? DrawRule::Automatic : DrawRule::Claim);
    std::vector<std::string> san;
    std::vector<std::string> fens{to_fen(game.position())};
    std::string_view rest = in[1];
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        const auto move = parse_uci_move(game.position(), word);
        if (!move) return answer_error(std::string(word) + ": " + move.error().message);
        san.push_back(to_san(game.position(), move.value()));
        if (!game.play(move.value())) return answer_error(std::string(word) + ": the game is over");
        fens.push_back(to_fen(game.position()));
    }
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.key("san");
    json.begin_array();
    for (const auto& text : san) json.value(text);
    json.end_array();
    json.key("fens");
    json.begin_array();
    for (const auto& text : fens) json.value(text);
    json.end_array();
    json.key("position");
    json.begin_object();
    write_position(json, game.position());
    json.end_object();
    write_outcome(json, game);
    write_opening(json, game);
    json.end_object();
    return answer(json.take());
}

std::uint32_t position(std::uint32_t size) {
    const auto in = fields(size, 1);
    const auto read = parse_position(in[0]);
    if (!read) return answer_error(read.error().message);
    Json json;
    json.begin_object();
    json.field("ok", true);
    write_position(json, read.value());
    json.end_object();
    return answer(json.take());
}

std::uint32_t explain(std::uint32_t size) {
    const auto in = fields(size, 3);
    const auto read = parse_position(in[0]);
    if (!read) return answer_error(read.error().message);
    const Square from = read_square(in[1]);
    const Square to = read_square(in[2]);
    if (from == Square::None || to == Square::None) return answer_error("not a square");
    const Position& position = read.value();
    // Any promotion will do: the person has not chosen a piece yet.
    auto illegal = explain_illegal(position, from, to);
    if (illegal && illegal->reason == IllegalReason::PromotionPieceNeeded)
        illegal = explain_illegal(position, from, to, PieceType::Queen);
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("code", illegal ? to_string(illegal->reason) : std::string_view("legal"));
    json.key("at");
    write_squares(json, illegal ? illegal->at : Bitboard());
    json.key("by");
    write_squares(json, illegal ? illegal->by : Bitboard());
    json.end_object();
    return answer(json.take());
}

// Whether a side could still mate with the opponent's help: what a fallen flag means.
std::uint32_t can_mate(std::uint32_t size) {
    const auto in = fields(size, 2);
    const auto read = parse_position(in[0]);
    if (!read) return answer_error(read.error().message);
    if (in[1] != "white" && in[1] != "black") return answer_error("white or black");
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("able", can_ever_mate(read.value(), in[1] == "white" ? Color::White : Color::Black));
    json.end_object();
    return answer(json.take());
}

std::uint32_t read_move(std::uint32_t size) {
    const auto in = fields(size, 2);
    const auto read = parse_position(in[0]);
    if (!read) return answer_error(read.error().message);
    const auto move = parse_san(read.value(), in[1]);
    if (!move) return answer_error(move.error().message);
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("uci", write_uci(read.value(), move.value()));
    json.field("san", to_san(read.value(), move.value()));
    json.end_object();
    return answer(json.take());
}

std::uint32_t chess960(std::uint32_t size) {
    const auto in = fields(size, 1);
    int number = 0;
    for (const char c : in[0]) {
        if (c < '0' || c > '9' || number > 959) return answer_error("not a number from 0 to 959");
        number = number * 10 + (c - '0');
    }
    if (in[0].empty() || number > 959) return answer_error("not a number from 0 to 959");
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("fen", to_fen(Setup::chess960(number)));
    json.end_object();
    return answer(json.take());
}

// Every reason why a setup is no legal position, as words.
constexpr std::array<std::pair<SetupError, std::string_view>, 9> kSetupWords{{
    {SetupError::KingCount, "king-count"},
    {SetupError::PawnOnBackRank, "pawn-on-back-rank"},
    {SetupError::TooManyPawns, "too-many-pawns"},
    {SetupError::TooManyPieces, "too-many-pieces"},
    {SetupError::OpponentInCheck, "opponent-in-check"},
    {SetupError::TooManyCheckers, "too-many-checkers"},
    {SetupError::CastlingRight, "castling-right"},
    {SetupError::EnPassantSquare, "en-passant-square"},
    {SetupError::EnPassantCheck, "en-passant-check"},
}};

std::uint32_t check_setup(std::uint32_t size) {
    const auto in = fields(size, 1);
    const auto setup = parse_fen(in[0]);
    if (!setup) return answer_error(setup.error().to_string());
    const SetupErrors errors = check(setup.value());
    Json json;
    json.begin_object();
    json.field("ok", true);
    json.field("fen", to_fen(setup.value()));
    json.key("problems");
    json.begin_array();
    for (const auto& [error, word] : kSetupWords)
        if (errors.has(error)) json.value(word);
    json.end_array();
    json.end_object();
    return answer(json.take());
}

}  // namespace

ROKADA_EXPORT(rokada_check_setup) std::uint32_t rokada_check_setup(std::uint32_t size) {
    return check_setup(size);
}
ROKADA_EXPORT(rokada_replay) std::uint32_t rokada_replay(std::uint32_t size) {
    return replay(size);
}
ROKADA_EXPORT(rokada_position) std::uint32_t rokada_position(std::uint32_t size) {
    return position(size);
}
ROKADA_EXPORT(rokada_explain) std::uint32_t rokada_explain(std::uint32_t size) {
    return explain(size);
}
ROKADA_EXPORT(rokada_can_mate) std::uint32_t rokada_can_mate(std::uint32_t size) {
    return can_mate(size);
}
ROKADA_EXPORT(rokada_read_move) std::uint32_t rokada_read_move(std::uint32_t size) {
    return read_move(size);
}
ROKADA_EXPORT(rokada_chess960) std::uint32_t rokada_chess960(std::uint32_t size) {
    return chess960(size);
}

}  // namespace rokada::wasm
