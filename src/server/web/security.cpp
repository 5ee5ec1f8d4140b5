// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/security.hpp"

#include <algorithm>

#include <unistd.h>

#include "net/address.hpp"
#include "net/json.hpp"
#include "net/url.hpp"
#include "server/api/api.hpp"

namespace rokada::server {
namespace {

constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

std::string_view without_port(std::string_view host) {
    if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
    const std::size_t colon = host.rfind(':');
    return colon == std::string_view::npos ? host : host.substr(0, colon);
}

bool changes_something(net::Method method) {
    return method != net::Method::kGet && method != net::Method::kHead &&
           method != net::Method::kOptions;
}

bool has_session_cookie(const net::Request& request) {
    return request.cookie(session_cookie_name(request.tls)).has_value();
}

bool has_bearer(const net::Request& request) { return request.headers.has("Authorization"); }

// Anyone may read these from any site; they use no cookie.
bool open_to_all_sites(const net::Request& request) {
    return request.path == "/api/v1/bestmove" || request.path == "/api/v1/position" ||
           request.path == "/api/openapi.json";
}

// A page of another site asks whether it may send a request with a token.
bool is_token_preflight(const net::Request& request) {
    if (request.method != net::Method::kOptions) return false;
    for (const std::string_view name :
         net::split_list(request.header("Access-Control-Request-Headers")))
        if (net::equal_ignoring_case(name, "authorization")) return true;
    return false;
}

bool is_api(const net::Request& request) { return request.path.rfind("/api/", 0) == 0; }

}  // namespace

Security::Security(std::vector<std::string> host_names) : host_names_(std::move(host_names)) {}

bool Security::known_host(std::string_view host) const {
    const std::string_view name = without_port(host);
    if (name.empty()) return false;
    // A name can be made to point anywhere; an address cannot.
    const std::string_view bare = name.front() == '[' ? name.substr(1, name.size() - 2) : name;
    if (net::Address::parse(bare)) return true;
    if (net::equal_ignoring_case(name, "localhost") || name.ends_with(".localhost")) return true;
    return std::any_of(host_names_.begin(), host_names_.end(), [name](const std::string& known) {
        return net::equal_ignoring_case(known, name);
    });
}

bool Security::same_origin(const net::Request& request) const {
    const std::string_view origin = request.header("Origin");
    return !origin.empty() && net::equal_ignoring_case(origin, visited_address(request));
}

std::optional<net::Response> Security::check(const net::Request& request) const {
    if (!known_host(request.host()))
        return net::problem(421, "unknown_host", "This server does not answer to that name.");
    if (!changes_something(request.method)) return std::nullopt;
    // Forms of other sites can send text, but not JSON without asking first.
    const std::string_view type = request.header("Content-Type");
    const bool json = type.substr(0, type.find(';')) == "application/json";
    // Programs may send forms, as bots written for lichess do.
    const bool program = has_bearer(request) || request.path == "/api/token/test";
    if (is_api(request) && !type.empty() && !json && !program)
        return net::problem(415, "unsupported_media_type", "Send application/json.");
    if (has_bearer(request)) return std::nullopt;
    const std::string_view site = request.header("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none")
        return net::problem(403, "foreign_origin", "The request came from another site.");
    if (request.headers.has("Origin")) {
        if (same_origin(request)) return std::nullopt;
        return net::problem(403, "foreign_origin", "The request came from another site.");
    }
    if (has_session_cookie(request) && site.empty())
        return net::problem(403, "origin_missing",
                            "A request with a session cookie must name its Origin.");
    return std::nullopt;
}

bool Security::may_upgrade(const net::Request& request) const {
    if (request.headers.has("Origin")) return same_origin(request);
    return !has_session_cookie(request);
}

void Security::add_headers(const net::Request* request, net::Response& response) const {
    net::Headers& headers = response.headers;
    headers.set("Content-Security-Policy", kContentPolicy);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Permissions-Policy",
                "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()");
    if (request == nullptr) {
        headers.set("Cache-Control", "no-store");
        return;
    }
    const bool open = open_to_all_sites(*request);
    if (request->tls) headers.set("Strict-Transport-Security", "max-age=31536000");
    // Browsers honour isolation only where the page came safely: over TLS or from this machine.
    if (request->tls || is_loopback_host(request->host())) {
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    }
    headers.set("Cross-Origin-Resource-Policy", open ? "cross-origin" : "same-origin");
    // Never with credentials: what a page of another site may do is what its token may do.
    const bool preflight = is_api(*request) && is_token_preflight(*request);
    if (open || preflight || has_bearer(*request)) headers.set("Access-Control-Allow-Origin", "*");
    if (preflight) {
        headers.set("Access-Control-Allow-Headers",
                    "authorization, content-type, idempotency-key, last-event-id");
        headers.set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
        headers.set("Access-Control-Max-Age", "600");
    } else if (has_bearer(*request)) {
        headers.set("Access-Control-Expose-Headers", "Location, Retry-After");
    }
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}

std::vector<std::string> own_host_names() {
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return {};
    return {name, std::string(name) + ".local"};
}

}  // namespace rokada::server
