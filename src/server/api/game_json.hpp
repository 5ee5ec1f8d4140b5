// SPDX-License-Identifier: GPL-3.0-or-later
// Games as the API and the live protocol show them: the schemas Game, GameSummary and Player of
// docs/openapi.yaml. `viewer` is the player id of the reader, empty for a stranger.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "server/api/json_text.hpp"
#include "server/app/live_game.hpp"

namespace rokada::server {

std::string game_json(const LiveGame& game, std::string_view viewer, Millis steady);
void write_game_summary(JsonText& json, const GameRecord& game, std::string_view viewer);
void write_player(JsonText& json, const SeatRecord& seat, const GameSettings& settings,
                  std::string_view viewer);
void write_clocks(JsonText& json, const ClockReading& clocks);

std::string_view word(GameStatus status);
std::string_view word(GameResult result);  // 1-0, 0-1, 1/2-1/2; empty for none
std::string_view word(GameKind kind);
std::string_view word(Color side);
// A key as 16 hex digits.
class KeyText {
  public:
    explicit KeyText(Key key);
    std::string_view view() const { return {digits_.data(), digits_.size()}; }

  private:
    std::array<char, 16> digits_;
};
// The tags of an imported game (GameRecord::tags).
void for_each_tag(std::string_view tags,
                  const std::function<void(std::string_view, std::string_view)>& use);

// The whole game with headings, clocks and result.
std::string game_pgn(const LiveGame& game, std::string_view site);

}  // namespace rokada::server
