// SPDX-License-Identifier: GPL-3.0-or-later
// What administrators see and change on disk: people and the log of actions. Runs inside the caller's
// session; throws StoreError.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"

namespace rokada::server {

struct ActionRecord {
    Millis at = 0;
    std::string who, action, detail;
};

namespace admin_table {

bool has_admin(Session& session);
void set_admin(Session& session, std::string_view user_id, bool admin);
void set_bot(Session& session, std::string_view user_id, bool bot);
void set_disabled(Session& session, std::string_view user_id, bool disabled);
// By folded name, after the given one.
std::vector<UserRecord> users(Session& session, std::string_view after_folded, int limit);
std::int64_t count_users(Session& session);
std::vector<GameRecord> running_games(Session& session, int limit);

void log_action(Session& session, const ActionRecord& action);
std::vector<ActionRecord> actions(Session& session, int limit);  // newest first

}  // namespace admin_table
}  // namespace rokada::server
