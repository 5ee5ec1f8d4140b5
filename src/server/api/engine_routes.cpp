// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as a service: the best move, and what there is to know about a position.
#include <charconv>
#include <sstream>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "chess/notation/uci_move.hpp"
#include "chess/openings.hpp"
#include "engine/explain.hpp"
#include "net/json.hpp"
#include "server/api/api.hpp"
#include "server/api/game_json.hpp"

namespace rokada::server {
namespace {

using FieldErrors = std::vector<net::FieldError>;

std::optional<std::int64_t> read_number(const net::Request& request, std::string_view name,
                                        std::int64_t low, std::int64_t high, FieldErrors& errors) {
    const auto text = request.query_value(name);
    if (!text) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc{} || end != text->data() + text->size() || value < low || value > high) {
        errors.push_back(
            {std::string(name), "range",
             "A whole number from " + std::to_string(low) + " to " + std::to_string(high) + "."});
        return std::nullopt;
    }
    return value;
}

std::optional<Position> read_position(const net::Request& request, FieldErrors& errors) {
    const auto fen = request.query_value("fen");
    if (!fen) return Position();
    const auto position = parse_position(*fen);
    if (position) return *position;
    errors.push_back({"fen", "position", position.error().to_string()});
    return std::nullopt;
}

void write_score(JsonText& json, const PickedMove& picked) {
    json.name("score").open_object();
    json.optional_field("cp", picked.centipawns).optional_field("mate", picked.mate);
    json.close_object();
}

void best_move(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    FieldErrors errors;
    PickRequest wanted;
    const auto start = read_position(*request, errors);
    Position position = start.value_or(Position());
    wanted.start = position;
    if (const auto moves = request->query_value("moves"); moves && start) {
        std::istringstream words{std::string(*moves)};
        for (std::string word; words >> word;) {
            const auto move = parse_uci_move(position, word);
            if (!move) {
                errors.push_back({"moves", "illegal", word + ": " + move.error().message});
                break;
            }
            wanted.moves.push_back(*move);
            position.play(*move);
        }
    }
    if (const auto level = request->query_value("level")) {
        wanted.level = std::string(*level);
        if (wanted.level != "Easy" && wanted.level != "Medium" && wanted.level != "Hard" &&
            wanted.level != "Full")
            errors.push_back({"level", "choice", "Easy, Medium, Hard or Full."});
    }
    wanted.elo = static_cast<int>(read_number(*request, "elo", 400, 3200, errors).value_or(0));
    wanted.move_time = read_number(*request, "movetime", 1, 10'000, errors);
    if (const auto nodes = read_number(*request, "nodes", 1, 20'000'000, errors))
        wanted.nodes = static_cast<std::uint64_t>(*nodes);
    if (const auto depth = read_number(*request, "depth", 1, 30, errors))
        wanted.depth = static_cast<int>(*depth);
    if (!errors.empty()) return reply(responder, net::problem_for(errors));

    const std::string fen = to_fen(position);
    if (!has_legal_move(position)) {
        JsonText json;
        json.open_object().name("bestmove").null().field("fen", fen);
        return reply(responder, net::Response::json_text(200, json.close_object().take()));
    }
    const auto verdict = api.throttles->engine_address.take(request->remote.limit_key());
    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
    wanted.asked_by = request->remote.limit_key();
    auto holder = std::make_shared<std::unique_ptr<MovePicker::Ticket>>();
    auto ticket = api.picker->pick(
        std::move(wanted), [responder, position, fen, holder](const PickedMove& picked) {
            if (picked.cancelled || picked.move.none()) return reply(responder, overloaded());
            JsonText json;
            json.open_object().field("bestmove", to_uci(picked.move));
            json.field("san", to_san(position, picked.move));
            if (picked.ponder) json.field("ponder", to_uci(picked.ponder));
            json.field("fen", fen);
            write_score(json, picked);
            json.field("depth", picked.depth).field("nodes", picked.nodes);
            json.field("time_ms", picked.time).name("pv").open_array();
            for (const Move move : picked.line) json.value(to_uci(move));
            json.close_array().close_object();
            reply(responder, net::Response::json_text(200, json.take()));
        });
    if (!ticket) return reply(responder, overloaded());
    *holder = std::move(ticket);
}

// The classical evaluation: only that one has terms. Each is weighted by how much is on the board.
void write_evaluation(JsonText& json, const Position& position) {
    const engine::Explanation explained = engine::explain(position);
    const auto weighted = [&explained](engine::Centipawns value) {
        return (value.middlegame * explained.phase_percent +
                value.endgame * (100 - explained.phase_percent)) /
               100.0;
    };
    json.name("evaluation").open_object().field("cp", explained.centipawns);
    json.name("terms").open_array();
    for (const engine::ExplainedTerm& term : explained.terms) {
        json.open_object().field("name", term.group + ": " + term.name);
        json.field("white", weighted(term.value[Color::White]));
        json.field("black", weighted(term.value[Color::Black])).close_object();
    }
    json.close_array().close_object();
}

void position_info(const net::RequestPtr& request, const net::Responder& responder) {
    FieldErrors errors;
    const auto position = read_position(*request, errors);
    if (!position) return reply(responder, net::problem_for(errors));
    JsonText json;
    json.open_object().field("fen", to_fen(*position)).field("turn", word(position->turn()));
    json.field("key", KeyText(position->key()).view()).field("check", position->in_check());
    json.name("legal").open_array();
    for (const Move move : legal_moves(*position)) {
        json.open_object().field("uci", to_uci(move)).field("san", to_san(*position, move));
        json.close_object();
    }
    json.close_array();
    const Game game(*position, DrawRule::Claim);
    std::string status = "playing";
    if (game.over() && game.outcome()->reason == EndReason::Checkmate) status = "checkmate";
    if (game.over() && game.outcome()->reason == EndReason::Stalemate) status = "stalemate";
    if (game.over() && game.outcome()->reason == EndReason::InsufficientMaterial)
        status = "insufficient_material";
    json.field("status", status);
    if (const auto opening = find_opening(*position))
        json.name("opening")
            .open_object()
            .field("eco", opening->code)
            .field("name", opening->name)
            .close_object();
    if (!game.over()) write_evaluation(json, *position);
    json.close_object();
    reply(responder, net::Response::json_text(200, json.take()));
}

}  // namespace

void add_engine_routes(net::Router& router, ApiServices& api) {
    router.get("/api/v1/bestmove",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   best_move(api, request, responder);
               });
    router.get("/api/v1/position",
               [](const net::RequestPtr& request, const net::Responder& responder) {
                   position_info(request, responder);
               });
}

}  // namespace rokada::server
