// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of one game that followed each other, in one row: cheaper by far than a row for each move and one
// for its event. Only SQLite has them; games_table puts them together with the rest. Throws StoreError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/store/session.hpp"
#include "server/store/turn_text.hpp"

namespace rokada::server::move_runs {

// Moves of one game in their order, as turn_text.hpp writes them; `version` is that of the last.
void insert(Session& session, std::string_view game_id, std::int64_t version,
            std::string_view text);
// Those after a version, in their order.
Turns after(Session& session, std::string_view game_id, std::int64_t version);
void remove(Session& session, std::string_view game_id);
std::vector<std::string> games(Session& session);  // that have any

}  // namespace rokada::server::move_runs
