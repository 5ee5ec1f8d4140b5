// SPDX-License-Identifier: GPL-3.0-or-later
// The live sockets of this process: accepts them at /api/v1/live, knows whose they are, ends those
// of a session that was logged out.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/router.hpp"
#include "server/api/api.hpp"
#include "server/app/event_bus.hpp"
#include "server/web/security.hpp"

namespace rokada::server {

class LiveSocket;

class LiveHub {
  public:
    LiveHub(ApiServices& api, EventBus& bus, const Security& security);
    ~LiveHub();

    void add_route(net::Router& router);
    void close_session(const std::string& session_hash);
    // A game appeared or changed: tells the lists of its players and, if public, everybody's.
    void publish_listed(const GameRecord& game);

  private:
    friend class LiveSocket;
    void accept(const net::Upgrader& upgrader, const Identity& identity);
    void opened(const std::shared_ptr<LiveSocket>& socket);
    void closed(const LiveSocket& socket);

    ApiServices& api_;
    EventBus& bus_;
    const Security& security_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::vector<std::weak_ptr<LiveSocket>>> by_session_;
};

}  // namespace rokada::server
