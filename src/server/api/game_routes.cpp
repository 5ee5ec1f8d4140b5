// SPDX-License-Identifier: GPL-3.0-or-later
// Create, read and list games.
#include "net/json.hpp"
#include "server/api/api.hpp"
#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/api/new_game.hpp"
#include "server/app/settings.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

void create_game(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    const auto body = net::parse_json(request->body);
    if (!body) return reply(responder, net::problem_for(body.error()));
    const auto wanted = read_new_game(*body, *api.random);
    if (!wanted) return reply(responder, net::problem_for(wanted.error()));
    with_player(
        api, request, responder,
        [&api, responder, wanted = *wanted](const Identity& me, const Finish& finish) {
            const auto verdict = api.throttles->new_game.take(me.player_id);
            if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
            api.games->create(
                make_record(wanted, me, *api.random),
                [&api, responder, me, finish](const std::shared_ptr<GameActor>& actor,
                                              const std::optional<Refusal>& refusal) {
                    if (refusal) return reply(responder, finish(refusal_response(*refusal)));
                    actor->look([&api, responder, me, finish](const LiveGame& game) {
                        reply(responder,
                              finish(net::Response::json_text(
                                         201, game_json(game, me.player_id, api.time->now().steady))
                                         .with("Location", "/api/v1/games/" + game.record().id)));
                    });
                });
        });
}

// created_at and id of the last row, as "1893456000000-aB3dE5gH7j".
bool read_cursor(std::string_view text, GameQuery& query) {
    const std::size_t dash = text.find('-');
    if (dash == 0 || dash > 15 || dash == std::string_view::npos || text.size() - dash != 11)
        return false;
    Millis before = 0;
    for (const char c : text.substr(0, dash)) {
        if (c < '0' || c > '9') return false;
        before = before * 10 + (c - '0');
    }
    query.before = before;
    query.before_id = std::string(text.substr(dash + 1));
    return true;
}

// The query as asked for, or the complaint.
Result<GameQuery, net::FieldError> read_query(const net::Request& request) {
    GameQuery query;
    const auto state = request.query_value("state").value_or("any");
    if (state == "playing") {
        query.state = GameQuery::State::Playing;
    } else if (state == "finished") {
        query.state = GameQuery::State::Finished;
    } else if (state != "any") {
        return Error{net::FieldError{"state", "choice", "any, playing or finished"}};
    }
    if (const auto limit = request.query_value("limit")) {
        int value = 0;
        for (const char c : *limit)
            value = c >= '0' && c <= '9' && value < 1000 ? value * 10 + (c - '0') : 1000;
        if (limit->empty() || value < 1 || value > 100)
            return Error{net::FieldError{"limit", "range", "1 to 100"}};
        query.limit = value;
    }
    if (const auto after = request.query_value("after"))
        if (!read_cursor(*after, query))
            return Error{net::FieldError{"after", "format", "Not a cursor of this list."}};
    return query;
}

void list_games(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    auto query = read_query(*request);
    const std::string scope(request->query_value("scope").value_or("latest"));
    if (query && scope != "latest" && scope != "mine")
        query = Error{net::FieldError{"scope", "choice", "latest or mine"}};
    if (!query) return reply(responder, net::problem_for(std::vector{query.error()}));
    with_identity(
        api, request, responder,
        [&api, request, responder, scope, query = *query](const Identity& me) mutable {
            on_pool(
                *api.workers, responder, [&api, request, responder, scope, query, me]() mutable {
                    std::vector<GameRecord> games;
                    bool nobody =
                        scope == "latest" && !me.admin && !api.settings->get().public_lists;
                    if (scope == "mine") {
                        query.player_id = me.player_id;
                        nobody = !me.known();
                    } else if (const auto player = request->query_value("player")) {
                        const auto user = api.accounts->find_user(std::string(*player));
                        nobody = nobody || !user;
                        if (user) query.player_id = user->id;
                        query.public_only = !user || user->id != me.player_id;
                    }
                    if (!nobody)
                        games = api.store->read([&query](Session& session) {
                            return games_table::list(session, query);
                        });
                    JsonText json;
                    json.open_object().name("games").open_array();
                    for (const GameRecord& game : games)
                        write_game_summary(json, game, me.player_id);
                    json.close_array().name("next");
                    if (static_cast<int>(games.size()) == query.limit) {
                        json.value(std::to_string(games.back().created_at) + "-" + games.back().id);
                    } else {
                        json.null();
                    }
                    reply(responder, net::Response::json_text(200, json.close_object().take()));
                });
        });
}

}  // namespace

void add_game_routes(net::Router& router, ApiServices& api) {
    router.post("/api/v1/games",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    create_game(api, request, responder);
                });
    router.get("/api/v1/games",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   list_games(api, request, responder);
               });
    router.get("/api/v1/games/{id}", [&api](const net::RequestPtr& request,
                                            const net::Responder& responder) {
        with_game(api, request, responder,
                  [&api, responder](const std::shared_ptr<GameActor>&, const LiveGame& game,
                                    const Identity& me) {
                      reply(responder,
                            net::Response::json_text(
                                200, game_json(game, me.player_id, api.time->now().steady)));
                  });
    });
    router.get("/api/v1/games/{id}.pgn",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   with_game(api, request, responder,
                             [request, responder](const std::shared_ptr<GameActor>&,
                                                  const LiveGame& game, const Identity&) {
                                 reply(responder, net::Response::bytes(
                                                      200, "application/x-chess-pgn; charset=utf-8",
                                                      game_pgn(game, visited_address(*request))));
                             });
               });
}

}  // namespace rokada::server
