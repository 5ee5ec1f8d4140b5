// SPDX-License-Identifier: GPL-3.0-or-later
// Games, challenges and users in the shapes of the lichess Bot API, so that bots written for lichess
// play here. Field names and words are theirs; `viewer` is the player id of the bot.
#pragma once

#include <string>
#include <string_view>

#include "server/app/accounts.hpp"
#include "server/app/live_game.hpp"

namespace rokada::server::lichess {

// Names are public, so a user's id there is the folded name.
std::string user_id(std::string_view name);

std::string game_full(const LiveGame& game, Millis steady);
std::string game_state(const LiveGame& game, Millis steady);
std::string chat_line(std::string_view name, std::string_view text);
std::string opponent_gone(std::optional<Millis> claim_in);

// One element of "nowPlaying" and the content of gameStart and gameFinish.
std::string game_info(const LiveGame& game, std::string_view viewer, Millis steady);
std::string game_event(std::string_view type, const LiveGame& game, std::string_view viewer,
                       Millis steady);

std::string challenge(const GameRecord& game, std::string_view viewer, std::string_view site,
                      std::string_view decline_reason = {});
std::string challenge_event(std::string_view type, const GameRecord& game, std::string_view viewer,
                            std::string_view site, std::string_view decline_reason = {});

std::string account(std::string_view name, bool bot, Millis created_at,
                    const PlayerStatistics& count, std::string_view site);
std::string error(std::string_view message);
inline constexpr const char* kOk = R"({"ok":true})";

}  // namespace rokada::server::lichess
