// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/move_runs.hpp"

#include <algorithm>

namespace rokada::server::move_runs {

void insert(Session& session, std::string_view game_id, std::int64_t version,
            std::string_view text) {
    session.run("INSERT INTO move_runs(game_id, version, moves) VALUES($1,$2,$3)", game_id, version,
                text);
}

Turns after(Session& session, std::string_view game_id, std::int64_t version) {
    Turns all;
    const auto rows = session.select(
        "SELECT moves FROM move_runs WHERE game_id=$1 AND version>$2 ORDER BY version", game_id,
        version);
    while (rows->next())
        for (auto& turn : read_turns(rows->text(0)))
            if (turn->version > version) all.push_back(std::move(turn));
    return all;
}

void remove(Session& session, std::string_view game_id) {
    session.run("DELETE FROM move_runs WHERE game_id=$1", game_id);
}

std::vector<std::string> games(Session& session) {
    std::vector<std::string> ids;
    const auto rows = session.select("SELECT DISTINCT game_id FROM move_runs");
    while (rows->next()) ids.push_back(rows->text(0));
    return ids;
}

}  // namespace rokada::server::move_runs
