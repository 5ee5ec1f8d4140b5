// SPDX-License-Identifier: GPL-3.0-or-later
// Register, login, logout, who am I, profiles.
#include "net/json.hpp"
#include "server/api/account_json.hpp"
#include "server/api/api.hpp"
#include "server/api/json_text.hpp"
#include "server/app/names.hpp"
#include "server/app/settings.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

std::string me_json(const ApiServices& api, const net::Request& request, const Identity& me) {
    const ServerSettings settings = api.settings->get();
    JsonText json;
    json.open_object();
    json.field("kind", me.kind == Identity::Kind::User    ? "user"
                       : me.kind == Identity::Kind::Guest ? "guest"
                                                          : "anonymous");
    if (me.known()) {
        json.field("id", me.player_id).field("username", me.name);
        json.field("admin", me.admin).field("bot", me.bot);
        json.field("created_at", time_text(me.created_at));
    } else {
        json.name("username").null();
    }
    json.name("server")
        .open_object()
        .field("version", api.version)
        .field("registration", word(settings.registration));
    json.field("guests", settings.guests)
        .field("chat", settings.chat)
        .field("address", invitation_address(request, api.network_host));
    json.field("reachable", !api.network_host.empty() || !is_loopback_host(request.host()));
    if (api.exit && request.remote.is_loopback()) json.field("can_exit", true);
    json.close_object();
    return json.close_object().take();
}

struct Credentials {
    std::string username, password, code;
};

// Answers the problem itself when the body is no good.
std::optional<Credentials> read_credentials(const net::Request& request,
                                            const net::Responder& responder) {
    Credentials credentials;
    const bool read = read_fields(request, responder, [&](net::ObjectReader& body) {
        // Lengths are judged by the account rules, which name the field in the words of a form.
        credentials.username = body.text("username", {.min_bytes = 0, .max_bytes = 512});
        credentials.password = body.text("password", {.min_bytes = 0, .max_bytes = 2048});
        credentials.code =
            body.optional_text("code", {.min_bytes = 0, .max_bytes = 64}).value_or("");
    });
    return read ? std::optional(credentials) : std::nullopt;
}

std::optional<AccountProblem> registration_refusal(const ApiServices& api,
                                                   const std::string& code) {
    const ServerSettings settings = api.settings->get();
    if (settings.registration == ServerSettings::Registration::Closed)
        return AccountProblem{403, "registration_closed", "", "",
                              "New accounts are made by the administrator here."};
    if (settings.registration == ServerSettings::Registration::Code &&
        !same_bytes(settings.registration_code, code))
        return AccountProblem{422, "invalid", "code", code.empty() ? "required" : "wrong",
                              "Registration needs the code of this server."};
    return std::nullopt;
}

void write_score(JsonText& json, const ScoreCount& score) {
    json.open_object().field("won", score.won).field("drawn", score.drawn);
    json.field("lost", score.lost).close_object();
}

void send_profile(ApiServices& api, const std::string& name, const net::Responder& responder) {
    const auto user = api.accounts->find_user(name);
    if (!user) return reply(responder, net::problem(404, "not_found", "There is no such user."));
    const PlayerStatistics s = api.store->read(
        [&](Session& session) { return games_table::statistics(session, user->id); });
    JsonText json;
    json.open_object().field("username", user->name);
    json.field("created_at", time_text(user->created_at)).field("bot", user->bot);
    json.name("statistics").open_object().field("games", s.finished).field("playing", s.playing);
    json.name("computer");
    write_score(json, s.computer);
    json.name("people");
    write_score(json, s.people);
    json.name("page");
    write_score(json, s.page);
    json.close_object().close_object();
    reply(responder, net::Response::json_text(200, json.take()));
}

}  // namespace

void answer_login(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                  int status, const Result<LoggedIn, AccountProblem>& result) {
    if (!result) return reply(responder, account_problem(result.error()));
    reply(responder, with_session_cookie(
                         net::Response::json_text(status, me_json(api, *request, result->identity)),
                         *request, result->token));
}

net::Response account_problem(const AccountProblem& problem) {
    net::Problem answer;
    answer.status = problem.status;
    answer.code = problem.code;
    answer.title = std::string(net::reason_phrase(problem.status));
    answer.detail = problem.message;
    if (!problem.field.empty())
        answer.errors.push_back({problem.field, problem.field_code, problem.message});
    net::Response response = net::problem_response(answer);
    if (problem.status == 503) response.headers.set("Retry-After", "2");
    return response;
}

std::string login_throttle_key(const std::string& username) {
    const auto name = parse_user_name(username);
    return name ? name->folded : "?" + username.substr(0, 64);
}

void add_account_routes(net::Router& router, ApiServices& api) {
    constexpr net::RouteOptions kSmallBody{4096};
    router.post(
        "/api/v1/register",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            const auto credentials = read_credentials(*request, responder);
            if (!credentials) return;
            const auto verdict = api.throttles->register_address.take(request->remote.limit_key());
            if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
            if (const auto refusal = registration_refusal(api, credentials->code))
                return reply(responder, account_problem(*refusal));
            on_pool(*api.hashing, responder, [&api, request, responder, c = *credentials] {
                const auto result =
                    api.accounts->register_user(visit_of(*request), c.username, c.password);
                if (result) {
                    ++api.metrics->registrations;
                    api.log(LogLevel::Info, "registered",
                            {{"user", result->identity.player_id},
                             {"address", request->remote.text()}});
                }
                answer_login(api, request, responder, 201, result);
            });
        },
        kSmallBody);
    router.post(
        "/api/v1/login",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            const auto credentials = read_credentials(*request, responder);
            if (!credentials) return;
            const std::string key = login_throttle_key(credentials->username);
            for (const auto& verdict :
                 {api.throttles->login_address.take(request->remote.limit_key()),
                  api.throttles->login_account.take(key)})
                if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
            on_pool(*api.hashing, responder, [&api, request, responder, key, c = *credentials] {
                const auto result =
                    api.accounts->login(visit_of(*request), c.username, c.password, c.code);
                if (result) {
                    api.throttles->login_account.forget(key);
                    ++api.metrics->logins;
                    api.log(LogLevel::Info, "login",
                            {{"user", result->identity.player_id},
                             {"address", request->remote.text()}});
                } else {
                    ++api.metrics->failed_logins;
                    // A name nobody has may be a password typed in the wrong place.
                    const bool known = result.error().field != "username";
                    api.log(LogLevel::Warning, "login_failed",
                            {{"name", known ? key : ""},
                             {"reason", result.error().field + " " + result.error().field_code},
                             {"address", request->remote.text()}});
                }
                answer_login(api, request, responder, 200, result);
            });
        },
        kSmallBody);
    router.post(
        "/api/v1/logout",
        [&api](const net::RequestPtr& request, const net::Responder& responder) {
            on_pool(*api.workers, responder, [&api, request, responder] {
                api.accounts->logout(visit_of(*request));
                reply(responder, without_session_cookie(net::Response(204), *request)
                                     .with("Clear-Site-Data", "\"storage\""));
            });
        },
        kSmallBody);
    router.get(
        "/api/v1/me", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            with_identity(
                api, request, responder,
                [&api, request, responder](const Identity& me) {
                    auto answer = net::Response::json_text(200, me_json(api, *request, me));
                    // Every page begins with this question: whoever comes back keeps the session.
                    const Visit visit = visit_of(*request);
                    if (api.accounts->take_renewal(visit))
                        answer = with_session_cookie(std::move(answer), *request, visit.token);
                    reply(responder, std::move(answer));
                },
                Scope::Any);
        });
    router.get("/api/v1/users/{name}",
               [&api](const net::RequestPtr& request, const net::Responder& responder) {
                   on_pool(*api.workers, responder, [&api, request, responder] {
                       send_profile(api, std::string(request->param("name")), responder);
                   });
               });
}

}  // namespace rokada::server
