// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the handler for a path and method. Used by Server; filled once before it starts, read-only
// after. Literal segments win over {parameters}, which win over a final {rest...}; unknown paths
// get 404, known paths with another method 405 with Allow; HEAD runs the GET handler; OPTIONS lists
// the methods.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.hpp"
#include "net/responder.hpp"
#include "net/websocket.hpp"

namespace rokada::net {

// Runs on the connection's loop and must not block. An exception is answered with 500.
using Handler = std::function<void(const RequestPtr& request, Responder responder)>;
using UpgradeHandler = std::function<void(const RequestPtr& request, Upgrader upgrader)>;

struct RouteOptions {
    std::size_t body_limit = 64 * 1024;  // bytes; 0 for routes that take no body
};

struct Route {
    std::string pattern;
    Method method = Method::kGet;
    RouteOptions options;
    Handler handler;
    UpgradeHandler upgrade;  // set: a WebSocket route (method GET)
};

class Router {
  public:
    Router();
    ~Router();
    Router(Router&&) noexcept;
    Router& operator=(Router&&) noexcept;

    // Patterns: "/api/v1/games/{id}/moves/{ply}", "/assets/{rest...}". A parameter is one whole
    // segment, or a segment with a fixed ending: "/games/{id}.pgn". A wrong or repeated pattern is
    // a programming error and throws std::invalid_argument.
    void add(Method method, std::string pattern, Handler handler, RouteOptions options = {});
    void get(std::string pattern, Handler handler) {
        add(Method::kGet, std::move(pattern), std::move(handler), RouteOptions{0});
    }
    void post(std::string pattern, Handler handler, RouteOptions options = {}) {
        add(Method::kPost, std::move(pattern), std::move(handler), options);
    }
    void put(std::string pattern, Handler handler, RouteOptions options = {}) {
        add(Method::kPut, std::move(pattern), std::move(handler), options);
    }
    void patch(std::string pattern, Handler handler, RouteOptions options = {}) {
        add(Method::kPatch, std::move(pattern), std::move(handler), options);
    }
    void del(std::string pattern, Handler handler, RouteOptions options = {}) {
        add(Method::kDelete, std::move(pattern), std::move(handler), options);
    }
    void websocket(std::string pattern, UpgradeHandler handler);
    // Answers whatever no route matches (the single-page client's own paths); default: a 404
    // problem.
    void fallback(Handler handler);

    struct Match {
        const Route* route = nullptr;  // null: see allow
        Pairs params;
        std::vector<Method> allow;  // methods of this path when the method did not match
        bool path_known = false;
        bool upgrade_required = false;  // a WebSocket path asked for without an upgrade
    };
    // upgrade: the request asks for a WebSocket.
    Match match(Method method, std::string_view path, bool upgrade = false) const;
    const Handler& fallback_handler() const;
    std::vector<const Route*> routes() const;  // in the order they were added, for API documents

  private:
    struct Node;
    struct Impl;
    const Route& insert(Route route);

    std::unique_ptr<Impl> impl_;
};

}  // namespace rokada::net
