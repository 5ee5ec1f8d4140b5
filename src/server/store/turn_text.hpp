// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as lines of text, the way a SQLite store keeps them: in the log of moves and in the runs of a
// game. Reading throws StoreError when a line is damaged.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"

namespace rokada::server {

using Turns = std::vector<std::shared_ptr<const TurnRecord>>;

void append_turn(std::string& text, const TurnRecord& turn);
Turns read_turns(std::string_view text);
std::shared_ptr<const TurnRecord> last_turn(std::string_view text);  // of one at least

}  // namespace rokada::server
