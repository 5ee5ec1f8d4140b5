// SPDX-License-Identifier: GPL-3.0-or-later
// The first administrator, people, switches, running games, backup, log of actions.
#include "net/json.hpp"
#include "server/api/account_json.hpp"
#include "server/api/api.hpp"
#include "server/api/game_json.hpp"
#include "server/app/account_care.hpp"
#include "server/app/administration.hpp"

namespace rokada::server {
namespace {

void with_admin(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                net::WorkerPool& pool, std::function<void(const Identity&)> next) {
    with_identity(api, request, responder,
                  [&api, responder, &pool, next = std::move(next)](const Identity& me) {
                      // Others learn nothing, not even that there is something here.
                      if (!me.admin || me.by_token)
                          return reply(responder, net::problem(404, "not_found"));
                      on_pool(pool, responder, [&api, responder, me, next] {
                          if (api.admins_need_totp && !api.care->has_totp(me))
                              return reply(responder,
                                           net::problem(403, "totp_required",
                                                        "Set up a second factor first."));
                          next(me);
                      });
                  });
}

void send_settings(ApiServices& api, const net::Responder& responder) {
    const ServerSettings settings = api.settings->get();
    JsonText json;
    json.open_object().field("registration", word(settings.registration));
    json.field("registration_code", settings.registration_code).field("guests", settings.guests);
    json.field("chat", settings.chat).field("public_lists", settings.public_lists).close_object();
    reply(responder, net::Response::json_text(200, json.take()));
}

// What an administrator did, in words; the code itself stays out of the log.
std::string changes(const ServerSettings& before, const ServerSettings& after) {
    std::string text;
    const auto add = [&text](std::string_view change) {
        text.append(text.empty() ? "" : ", ").append(change);
    };
    if (before.registration != after.registration)
        add("registration " + std::string(word(after.registration)));
    if (before.registration_code != after.registration_code) add("another registration code");
    if (before.guests != after.guests) add(after.guests ? "guests on" : "guests off");
    if (before.chat != after.chat) add(after.chat ? "chat on" : "chat off");
    if (before.public_lists != after.public_lists)
        add(after.public_lists ? "public lists on" : "public lists off");
    return text;
}

void put_settings(ApiServices& api, const net::RequestPtr& request,
                  const net::Responder& responder) {
    ServerSettings wanted = api.settings->get();
    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
            if (const auto word = body.optional_choice("registration", {"open", "code", "closed"}))
                wanted.registration = *word == "open"   ? ServerSettings::Registration::Open
                                      : *word == "code" ? ServerSettings::Registration::Code
                                                        : ServerSettings::Registration::Closed;
            if (const auto code =
                    body.optional_text("registration_code", {.min_bytes = 0, .max_bytes = 64}))
                wanted.registration_code = *code;
            wanted.guests = body.optional_boolean("guests").value_or(wanted.guests);
            wanted.chat = body.optional_boolean("chat").value_or(wanted.chat);
            wanted.public_lists =
                body.optional_boolean("public_lists").value_or(wanted.public_lists);
            if (wanted.registration == ServerSettings::Registration::Code &&
                wanted.registration_code.size() < 4)
                body.complain("registration_code", "length", "At least 4 characters.");
        }))
        return;
    with_admin(api, request, responder, *api.workers,
               [&api, responder, wanted](const Identity& me) {
                   const std::string changed = changes(api.settings->get(), wanted);
                   api.settings->set(wanted);
                   if (!changed.empty())
                       api.administration->log(me.name, "change settings", changed);
                   send_settings(api, responder);
               });
}

void write_slip(JsonText& json, const LoginSlip& slip) {
    json.open_object().field("username", slip.username).field("password", slip.password);
    json.close_object();
}

void send_users(ApiServices& api, const net::Request& request, const net::Responder& responder) {
    constexpr int kPage = 200;
    const std::string after(request.query_value("after").value_or(""));
    const auto [users, count] = api.store->read([&](Session& session) {
        return std::pair{admin_table::users(session, after, kPage),
                         admin_table::count_users(session)};
    });
    JsonText json;
    json.open_object().field("count", count).name("users").open_array();
    for (const UserRecord& user : users) {
        json.open_object().field("username", user.name).field("admin", user.admin);
        json.field("bot", user.bot).field("disabled", user.disabled);
        json.field("created_at", time_text(user.created_at)).close_object();
    }
    json.close_array().name("next");
    if (static_cast<int>(users.size()) == kPage) {
        json.value(users.back().folded);
    } else {
        json.null();
    }
    reply(responder, net::Response::json_text(200, json.close_object().take()));
}

// Many at once: each gets a slip, or the reason why not.
void add_users(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    std::vector<std::string> names;
    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
            names = body.texts("usernames", 100, {.min_bytes = 1, .max_bytes = 96});
        }))
        return;
    with_admin(api, request, responder, *api.hashing, [&api, responder, names](const Identity& me) {
        JsonText slips, errors;
        slips.open_array();
        errors.open_array();
        for (const std::string& name : names) {
            const auto made = api.administration->add_user(me.name, name, "");
            if (made) {
                write_slip(slips, *made);
            } else {
                errors.open_object().field("username", name);
                errors.field("code", made.error().field_code);
                errors.field("message", made.error().message).close_object();
            }
        }
        JsonText json;
        json.open_object().name("slips").raw(slips.close_array().text());
        json.name("errors").raw(errors.close_array().text()).close_object();
        reply(responder, net::Response::json_text(200, json.take()));
    });
}

void patch_user(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    std::optional<bool> disabled, admin, bot;
    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
            disabled = body.optional_boolean("disabled");
            admin = body.optional_boolean("admin");
            bot = body.optional_boolean("bot");
        }))
        return;
    with_admin(api, request, responder, *api.workers,
               [&api, request, responder, disabled, admin, bot](const Identity& me) {
                   const std::string name(request->param("name"));
                   std::optional<AccountProblem> problem;
                   Administration& administration = *api.administration;
                   if (disabled) problem = administration.set_disabled(me.name, name, *disabled);
                   if (!problem && admin) problem = administration.set_admin(me.name, name, *admin);
                   if (!problem && bot) problem = administration.set_bot(me.name, name, *bot);
                   reply(responder, problem ? account_problem(*problem) : net::Response(204));
               });
}

void send_log(ApiServices& api, const net::Responder& responder) {
    JsonText json;
    json.open_object().name("actions").open_array();
    for (const ActionRecord& action :
         api.store->read([](Session& session) { return admin_table::actions(session, 200); })) {
        json.open_object().field("at", time_text(action.at)).field("who", action.who);
        json.field("action", action.action).field("detail", action.detail).close_object();
    }
    reply(responder, net::Response::json_text(200, json.close_array().close_object().take()));
}

void set_up(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder) {
    std::string code, username, password;
    if (!read_fields(*request, responder, [&](net::ObjectReader& body) {
            code = body.text("code", {.min_bytes = 1, .max_bytes = 64});
            username = body.text("username", {.min_bytes = 0, .max_bytes = 512});
            password = body.text("password", {.min_bytes = 0, .max_bytes = 2048});
        }))
        return;
    const auto verdict = api.throttles->login_address.take(request->remote.limit_key());
    if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
    on_pool(*api.hashing, responder, [&api, request, responder, code, username, password] {
        const auto made = api.administration->set_up(code, username, password);
        if (!made) return reply(responder, account_problem(made.error()));
        const auto login = api.accounts->login(visit_of(*request), username, password, "");
        answer_login(api, request, responder, 201, login);
    });
}

}  // namespace

void add_admin_routes(net::Router& router, ApiServices& api) {
    const auto get = [&](const char* path, auto send) {
        router.get(path,
                   [&api, send](const net::RequestPtr& request, const net::Responder& responder) {
                       with_admin(api, request, responder, *api.workers,
                                  [&api, request, responder, send](const Identity&) {
                                      send(api, *request, responder);
                                  });
                   });
    };
    router.post("/api/v1/setup",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    set_up(api, request, responder);
                });
    get("/api/v1/admin/settings",
        [](ApiServices& a, const net::Request&, const net::Responder& r) { send_settings(a, r); });
    get("/api/v1/admin/users", [](ApiServices& a, const net::Request& q, const net::Responder& r) {
        send_users(a, q, r);
    });
    get("/api/v1/admin/log",
        [](ApiServices& a, const net::Request&, const net::Responder& r) { send_log(a, r); });
    get("/api/v1/admin/games", [](ApiServices& a, const net::Request&, const net::Responder& r) {
        JsonText json;
        json.open_object().name("games").open_array();
        for (const GameRecord& game : a.store->read(
                 [](Session& session) { return admin_table::running_games(session, 200); }))
            write_game_summary(json, game, {});
        json.close_array().name("next").null().close_object();
        reply(r, net::Response::json_text(200, json.take()));
    });
    router.put("/api/v1/admin/settings",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   put_settings(api, request, responder);
               });
    router.post("/api/v1/admin/users",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    add_users(api, request, responder);
                });
    router.patch("/api/v1/admin/users/{name}",
                 [&api](const net::RequestPtr& request, const net::Responder& responder) {
                     patch_user(api, request, responder);
                 });
    router.post("/api/v1/admin/users/{name}/password",
                [&api](const net::RequestPtr& request, const net::Responder& responder) {
                    with_admin(api, request, responder, *api.hashing,
                               [&api, request, responder](const Identity& me) {
                                   const auto slip = api.administration->reset_password(
                                       me.name, std::string(request->param("name")), "");
                                   if (!slip)
                                       return reply(responder, account_problem(slip.error()));
                                   JsonText json;
                                   write_slip(json, *slip);
                                   reply(responder, net::Response::json_text(200, json.take()));
                               });
                });
    router.post("/api/v1/admin/backup", [&api](const net::RequestPtr& request,
                                               const net::Responder& responder) {
        with_admin(api, request, responder, *api.workers, [&api, responder](const Identity& me) {
            const std::string file = api.store->backup("manual-", kCopiesKept).string();
            api.administration->log(me.name, "backup", file);
            JsonText json;
            json.open_object().field("file", file).close_object();
            reply(responder, net::Response::json_text(201, json.take()));
        });
    });
}

}  // namespace rokada::server
