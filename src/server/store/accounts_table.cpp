// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/accounts_table.hpp"

namespace rokada::server::accounts_table {
namespace {

#define USER_COLUMNS \
    "id, name, folded, password, created_at, admin, bot, disabled, totp_secret, totp_last_step"

std::optional<UserRecord> read_user(Cursor& row) {
    if (!row.next()) return std::nullopt;
    UserRecord user;
    user.id = row.text(0);
    user.name = row.text(1);
    user.folded = row.text(2);
    user.password = row.text(3);
    user.created_at = row.integer(4);
    user.admin = row.integer(5) != 0;
    user.bot = row.integer(6) != 0;
    user.disabled = row.integer(7) != 0;
    user.totp_secret = row.optional_text(8);
    user.totp_last_step = row.integer(9);
    return user;
}

#define SESSION_COLUMNS \
    "token_hash, id, player_id, is_user, secure, created_at, last_used_at, agent, address"

SessionRecord read_session(const Cursor& row) {
    SessionRecord record;
    record.token_hash = row.text(0);
    record.id = row.text(1);
    record.player_id = row.text(2);
    record.is_user = row.integer(3) != 0;
    record.secure = row.integer(4) != 0;
    record.created_at = row.integer(5);
    record.last_used_at = row.integer(6);
    record.agent = row.text(7);
    record.address = row.text(8);
    return record;
}

}  // namespace

void insert_user(Session& session, const UserRecord& user) {
    session.run("INSERT INTO users(" USER_COLUMNS ") VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)",
                user.id, user.name, user.folded, user.password, user.created_at, user.admin,
                user.bot, user.disabled, user.totp_secret, user.totp_last_step);
}

std::optional<UserRecord> user_by_folded_name(Session& session, std::string_view folded) {
    return read_user(*session.select(
        "SELECT " USER_COLUMNS " FROM users WHERE folded=$1 AND deleted_at IS NULL", folded));
}

std::optional<UserRecord> user_by_id(Session& session, std::string_view id) {
    return read_user(*session.select(
        "SELECT " USER_COLUMNS " FROM users WHERE id=$1 AND deleted_at IS NULL", id));
}

void set_password(Session& session, std::string_view user_id, std::string_view password) {
    session.run("UPDATE users SET password=$2 WHERE id=$1", user_id, password);
}

void insert_guest(Session& session, const GuestRecord& guest) {
    session.run("INSERT INTO guests(id, number, created_at, last_used_at) VALUES($1,$2,$3,$4)",
                guest.id, guest.number, guest.created_at, guest.last_used_at);
}

std::optional<GuestRecord> guest_by_id(Session& session, std::string_view id) {
    const auto row =
        session.select("SELECT id, number, created_at, last_used_at FROM guests WHERE id=$1", id);
    if (!row->next()) return std::nullopt;
    return GuestRecord{row->text(0), row->integer(1), row->integer(2), row->integer(3)};
}

void insert_session(Session& session, const SessionRecord& record) {
    session.run("INSERT INTO sessions(" SESSION_COLUMNS ") VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9)",
                record.token_hash, record.id, record.player_id, record.is_user, record.secure,
                record.created_at, record.last_used_at, record.agent, record.address);
}

std::optional<SessionRecord> session_by_token_hash(Session& session, std::string_view token_hash) {
    const auto row =
        session.select("SELECT " SESSION_COLUMNS " FROM sessions WHERE token_hash=$1", token_hash);
    if (!row->next()) return std::nullopt;
    return read_session(*row);
}

std::vector<SessionRecord> sessions_of(Session& session, std::string_view player_id) {
    std::vector<SessionRecord> found;
    const auto rows = session.select("SELECT " SESSION_COLUMNS
                                     " FROM sessions WHERE player_id=$1 ORDER BY last_used_at DESC",
                                     player_id);
    while (rows->next()) found.push_back(read_session(*rows));
    return found;
}

void touch_session(Session& session, std::string_view token_hash, Millis now) {
    session.run("UPDATE sessions SET last_used_at=$2 WHERE token_hash=$1", token_hash, now);
    session.run(
        "UPDATE guests SET last_used_at=$2 WHERE id="
        "(SELECT player_id FROM sessions WHERE token_hash=$1 AND is_user=0)",
        token_hash, now);
}

bool delete_session(Session& session, std::string_view token_hash) {
    return session.run("DELETE FROM sessions WHERE token_hash=$1", token_hash) > 0;
}

std::optional<std::string> delete_session_by_id(Session& session, std::string_view player_id,
                                                std::string_view id) {
    std::optional<std::string> token_hash;
    {
        const auto row = session.select(
            "SELECT token_hash FROM sessions WHERE id=$1 AND player_id=$2", id, player_id);
        if (row->next()) token_hash = row->text(0);
    }
    if (token_hash) delete_session(session, *token_hash);
    return token_hash;
}

std::vector<std::string> delete_other_sessions(Session& session, std::string_view player_id,
                                               std::string_view kept_token_hash) {
    std::vector<std::string> gone;
    for (const SessionRecord& record : sessions_of(session, player_id))
        if (record.token_hash != kept_token_hash) gone.push_back(record.token_hash);
    for (const std::string& token_hash : gone) delete_session(session, token_hash);
    return gone;
}

void adopt_guest(Session& session, std::string_view guest_id, std::string_view user_id) {
    constexpr auto kUser = static_cast<int>(SeatKind::User);
    constexpr auto kGuest = static_cast<int>(SeatKind::Guest);
    // A device game keeps its kind; only its owner changes.
    session.run(
        "UPDATE games SET white_id=$2, white_kind=CASE WHEN white_kind=$3 THEN $4 ELSE white_kind "
        "END WHERE white_id=$1 AND id IN (SELECT game_id FROM seats WHERE player_id=$1)",
        guest_id, user_id, kGuest, kUser);
    session.run(
        "UPDATE games SET black_id=$2, black_kind=CASE WHEN black_kind=$3 THEN $4 ELSE black_kind "
        "END WHERE black_id=$1 AND id IN (SELECT game_id FROM seats WHERE player_id=$1)",
        guest_id, user_id, kGuest, kUser);
    session.run(
        "INSERT INTO seats(player_id, created_at, game_id) SELECT $2, created_at, game_id FROM "
        "seats WHERE player_id=$1 ON CONFLICT DO NOTHING",
        guest_id, user_id);
    session.run("DELETE FROM seats WHERE player_id=$1", guest_id);
    session.run(
        "INSERT INTO uploads(player_id, client_id, game_id) SELECT $2, client_id, game_id FROM "
        "uploads WHERE player_id=$1 ON CONFLICT DO NOTHING",
        guest_id, user_id);
    session.run("DELETE FROM uploads WHERE player_id=$1", guest_id);
    session.run("DELETE FROM sessions WHERE player_id=$1", guest_id);
    session.run("DELETE FROM guests WHERE id=$1", guest_id);
}

void expire(Session& session, Millis sessions_before, Millis created_before, Millis guests_before) {
    session.run("DELETE FROM sessions WHERE is_user=1 AND (last_used_at<$1 OR created_at<$2)",
                sessions_before, created_before);
    session.run(
        "DELETE FROM sessions WHERE is_user=0 AND player_id IN "
        "(SELECT id FROM guests WHERE last_used_at<$1)",
        guests_before);
    session.run("DELETE FROM guests WHERE last_used_at<$1", guests_before);
}

#undef USER_COLUMNS
#undef SESSION_COLUMNS

}  // namespace rokada::server::accounts_table
