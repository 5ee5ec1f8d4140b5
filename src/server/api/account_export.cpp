// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/account_export.hpp"

#include <iterator>

#include "server/api/game_json.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {

void ExportBesideGames::add_game(Store& store, const std::string& id) {
    auto [lines, review] = store.read([&id](Session& session) {
        return std::pair{games_table::chat_of(session, id), games_table::review_of(session, id)};
    });
    std::move(lines.begin(), lines.end(), std::back_inserter(chat_));
    if (review) reviews_.emplace_back(id, std::move(*review));
}

void ExportBesideGames::write(JsonText& json, Store& store, const Identity& me) const {
    json.name("chat").open_array();
    for (const std::string& line : chat_) json.raw(line);
    json.close_array().name("reviews").open_array();
    for (const auto& [game, review] : reviews_)
        json.open_object().field("game", game).name("review").raw(review).close_object();
    json.close_array().name("challenges").open_array();
    const auto challenges = store.read(
        [&me](Session& session) { return games_table::challenges_of(session, me.player_id); });
    for (const GameRecord& challenge : challenges)
        write_game_summary(json, challenge, me.player_id);
    json.close_array();
}

}  // namespace rokada::server
