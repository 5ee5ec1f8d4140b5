// SPDX-License-Identifier: GPL-3.0-or-later
// What a player does to a game over the live socket, from the message to what is said in answer. Used
// by LiveSocket, and by Relay for players who are connected to another server.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "server/api/api.hpp"
#include "server/api/live_in.hpp"

namespace rokada::server {

struct LiveCall {
    LiveMessage message;  // about one game
    std::shared_ptr<const Identity> who;
    Moment arrived;        // the clock stops when the move arrives
    Millis lag = 0;        // of the player's connection
    bool relayed = false;  // by another server, which looks for the right one itself
    bool follows = false;  // the game, on the same socket: its events are heard there
    ReplyAddress answers;  // relayed: GameActor::act
};
using LiveCallPtr = std::shared_ptr<const LiveCall>;
// What the player is told, to be taken away: an acknowledgement, or an error and perhaps the true
// state. Once. Nothing at all: this server does not run the game; only for what was relayed.
using LiveReply = std::function<void(std::span<std::string> texts)>;

// Wherever the game is run.
void perform(ApiServices& api, LiveCallPtr call, LiveReply reply);
// Here.
void perform_here(ApiServices& api, const std::shared_ptr<GameActor>& actor, LiveCallPtr call,
                  LiveReply reply);
void refuse(const LiveCall& call, const Refusal& refusal, const LiveReply& reply);

}  // namespace rokada::server
