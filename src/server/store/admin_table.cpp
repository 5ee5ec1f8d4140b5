// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/admin_table.hpp"

#include "server/store/accounts_table.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server::admin_table {

bool has_admin(Session& session) {
    const auto row =
        session.select("SELECT count(*) FROM users WHERE admin=1 AND deleted_at IS NULL");
    return row->next() && row->integer(0) > 0;
}

void set_admin(Session& session, std::string_view user_id, bool admin) {
    session.run("UPDATE users SET admin=$2 WHERE id=$1", user_id, admin);
}

void set_bot(Session& session, std::string_view user_id, bool bot) {
    session.run("UPDATE users SET bot=$2 WHERE id=$1", user_id, bot);
}

void set_disabled(Session& session, std::string_view user_id, bool disabled) {
    session.run("UPDATE users SET disabled=$2 WHERE id=$1", user_id, disabled);
}

std::vector<UserRecord> users(Session& session, std::string_view after_folded, int limit) {
    std::vector<std::string> names;
    {
        const auto rows = session.select(
            "SELECT folded FROM users WHERE folded>$1 AND deleted_at IS NULL ORDER BY folded LIMIT "
            "$2",
            after_folded, limit);
        while (rows->next()) names.push_back(rows->text(0));
    }
    std::vector<UserRecord> found;
    for (const std::string& name : names)
        if (auto user = accounts_table::user_by_folded_name(session, name))
            found.push_back(std::move(*user));
    return found;
}

std::int64_t count_users(Session& session) {
    const auto row = session.select("SELECT count(*) FROM users WHERE deleted_at IS NULL");
    return row->next() ? row->integer(0) : 0;
}

std::vector<GameRecord> running_games(Session& session, int limit) {
    std::vector<std::string> ids;
    {
        const auto rows = session.select(
            "SELECT id FROM games WHERE status=1 ORDER BY updated_at DESC LIMIT $1", limit);
        while (rows->next()) ids.push_back(rows->text(0));
    }
    std::vector<GameRecord> games;
    for (const std::string& id : ids)
        if (auto game = games_table::find(session, id)) games.push_back(std::move(*game));
    return games;
}

void log_action(Session& session, const ActionRecord& action) {
    session.run("INSERT INTO admin_log(at, who, action, detail) VALUES($1,$2,$3,$4)", action.at,
                action.who, action.action, action.detail);
}

std::vector<ActionRecord> actions(Session& session, int limit) {
    std::vector<ActionRecord> found;
    const auto rows = session.select(
        "SELECT at, who, action, detail FROM admin_log ORDER BY at DESC LIMIT $1", limit);
    while (rows->next())
        found.push_back({rows->integer(0), rows->text(1), rows->text(2), rows->text(3)});
    return found;
}

}  // namespace rokada::server::admin_table
