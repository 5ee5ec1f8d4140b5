// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the server says over the live socket (docs/live-protocol.md). Each function gives one
// complete message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/app/accounts.hpp"
#include "server/app/live_game.hpp"

namespace rokada::server::live_out {

std::string hello(const Identity& me, Millis wall);
std::string event(const GameEvent& event, std::string_view game_id, const GameSettings& settings);
std::string snapshot(const LiveGame& game, std::string_view viewer, Millis steady);
std::string watching(const LiveGame& game, Millis steady);
std::string presence(const LiveGame& game, Millis steady, int watchers);
std::string ack(std::string_view id, const LiveGame& game, int ply, Millis steady);
// The same for a move of which only the event is known; nothing if that is not the event of a move.
std::optional<std::string> ack(std::string_view id, std::string_view game, int ply,
                               std::string_view event);
std::string held(std::string_view id, std::string_view game, int ply);
std::string error(std::string_view id, std::string_view game, std::string_view code,
                  std::string_view detail);
std::string pong(std::int64_t n, Millis wall);
std::string games_changed(const GameRecord& game, std::string_view viewer);
std::string game_removed(std::string_view game_id);

}  // namespace rokada::server::live_out
