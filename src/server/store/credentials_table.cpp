// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/credentials_table.hpp"

namespace rokada::server::credentials_table {

void replace_recovery_codes(Session& session, std::string_view user_id,
                            const std::vector<std::string>& hashes) {
    session.run("DELETE FROM recovery_codes WHERE user_id=$1", user_id);
    for (const std::string& hash : hashes)
        session.run("INSERT INTO recovery_codes(user_id, code_hash) VALUES($1,$2)", user_id, hash);
}

bool use_recovery_code(Session& session, std::string_view user_id, std::string_view hash) {
    return session.run("DELETE FROM recovery_codes WHERE user_id=$1 AND code_hash=$2", user_id,
                       hash) > 0;
}

std::int64_t recovery_codes_left(Session& session, std::string_view user_id) {
    const auto row =
        session.select("SELECT count(*) FROM recovery_codes WHERE user_id=$1", user_id);
    return row->next() ? row->integer(0) : 0;
}

void set_pending_totp(Session& session, std::string_view user_id, std::string_view secret) {
    session.run("UPDATE users SET totp_pending=$2 WHERE id=$1", user_id, secret);
}

std::optional<std::string> pending_totp(Session& session, std::string_view user_id) {
    const auto row = session.select("SELECT totp_pending FROM users WHERE id=$1", user_id);
    if (!row->next()) return std::nullopt;
    return row->optional_text(0);
}

void set_totp(Session& session, std::string_view user_id, const std::optional<std::string>& secret,
              std::int64_t last_step) {
    session.run("UPDATE users SET totp_secret=$2, totp_last_step=$3, totp_pending=NULL WHERE id=$1",
                user_id, secret, last_step);
}

bool advance_totp(Session& session, std::string_view user_id, std::int64_t step) {
    return session.run("UPDATE users SET totp_last_step=$2 WHERE id=$1 AND totp_last_step<$2",
                       user_id, step) > 0;
}

namespace {

#define TOKEN_COLUMNS "id, user_id, name, scopes, created_at, last_used_at, expires_at"

ApiTokenRecord read_token(const Cursor& row) {
    ApiTokenRecord token;
    token.id = row.text(0);
    token.user_id = row.text(1);
    token.name = row.text(2);
    token.scopes = row.text(3);
    token.created_at = row.integer(4);
    token.last_used_at = row.integer(5);
    token.expires_at = row.integer(6);
    return token;
}

}  // namespace

void insert_token(Session& session, std::string_view hash, const ApiTokenRecord& token) {
    session.run("INSERT INTO api_tokens(token_hash, " TOKEN_COLUMNS
                ") VALUES($1,$2,$3,$4,$5,$6,$7,$8)",
                hash, token.id, token.user_id, token.name, token.scopes, token.created_at,
                token.last_used_at, token.expires_at);
}

std::optional<ApiTokenRecord> token_by_hash(Session& session, std::string_view hash) {
    const auto row =
        session.select("SELECT " TOKEN_COLUMNS " FROM api_tokens WHERE token_hash=$1", hash);
    if (!row->next()) return std::nullopt;
    return read_token(*row);
}

std::vector<ApiTokenRecord> tokens_of(Session& session, std::string_view user_id) {
    std::vector<ApiTokenRecord> tokens;
    const auto rows = session.select(
        "SELECT " TOKEN_COLUMNS " FROM api_tokens WHERE user_id=$1 ORDER BY created_at", user_id);
    while (rows->next()) tokens.push_back(read_token(*rows));
    return tokens;
}

std::optional<std::string> delete_token(Session& session, std::string_view user_id,
                                        std::string_view id) {
    std::string hash;
    {
        const auto row = session.select(
            "SELECT token_hash FROM api_tokens WHERE user_id=$1 AND id=$2", user_id, id);
        if (!row->next()) return std::nullopt;
        hash = row->text(0);
    }
    session.run("DELETE FROM api_tokens WHERE token_hash=$1", hash);
    return hash;
}

void touch_token(Session& session, std::string_view hash, Millis now) {
    session.run("UPDATE api_tokens SET last_used_at=$2 WHERE token_hash=$1", hash, now);
}

namespace {

// Who sat down and who talked stands in the stored events as it was sent, and is sent again to whoever
// comes back.
void erase_name_in_events(Session& session, std::string_view user_id) {
    std::string name;
    {
        const auto row = session.select("SELECT name FROM users WHERE id=$1", user_id);
        if (!row->next()) return;
        name = "\"name\":\"" + row->text(0) + "\"";  // such names need no escapes
    }
    constexpr std::string_view kNobody = "\"name\":\"deleted player\"";
    session.run(
        "UPDATE game_events SET message=replace(replace(message, $2, $3), $4, $5) WHERE game_id IN "
        "(SELECT game_id FROM seats WHERE player_id=$1) AND "
        "(message LIKE '%\"kind\":\"start\"%' OR message LIKE '%\"kind\":\"chat\"%')",
        user_id, "\"kind\":\"user\"," + name, "\"kind\":\"deleted\"," + std::string(kNobody), name,
        kNobody);
}

}  // namespace

void erase_user(Session& session, std::string_view user_id, Millis now) {
    constexpr auto kDeleted = static_cast<int>(SeatKind::Deleted);
    erase_name_in_events(session, user_id);
    session.run("UPDATE games SET white_kind=$2, white_id='' WHERE white_id=$1", user_id, kDeleted);
    session.run("UPDATE games SET black_kind=$2, black_id='' WHERE black_id=$1", user_id, kDeleted);
    session.run("UPDATE games SET status=3, reason='declined' WHERE invited=$1 AND status=0",
                user_id);
    session.run("UPDATE games SET invited='' WHERE invited=$1", user_id);
    session.run("DELETE FROM seats WHERE player_id=$1", user_id);
    session.run("DELETE FROM sessions WHERE player_id=$1", user_id);
    session.run("DELETE FROM recovery_codes WHERE user_id=$1", user_id);
    session.run("DELETE FROM api_tokens WHERE user_id=$1", user_id);
    session.run(
        "UPDATE users SET deleted_at=$2, password='', totp_secret=NULL, totp_pending=NULL, admin=0 "
        "WHERE id=$1",
        user_id, now);
}

#undef TOKEN_COLUMNS

}  // namespace rokada::server::credentials_table
