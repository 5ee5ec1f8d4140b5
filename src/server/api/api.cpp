// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/api.hpp"

#include "net/address.hpp"
#include "net/json.hpp"
#include "server/app/settings.hpp"

namespace rokada::server {

std::string visited_address(const net::Request& request) {
    return (request.tls ? "https://" : "http://") + std::string(request.host());
}

std::string invitation_address(const net::Request& request, std::string_view network_host) {
    const std::string_view host = request.host();
    if (network_host.empty() || !is_loopback_host(host)) return visited_address(request);
    // It listens on the same port everywhere.
    const std::size_t colon = host.rfind(':');
    const bool port = colon != std::string_view::npos && host.find(']', colon) == host.npos;
    return (request.tls ? "https://" : "http://") + std::string(network_host) +
           std::string(port ? host.substr(colon) : std::string_view());
}

bool is_loopback_host(std::string_view host) {
    if (!host.empty() && host.front() == '[') {
        host = host.substr(1, host.find(']') - 1);
    } else if (const std::size_t colon = host.rfind(':'); colon != std::string_view::npos) {
        host = host.substr(0, colon);
    }
    if (host == "localhost" || host.ends_with(".localhost")) return true;
    const auto address = net::Address::parse(host);
    return address && address->is_loopback();
}

std::string session_cookie_name(bool tls) { return tls ? "__Host-rokada" : "rokada"; }

Visit visit_of(const net::Request& request) {
    Visit visit;
    visit.secure = request.tls;
    visit.address = request.remote.text();
    visit.agent = std::string(request.header("User-Agent"));
    // A request with an Authorization header is a program's: its cookies do not count.
    if (const std::string* authorization = request.headers.find("Authorization")) {
        visit.bearer = true;
        if (authorization->rfind("Bearer ", 0) == 0) visit.token = authorization->substr(7);
        if (visit.token.empty()) visit.token = "none";
    } else if (const auto token = request.cookie(session_cookie_name(request.tls))) {
        visit.token = std::string(*token);
    }
    return visit;
}

net::Response with_session_cookie(net::Response response, const net::Request& request,
                                  const std::string& token) {
    net::Cookie cookie;
    cookie.name = session_cookie_name(request.tls);
    cookie.value = token;
    cookie.secure = request.tls;
    cookie.max_age_seconds = std::int64_t{180} * 24 * 3600;
    response.headers.add("Set-Cookie", cookie.header_value());
    return response;
}

net::Response without_session_cookie(net::Response response, const net::Request& request) {
    net::Cookie cookie;
    cookie.name = session_cookie_name(request.tls);
    cookie.secure = request.tls;
    cookie.max_age_seconds = 0;
    response.headers.add("Set-Cookie", cookie.header_value());
    return response;
}

net::Response refusal_response(const Refusal& refusal) {
    net::Response response = net::problem(refusal.status, refusal.code, refusal.detail);
    if (refusal.status == 503) response.headers.set("Retry-After", "2");
    return response;
}

net::Response too_many(net::Clock::duration retry_after) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(retry_after).count() + 1;
    return net::problem(429, "too_many_requests", "Please wait a moment before trying again.")
        .with("Retry-After", std::to_string(seconds));
}

net::Response overloaded() {
    return net::problem(503, "busy", "The server is busy; try again.").with("Retry-After", "2");
}

bool read_fields(const net::Request& request, const net::Responder& responder,
                 const Fields& fields) {
    const auto body = net::parse_json(request.body.empty() ? "{}" : request.body);
    if (!body) {
        reply(responder, net::problem_for(body.error()));
        return false;
    }
    net::ObjectReader reader(*body);
    fields(reader);
    if (reader.finish()) return true;
    reply(responder, net::problem_for(reader.errors()));
    return false;
}

void on_pool(net::WorkerPool& pool, const net::Responder& responder, std::function<void()> work) {
    const bool taken = pool.try_post([responder, work = std::move(work)] {
        try {
            work();
        } catch (const StoreError& error) {
            const bool full = error.fault() == StoreFault::DiskFull;
            reply(responder, full ? net::problem(507, "disk_full", "The server's disk is full.")
                                  : net::problem(503, "store_unavailable",
                                                 "The server cannot reach its data; try again.")
                                        .with("Retry-After", "2"));
        }
    });
    if (!taken) reply(responder, overloaded());
}

net::Response wrong_scope(Scope scope) {
    return net::problem(403, "scope",
                        scope == Scope::Read     ? "This token may not read what is yours."
                        : scope == Scope::Engine ? "This token may not use the engine."
                                                 : "This token may not play.");
}

void with_identity(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder, std::function<void(const Identity&)> next,
                   std::optional<Scope> scope) {
    const Visit visit = visit_of(*request);
    if (visit.token.empty()) return next(Identity{});
    const bool reading =
        request->method == net::Method::kGet || request->method == net::Method::kHead;
    const Scope needed = scope.value_or(reading ? Scope::Read : Scope::Play);
    const auto go_on = [request, responder, bearer = visit.bearer, needed,
                        next = std::move(next)](const Identity& me) {
        if (bearer && !me.known())
            return reply(responder, net::problem(401, "bad_token", "This token is not valid.")
                                        .with("WWW-Authenticate", "Bearer"));
        if (!me.covers(needed)) return reply(responder, wrong_scope(needed));
        next(me);
    };
    if (const auto known = api.accounts->recall(visit)) return go_on(*known);
    on_pool(*api.workers, responder,
            [&api, visit, go_on] { go_on(api.accounts->identify(visit)); });
}

void with_player(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                 std::function<void(const Identity&, const Finish&)> next) {
    with_identity(
        api, request, responder,
        [&api, request, responder, next = std::move(next)](const Identity& identity) {
            if (identity.known())
                return next(identity, [](net::Response response) { return response; });
            if (!api.settings->get().guests)
                return reply(responder,
                             net::problem(401, "guests_off", "Log in to play on this server."));
            const auto verdict = api.throttles->guest_address.take(request->remote.limit_key());
            if (!verdict.allowed) return reply(responder, too_many(verdict.retry_after));
            on_pool(*api.workers, responder, [&api, request, next] {
                const LoggedIn guest = api.accounts->ensure_player(visit_of(*request));
                next(guest.identity, [request, token = guest.token](net::Response r) {
                    return token.empty() ? r : with_session_cookie(std::move(r), *request, token);
                });
            });
        });
}

}  // namespace rokada::server
