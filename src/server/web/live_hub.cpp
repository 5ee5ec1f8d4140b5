// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/live_hub.hpp"

#include <algorithm>
#include <array>

#include "net/json.hpp"
#include "server/api/live_out.hpp"
#include "server/api/open_lines.hpp"
#include "server/web/live_socket.hpp"

namespace rokada::server {

LiveHub::LiveHub(ApiServices& api, EventBus& bus, const Security& security)
    : api_(api), bus_(bus), security_(security) {}
LiveHub::~LiveHub() = default;

void LiveHub::add_route(net::Router& router) {
    router.websocket(
        "/api/v1/live", [this](const net::RequestPtr& request, const net::Upgrader& upgrader) {
            if (!security_.may_upgrade(*request))
                return upgrader.refuse(
                    net::problem(403, "foreign_origin", "The request came from another site."));
            const Visit visit = visit_of(*request);
            if (const auto known = api_.accounts->recall(visit)) return accept(upgrader, *known);
            const bool taken = api_.workers->try_post([this, visit, upgrader] {
                try {
                    accept(upgrader, api_.accounts->identify(visit));
                } catch (const StoreError&) {
                    upgrader.refuse(overloaded());
                }
            });
            if (!taken) upgrader.refuse(overloaded());
        });
}

void LiveHub::accept(const net::Upgrader& upgrader, const Identity& identity) {
    if (!identity.covers(Scope::Read)) return upgrader.refuse(wrong_scope(Scope::Read));
    auto socket = std::make_shared<LiveSocket>(api_, bus_, identity);
    const auto line = std::make_shared<std::uint64_t>(0);
    net::WebSocketEvents events;
    events.on_open = [this, socket, line](const net::WebSocketPtr& connection) {
        socket->open(connection);
        *line = api_.lines->add(socket->identity(), [weak = std::weak_ptr(socket)] {
            if (const auto alive = weak.lock())
                alive->end(static_cast<net::CloseCode>(4001), "logged out");
        });
    };
    events.on_message = [socket](const net::WebSocketPtr&, std::string_view text) {
        socket->receive(text);
    };
    events.on_close = [this, socket, line](const net::WebSocketPtr&, const net::WebSocketClosed&) {
        socket->close();
        api_.lines->remove(socket->identity(), *line);
    };
    upgrader.accept(std::move(events));
}

void LiveHub::publish_listed(const GameRecord& game) {
    const auto share = [](std::string text) {
        return std::make_shared<const std::string>(std::move(text));
    };
    static const std::string kGames = "games";
    const bool everybody = game.settings.visibility == Visibility::Public && bus_.wanted(kGames);
    const std::array<const std::string*, 3> ids{&game.white.player_id, &game.black.player_id,
                                                &game.invited};
    std::string players;
    for (auto at = ids.begin(); at != ids.end(); ++at) {
        const std::string& id = **at;
        const auto same = [&id](const std::string* other) { return *other == id; };
        if (id.empty() || std::any_of(ids.begin(), at, same)) continue;
        if (everybody) players.append(id).append(" ");
        const std::string topic = "player:" + id;
        if (!bus_.wanted(topic)) continue;
        bus_.publish(topic,
                     {0, share(live_out::games_changed(game, id)), {}, game.id, game.status});
    }
    if (everybody)
        bus_.publish(kGames,
                     {0, share(live_out::games_changed(game, {})), players, game.id, game.status});
}

}  // namespace rokada::server
