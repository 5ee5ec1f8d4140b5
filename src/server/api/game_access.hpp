// SPDX-License-Identifier: GPL-3.0-or-later
// Who may see a game, and the way from a request or a socket to it.
#pragma once

#include <functional>
#include <memory>

#include "server/api/api.hpp"

namespace rokada::server {

// Public games and games by link are open to whoever knows the id, and so is an open seat nobody in
// particular is invited to; other private games to their players.
bool may_see(const LiveGame& game, const Identity& who);

// Reads the game of the path, wherever it is run; answers 404 itself.
void with_game(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
               std::function<void(const LiveGame&, const Identity&)> next);

// Finds a game to act on. When another server runs it the request is passed on and answered from
// there.
using RefusalResponse = net::Response (*)(const Refusal&);
void with_actor(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                const std::string& id, std::function<void(const std::shared_ptr<GameActor>&)> next,
                RefusalResponse refused = refusal_response);

// When the request arrived at the site: the clock stops then.
Moment arrival(const ApiServices& api, const net::Request& request);

// Makes the game of the record a challenge to this user, or says why not. May block.
std::optional<Refusal> invite(ApiServices& api, GameRecord& record, const Identity& maker,
                              const std::string& username);

}  // namespace rokada::server
