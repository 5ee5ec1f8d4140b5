// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own account: password, sessions, recovery, second factor, tokens, export, deletion.
#include "net/json.hpp"
#include "server/api/account_export.hpp"
#include "server/api/account_json.hpp"
#include "server/api/api.hpp"
#include "server/api/game_json.hpp"
#include "server/api/json_text.hpp"
#include "server/app/account_care.hpp"
#include "server/app/totp.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

// Goes on with a logged-in user of a browser; tokens cannot change the account they belong to.
void with_user(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               net::WorkerPool& pool, std::function<void(const Identity&)> next) {
    with_identity(
        api, request, responder, [responder, &pool, next = std::move(next)](const Identity& me) {
            if (me.kind != Identity::Kind::User)
                return reply(responder, net::problem(401, "not_logged_in", "Log in first."));
            if (me.by_token)
                return reply(responder,
                             net::problem(403, "token_not_allowed", "Do this in the browser."));
            on_pool(pool, responder, [me, next] { next(me); });
        });
}

// The same where a password or a code proves who it is: it may be tried as often as a login, whatever the question.
void with_secret(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                 std::function<void(const Identity&)> next) {
    with_user(api, request, responder, *api.hashing,
              [&api, responder, next = std::move(next)](const Identity& me) {
                  const auto verdict = api.throttles->login_account.take(me.player_id);
                  if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
                  next(me);
              });
}

void answer_outcome(const net::Responder& responder, const AccountCare::Outcome& outcome) {
    reply(responder, outcome ? account_problem(*outcome) : net::Response(204));
}

constexpr net::TextRules kPassword{.min_bytes = 0, .max_bytes = 2048};
constexpr net::TextRules kCode{.min_bytes = 0, .max_bytes = 64};

void write_token(JsonText& json, const ApiTokenRecord& token) {
    json.field("id", token.id).field("name", token.name).field("scopes", token.scopes);
    json.field("created_at", time_text(token.created_at));
    if (token.last_used_at != 0) json.field("last_used_at", time_text(token.last_used_at));
    if (token.expires_at != 0) json.field("expires_at", time_text(token.expires_at));
}

void send_sessions(ApiServices& api, const net::Responder& responder, const Identity& me) {
    JsonText json;
    json.open_object().name("sessions").open_array();
    for (const SessionRecord& session : api.care->sessions(me)) {
        json.open_object().field("id", session.id).field("agent", session.agent);
        json.field("address", session.address).field("current", session.id == me.session_id);
        json.field("created_at", time_text(session.created_at));
        json.field("last_used_at", time_text(session.last_used_at)).close_object();
    }
    reply(responder, net::Response::json_text(200, json.close_array().close_object().take()));
}

// Everything the server knows about the user; games in PGN as well.
void send_export(ApiServices& api, const net::Request& request, const net::Responder& responder,
                 const Identity& me) {
    JsonText json;
    json.open_object().name("account").open_object().field("username", me.name);
    json.field("id", me.player_id).field("created_at", time_text(me.created_at)).close_object();
    json.name("sessions").open_array();
    for (const SessionRecord& session : api.care->sessions(me)) {
        json.open_object().field("agent", session.agent).field("address", session.address);
        json.field("created_at", time_text(session.created_at)).close_object();
    }
    json.close_array().name("tokens").open_array();
    for (const ApiTokenRecord& token : api.care->tokens(me)) {
        json.open_object();
        write_token(json, token);
        json.close_object();
    }
    json.close_array().name("games").open_array();
    GameQuery query;
    query.player_id = me.player_id;
    query.limit = 100;
    std::string pgn;
    ExportBesideGames beside;
    for (;;) {
        const auto page = api.store->read_settled(
            [&](Session& session) { return games_table::list(session, query); });
        for (const GameRecord& row : page) {
            auto whole = api.store->read_settled(
                [&](Session& session) { return games_table::find(session, row.id); });
            if (!whole) continue;
            const Moment now = api.time->now();
            const auto game = LiveGame::load(std::move(*whole), now);
            if (!game) continue;
            json.raw(game_json(*game, me.player_id, now.steady));
            beside.add_game(*api.store, row.id);
            pgn += game_pgn(*game, visited_address(request)) + "\n";
        }
        if (static_cast<int>(page.size()) < query.limit) break;
        query.before = page.back().created_at;
        query.before_id = page.back().id;
    }
    json.close_array().field("pgn", pgn);
    beside.write(json, *api.store, me);
    json.close_object();
    reply(responder,
          net::Response::json_text(200, json.take())
              .with("Content-Disposition", "attachment; filename=\"rokada-export.json\""));
}

void add_session_routes(net::Router& router, ApiServices& api) {
    router.get("/api/v1/me/sessions", [&api](const net::RequestPtr& request,
                                             const net::Responder& responder) {
        with_user(api, request, responder, *api.workers,
                  [&api, responder](const Identity& me) { send_sessions(api, responder, me); });
    });
    router.del("/api/v1/me/sessions/{id}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   with_user(api, request, responder, *api.workers,
                             [&api, request, responder](const Identity& me) {
                                 const std::string id(request->param("id"));
                                 if (id == "others") {
                                     api.care->end_other_sessions(me);
                                     return reply(responder, net::Response(204));
                                 }
                                 reply(responder, api.care->end_session(me, id)
                                                      ? net::Response(204)
                                                      : net::problem(404, "not_found"));
                             });
               },
               {0});
}

void add_token_routes(net::Router& router, ApiServices& api) {
    router.get("/api/v1/me/tokens", [&api](const net::RequestPtr& request,
                                           const net::Responder& responder) {
        with_user(api, request, responder, *api.workers, [&api, responder](const Identity& me) {
            JsonText json;
            json.open_object().name("tokens").open_array();
            for (const ApiTokenRecord& token : api.care->tokens(me)) {
                json.open_object();
                write_token(json, token);
                json.close_object();
            }
            reply(responder,
                  net::Response::json_text(200, json.close_array().close_object().take()));
        });
    });
    router.post("/api/v1/me/tokens", [&api](const net::RequestPtr& request,
                                            const net::Responder& responder) {
        std::string name, scopes;
        std::int64_t days = 0;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                name = body.text("name", {.min_bytes = 1, .max_bytes = 64});
                for (const std::string& scope :
                     body.texts("scopes", 8, {.min_bytes = 1, .max_bytes = 16})) {
                    if (scope != "play" && scope != "bot:play" && scope != "engine" &&
                        scope != "read")
                        body.complain("scopes", "choice", "play, bot:play, engine or read");
                    scopes += (scopes.empty() ? "" : " ") + scope;
                }
                days = body.optional_integer("days", 1, 3650).value_or(0);
            }))
            return;
        with_user(api, request, responder, *api.workers,
                  [&api, responder, name, scopes, days](const Identity& me) {
                      if (api.care->tokens(me).size() >= 50)
                          return reply(responder, net::problem(409, "too_many_tokens",
                                                               "Delete a token first."));
                      const auto made = api.care->make_token(me, name, scopes, days * 86'400'000);
                      JsonText json;
                      json.open_object();
                      write_token(json, made.record);
                      json.field("token", made.token).close_object();
                      reply(responder, net::Response::json_text(201, json.take()));
                  });
    });
    router.del("/api/v1/me/tokens/{id}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   with_user(api, request, responder, *api.workers,
                             [&api, request, responder](const Identity& me) {
                                 reply(responder,
                                       api.care->delete_token(me, std::string(request->param("id")))
                                           ? net::Response(204)
                                           : net::problem(404, "not_found"));
                             });
               },
               {0});
}

void add_totp_routes(net::Router& router, ApiServices& api) {
    router.get(
        "/api/v1/me/totp", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            with_user(api, request, responder, *api.workers, [&api, responder](const Identity& me) {
                JsonText json;
                json.open_object().field("on", api.care->has_totp(me)).close_object();
                reply(responder, net::Response::json_text(200, json.take()));
            });
        });
    router.post(
        "/api/v1/me/totp", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            std::string password;
            if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                    password = body.text("password", kPassword);
                }))
                return;
            with_secret(api, request, responder, [&api, responder, password](const Identity& me) {
                const auto secret = api.care->begin_totp(me, password);
                if (!secret) return reply(responder, account_problem(secret.error()));
                JsonText json;
                json.open_object().field("secret", *secret);
                json.field("uri", totp_uri(*secret, me.name)).close_object();
                reply(responder, net::Response::json_text(200, json.take()));
            });
        });
    router.post("/api/v1/me/totp/confirm", [&api](const net::RequestPtr& request,
                                                  const net::Responder& responder) {
        std::string code;
        if (!read_fields(*request, responder,
                         [&](net::ObjectReader& body) { code = body.text("code", kCode); }))
            return;
        with_secret(api, request, responder, [&api, responder, code](const Identity& me) {
            answer_outcome(responder, api.care->confirm_totp(me, code));
        });
    });
    router.post("/api/v1/me/totp/remove", [&api](const net::RequestPtr& request,
                                                 const net::Responder& responder) {
        std::string password, code;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                password = body.text("password", kPassword);
                code = body.text("code", kCode);
            }))
            return;
        with_secret(api, request, responder, [&api, responder, password, code](const Identity& me) {
            answer_outcome(responder, api.care->remove_totp(me, password, code));
        });
    });
}

void add_password_routes(net::Router& router, ApiServices& api) {
    router.post("/api/v1/me/password", [&api](const net::RequestPtr& request,
                                              const net::Responder& responder) {
        std::string current, password;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                current = body.text("current", kPassword);
                password = body.text("password", kPassword);
            }))
            return;
        with_secret(api, request, responder,
                    [&api, responder, current, password](const Identity& me) {
                        answer_outcome(responder, api.care->change_password(me, current, password));
                    });
    });
    router.post("/api/v1/me/recovery-codes", [&api](const net::RequestPtr& request,
                                                    const net::Responder& responder) {
        std::string password;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                password = body.text("password", kPassword);
            }))
            return;
        with_secret(api, request, responder, [&api, responder, password](const Identity& me) {
            const auto codes = api.care->make_recovery_codes(me, password);
            if (!codes) return reply(responder, account_problem(codes.error()));
            JsonText json;
            json.open_object().field("codes", *codes).close_object();
            reply(responder, net::Response::json_text(200, json.take()));
        });
    });
    router.post("/api/v1/recover",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    std::string username, code, password;
                    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                            username = body.text("username", {.min_bytes = 0, .max_bytes = 512});
                            code = body.text("code", kCode);
                            password = body.text("password", kPassword);
                        }))
                        return;
                    for (const auto& verdict :
                         {api.throttles->login_address.take(request->remote.limit_key()),
                          api.throttles->login_account.take(login_throttle_key(username))})
                        if (!verdict.allowed)
                            return reply(responder, too_many(verdict.retry_after));
                    on_pool(*api.hashing, responder, [&api, responder, username, code, password] {
                        answer_outcome(responder, api.care->recover(username, code, password));
                    });
                });
}

}  // namespace

void add_account_care_routes(net::Router& router, ApiServices& api) {
    add_password_routes(router, api);
    add_session_routes(router, api);
    add_totp_routes(router, api);
    add_token_routes(router, api);
    router.get("/api/v1/me/export",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   with_user(api, request, responder, *api.workers,
                             [&api, request, responder](const Identity& me) {
                                 send_export(api, *request, responder, me);
                             });
               });
    router.post("/api/v1/me/delete", [&api](const net::RequestPtr& request,
                                            const net::Responder& responder) {
        std::string password;
        if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
                password = body.text("password", kPassword);
            }))
            return;
        with_secret(
            api, request, responder, [&api, request, responder, password](const Identity& me) {
                const auto outcome = api.care->delete_account(me, password);
                reply(responder, outcome ? account_problem(*outcome)
                                         : without_session_cookie(net::Response(204), *request));
            });
    });
}

}  // namespace rokada::server
