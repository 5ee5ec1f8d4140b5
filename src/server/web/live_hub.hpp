// SPDX-License-Identifier: GPL-3.0-or-later
// The live sockets of this process: accepts them at /api/v1/live, and tells the lists of games.
#pragma once

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
    // A game appeared or changed: tells the lists of its players and, if public, everybody's.
    void publish_listed(const GameRecord& game);

  private:
    friend class LiveSocket;
    void accept(const net::Upgrader& upgrader, const Identity& identity);

    ApiServices& api_;
    EventBus& bus_;
    const Security& security_;
};

}  // namespace rokada::server
