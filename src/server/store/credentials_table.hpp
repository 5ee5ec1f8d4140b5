// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery codes, second factors and API tokens on disk, and the end of an account. Secrets that can
// be stored as hashes are. Runs inside the caller's session; throws StoreError.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"

namespace rokada::server {

struct ApiTokenRecord {
    std::string id, user_id, name, scopes;                    // scopes: words separated by spaces
    Millis created_at = 0, last_used_at = 0, expires_at = 0;  // expires_at 0: never
};

namespace credentials_table {

void replace_recovery_codes(Session& session, std::string_view user_id,
                            const std::vector<std::string>& hashes);
bool use_recovery_code(Session& session, std::string_view user_id, std::string_view hash);
std::int64_t recovery_codes_left(Session& session, std::string_view user_id);

void set_pending_totp(Session& session, std::string_view user_id, std::string_view secret);
std::optional<std::string> pending_totp(Session& session, std::string_view user_id);
void set_totp(Session& session, std::string_view user_id, const std::optional<std::string>& secret,
              std::int64_t last_step);
// False when the code of this step or a later one was used before.
bool advance_totp(Session& session, std::string_view user_id, std::int64_t step);

void insert_token(Session& session, std::string_view hash, const ApiTokenRecord& token);
std::optional<ApiTokenRecord> token_by_hash(Session& session, std::string_view hash);
std::vector<ApiTokenRecord> tokens_of(Session& session, std::string_view user_id);
// The hash of the token that is gone, if there was one.
std::optional<std::string> delete_token(Session& session, std::string_view user_id,
                                        std::string_view id);
void touch_token(Session& session, std::string_view hash, Millis now);

// Nothing personal stays; games keep their moves under "deleted player", the name stays reserved.
void erase_user(Session& session, std::string_view user_id, Millis now);

}  // namespace credentials_table
}  // namespace rokada::server
