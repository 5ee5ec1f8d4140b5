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

void create_and_answer(ApiServices& api, const net::Responder& responder, GameRecord record,
                       const Identity& me, const Finish& finish) {
    api.games->create(std::move(record), [&api, responder, me, finish](
                                             const std::shared_ptr<GameActor>& actor,
                                             const std::optional<Refusal>& refusal) {
        if (refusal) return reply(responder, finish(refusal_response(*refusal)));
        actor->look([&api, responder, me, finish](const LiveGame& game) {
            reply(responder, finish(net::Response::json_text(
                                        201, game_json(game, me.player_id, api.time->now().steady))
                                        .with("Location", "/api/v1/games/" + game.record().id)));
        });
    });
}

void create_game(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    const auto body = net::parse_json(request->body);
    if (!body) return reply(responder, net::problem_for(body.error()));
    const auto wanted = read_new_game(*body, *api.random);
    if (!wanted) return reply(responder, net::problem_for(wanted.error()));
    with_player(api, request, responder,
                [&api, responder, wanted = *wanted](const Identity& me, const Finish& finish) {
                    const auto verdict = api.throttles->new_game.take(me.player_id);
                    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
                    GameRecord record = make_record(wanted, me, *api.random);
                    if (wanted.username.empty())
                        return create_and_answer(api, responder, std::move(record), me, finish);
                    on_pool(*api.workers, responder, [&api, responder, record, wanted, me, finish] {
                        GameRecord challenge = record;
                        if (const auto refusal = invite(api, challenge, me, wanted.username))
                            return reply(responder, finish(refusal_response(*refusal)));
                        create_and_answer(api, responder, std::move(challenge), me, finish);
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

void list_challenges(ApiServices& api, const net::RequestPtr& request,
                     const net::Responder& responder) {
    with_identity(api, request, responder, [&api, responder](const Identity& me) {
        on_pool(*api.workers, responder, [&api, responder, me] {
            std::vector<GameRecord> found;
            if (me.known())
                found = api.store->read([&me](Session& session) {
                    return games_table::challenges_of(session, me.player_id);
                });
            JsonText json;
            json.open_object();
            for (const bool received : {true, false}) {
                json.name(received ? "received" : "sent").open_array();
                for (const GameRecord& game : found)
                    if ((game.invited == me.player_id) == received)
                        write_game_summary(json, game, me.player_id);
                json.close_array();
            }
            reply(responder, net::Response::json_text(200, json.close_object().take()));
        });
    });
}

}  // namespace

std::optional<Refusal> invite(ApiServices& api, GameRecord& record, const Identity& maker,
                              const std::string& username) {
    const auto user = api.accounts->find_user(username);
    if (!user || user->disabled) return Refusal{404, "no_such_user", "There is no such user."};
    if (user->id == maker.player_id)
        return Refusal{422, "own_game", "You cannot challenge yourself."};
    const auto open = api.store->read(
        [&](Session& session) { return games_table::challenges_of(session, maker.player_id); });
    constexpr int kMostToOne = 5;
    int same = 0;
    for (const GameRecord& game : open) same += game.invited == user->id ? 1 : 0;
    if (same >= kMostToOne)
        return Refusal{409, "too_many_challenges", "They have not answered the last ones yet."};
    record.invited = user->id;
    record.invited_name = user->name;
    record.invited_bot = user->bot;
    // Programs do not press the claim button.
    if (user->bot || maker.bot) record.settings.auto_draw = true;
    return std::nullopt;
}

void add_game_routes(net::Router& router, ApiServices& api) {
    router.post("/api/v1/games",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    create_game(api, request, responder);
                });
    router.get("/api/v1/games",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   list_games(api, request, responder);
               });
    router.get("/api/v1/challenges",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   list_challenges(api, request, responder);
               });
    router.get("/api/v1/games/{id}", [&api](const net::RequestPtr& request,
                                            const net::Responder& responder) {
        with_game(
            api, request, responder, [&api, responder](const LiveGame& game, const Identity& me) {
                reply(responder, net::Response::json_text(
                                     200, game_json(game, me.player_id, api.time->now().steady)));
            });
    });
    router.get("/api/v1/games/{id}.pgn", [&api](const net::RequestPtr& request,
                                                const net::Responder& responder) {
        with_game(
            api, request, responder, [request, responder](const LiveGame& game, const Identity&) {
                reply(responder, net::Response::bytes(200, "application/x-chess-pgn; charset=utf-8",
                                                      game_pgn(game, visited_address(*request))));
            });
    });
}

}  // namespace rokada::server
