// SPDX-License-Identifier: GPL-3.0-or-later
// Who is here: users with an open page and bots that listen, for people who look for an opponent. Visitors without an
// account learn nothing about others.
#include "server/api/here_routes.hpp"

#include "server/api/json_text.hpp"
#include "server/app/event_bus.hpp"
#include "server/store/admin_table.hpp"

namespace rokada::server {

void add_here_routes(net::Router& router, ApiServices& api) {
    router.get(
        "/api/v1/here", [&api](const net::RequestPtr& request, const net::Responder& responder) {
            with_identity(api, request, responder, [&api, responder](const Identity& me) {
                on_pool(*api.workers, responder, [&api, responder, me] {
                    constexpr int kMost = 10'000, kShown = 100;
                    std::vector<UserRecord> users;
                    if (me.kind == Identity::Kind::User)
                        users = api.store->read([](Session& session) {
                            return admin_table::users(session, "", kMost);
                        });
                    JsonText json;
                    json.open_object().name("people").open_array();
                    int shown = 0;
                    for (const UserRecord& user : users) {
                        if (user.disabled || user.id == me.player_id || shown == kShown) continue;
                        if (!api.bus->wanted("player:" + user.id)) continue;
                        json.open_object().field("username", user.name).field("bot", user.bot);
                        json.close_object();
                        ++shown;
                    }
                    reply(responder,
                          net::Response::json_text(200, json.close_array().close_object().take()));
                });
            });
        });
}

}  // namespace rokada::server
