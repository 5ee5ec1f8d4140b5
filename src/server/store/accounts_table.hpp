// SPDX-License-Identifier: GPL-3.0-or-later
// Users, guests and sessions on disk. Every function runs inside the caller's session (and, for
// changes, inside the writer's transaction). Throws StoreError.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"

namespace rokada::server::accounts_table {

void insert_user(Session& session, const UserRecord& user);  // Unique when the name is taken
std::optional<UserRecord> user_by_folded_name(Session& session, std::string_view folded);
std::optional<UserRecord> user_by_id(Session& session, std::string_view id);
void set_password(Session& session, std::string_view user_id, std::string_view password);

void insert_guest(Session& session, const GuestRecord& guest);
std::optional<GuestRecord> guest_by_id(Session& session, std::string_view id);

void insert_session(Session& session, const SessionRecord& record);
std::optional<SessionRecord> session_by_token_hash(Session& session, std::string_view token_hash);
std::vector<SessionRecord> sessions_of(Session& session, std::string_view player_id);
void touch_session(Session& session, std::string_view token_hash, Millis now);
bool delete_session(Session& session, std::string_view token_hash);
// By the public id, only if it belongs to that player; gives the token hash of what was deleted.
std::optional<std::string> delete_session_by_id(Session& session, std::string_view player_id,
                                                std::string_view id);
std::vector<std::string> delete_other_sessions(Session& session, std::string_view player_id,
                                               std::string_view kept_token_hash);

// Gives every game of the guest to the user and forgets the guest.
void adopt_guest(Session& session, std::string_view guest_id, std::string_view user_id);
// Forgets sessions and guests nobody used since then.
void expire(Session& session, Millis sessions_before, Millis created_before, Millis guests_before);

}  // namespace rokada::server::accounts_table
