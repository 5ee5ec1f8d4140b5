// SPDX-License-Identifier: GPL-3.0-or-later
// Who the bot is, what it plays, who else is there; making an account a bot account.
#include "net/json.hpp"
#include "server/api/game_access.hpp"
#include "server/api/game_json.hpp"
#include "server/api/lichess_access.hpp"
#include "server/app/administration.hpp"
#include "server/store/admin_table.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server::lichess {
namespace {

bool online(const ApiServices& api, const UserRecord& user) {
    return api.bus->wanted("player:" + user.id);
}

std::string account_of(ApiServices& api, const net::Request& request, const UserRecord& user) {
    const auto count = api.store->read(
        [&user](Session& session) { return games_table::statistics(session, user.id); });
    return account(user.name, user.bot, user.created_at, count, visited_address(request));
}

void own_account(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    with_token(
        api, request, responder, Needs::Token, [&api, request, responder](const Identity& me) {
            on_pool(*api.workers, responder, [&api, request, responder, me] {
                const auto user = api.accounts->find_user(me.name);
                if (!user) return reply(responder, failure(401, "No such token"));
                reply(responder, net::Response::json_text(200, account_of(api, *request, *user)));
            });
        });
}

void other_account(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder) {
    on_pool(*api.workers, responder, [&api, request, responder] {
        const auto user = api.accounts->find_user(std::string(request->param("name")));
        reply(responder, user ? net::Response::json_text(200, account_of(api, *request, *user))
                              : failure(404, "No such user"));
    });
}

void upgrade(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    with_token(api, request, responder, Needs::TokenToPlay, [&api, responder](const Identity& me) {
        if (!me.allows("bot:play"))
            return reply(responder, failure(403, "Missing scope: bot:play"));
        if (me.bot) return reply(responder, fine());
        on_pool(*api.workers, responder, [&api, responder, me] {
            const auto count = api.store->read(
                [&me](Session& session) { return games_table::statistics(session, me.player_id); });
            if (count.finished + count.playing > 0)
                return reply(responder,
                             failure(400, "An account that has played cannot become a bot"));
            if (const auto problem = api.administration->set_bot(me.name, me.name, true))
                return reply(responder, failure(400, problem->message));
            reply(responder, fine());
        });
    });
}

void playing(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    with_token(api, request, responder, Needs::TokenToRead, [&api, responder](const Identity& me) {
        on_pool(*api.workers, responder, [&api, responder, me] {
            GameQuery query;
            query.player_id = me.player_id;
            query.state = GameQuery::State::Playing;
            query.limit = 50;
            JsonText json;
            json.open_object().name("nowPlaying").open_array();
            api.store->read_settled([&](Session& session) {
                for (const GameRecord& row : games_table::list(session, query)) {
                    auto whole = games_table::find(session, row.id);
                    if (!whole || whole->status != GameStatus::Playing) continue;
                    const Moment now = api.time->now();
                    if (const auto game = LiveGame::load(std::move(*whole), now))
                        json.raw(game_info(*game, me.player_id, now.steady));
                }
            });
            reply(responder,
                  net::Response::json_text(200, json.close_array().close_object().take()));
        });
    });
}

// Whose tokens these are; not a secret from whoever holds them.
void test_tokens(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    const auto verdict = api.throttles->login_address.take(request->remote.limit_key());
    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
    on_pool(*api.workers, responder, [&api, request, responder] {
        JsonText json;
        json.open_object();
        std::string_view rest = request->body;
        constexpr int kMost = 50;
        for (int i = 0; i < kMost && !rest.empty(); ++i) {
            const std::string token(rest.substr(0, rest.find(',')));
            rest.remove_prefix(std::min(rest.size(), token.size() + 1));
            Visit visit;
            visit.bearer = true;
            visit.token = token;
            const Identity owner = api.accounts->identify(visit);
            json.name(token);
            if (!owner.known()) {
                json.null();
                continue;
            }
            std::string scopes = owner.scopes;
            for (char& c : scopes) c = c == ' ' ? ',' : c;
            json.open_object().field("userId", user_id(owner.name)).field("scopes", scopes);
            json.name("expires").null().close_object();
        }
        reply(responder, net::Response::json_text(200, json.close_object().take()));
    });
}

void user_status(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    on_pool(*api.workers, responder, [&api, request, responder] {
        JsonText json;
        json.open_array();
        std::string_view rest = request->query_value("ids").value_or("");
        constexpr int kMost = 100;
        for (int i = 0; i < kMost && !rest.empty(); ++i) {
            const std::string name(rest.substr(0, rest.find(',')));
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
            const auto user = api.accounts->find_user(name);
            if (!user) continue;
            json.open_object().field("id", user_id(user->name)).field("name", user->name);
            if (user->bot) json.field("title", "BOT");
            if (online(api, *user)) json.field("online", true);
            json.close_object();
        }
        reply(responder, net::Response::json_text(200, json.close_array().take()));
    });
}

void online_bots(ApiServices& api, const net::RequestPtr& request,
                 const net::Responder& responder) {
    on_pool(*api.workers, responder, [&api, request, responder] {
        std::string lines;
        const auto users = api.store->read(
            [](Session& session) { return admin_table::users(session, "", 10'000); });
        for (const UserRecord& user : users)
            if (user.bot && !user.disabled && online(api, user))
                lines += account_of(api, *request, user) + "\n";
        reply(responder,
              net::Response::bytes(200, "application/x-ndjson", net::share(std::move(lines))));
    });
}

}  // namespace

void add_account_routes(net::Router& router, ApiServices& api) {
    const auto get = [&router, &api](const char* path, auto handler) {
        router.get(
            path, [&api, handler](const net::RequestPtr& request, const net::Responder& responder) {
                handler(api, request, responder);
            });
    };
    get("/api/account", own_account);
    get("/api/account/playing", playing);
    get("/api/user/{name}", other_account);
    get("/api/users/status", user_status);
    get("/api/bot/online", online_bots);
    get("/game/export/{id}",
        [](ApiServices& services, const net::RequestPtr& request, const net::Responder& responder) {
            with_game(services, request, responder,
                      [request, responder](const LiveGame& game, const Identity&) {
                          reply(responder,
                                net::Response::bytes(200, "application/x-chess-pgn; charset=utf-8",
                                                     game_pgn(game, visited_address(*request))));
                      });
        });
    router.post("/api/bot/account/upgrade",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    upgrade(api, request, responder);
                },
                {1024});
    router.post("/api/token/test",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    test_tokens(api, request, responder);
                },
                {8192});
}

}  // namespace rokada::server::lichess
