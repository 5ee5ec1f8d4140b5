// SPDX-License-Identifier: GPL-3.0-or-later
// What users do with their own account: password, sessions, recovery codes, second factor, API tokens,
// deletion. Blocks on the disk and on argon2id: worker threads only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/app/accounts.hpp"
#include "server/store/credentials_table.hpp"

namespace rokada::server {

class AccountCare {
  public:
    using Outcome = std::optional<AccountProblem>;  // nothing: done
    // An account was deleted on disk; these games of it were going on.
    using Erased =
        std::function<void(const std::string& player_id, const std::vector<std::string>& game_ids)>;

    AccountCare(Store& store, const TimeSource& time, RandomSource& random, PasswordCost cost,
                Accounts& accounts, Erased erased);

    // Ends all other sessions.
    Outcome change_password(const Identity& me, const std::string& current,
                            const std::string& password);
    std::vector<SessionRecord> sessions(const Identity& me);
    bool end_session(const Identity& me, const std::string& session_id);
    void end_other_sessions(const Identity& me);

    // Ten fresh codes; those before are void.
    Result<std::vector<std::string>, AccountProblem> make_recovery_codes(
        const Identity& me, const std::string& password);
    // A code is good once, sets a new password, ends all sessions and does not log in.
    Outcome recover(const std::string& user_name, const std::string& code,
                    const std::string& password);

    // A secret to scan; it counts only after it is confirmed by a code.
    Result<std::string, AccountProblem> begin_totp(const Identity& me, const std::string& password);
    Outcome confirm_totp(const Identity& me, const std::string& code);
    Outcome remove_totp(const Identity& me, const std::string& password, const std::string& code);
    bool has_totp(const Identity& me);

    struct NewToken {
        ApiTokenRecord record;
        std::string token;  // only here in the clear
    };
    NewToken make_token(const Identity& me, const std::string& name, const std::string& scopes,
                        Millis lifetime);
    std::vector<ApiTokenRecord> tokens(const Identity& me);
    bool delete_token(const Identity& me, const std::string& id);

    // The account goes, its games stay under "deleted player"; those that were going on end.
    Outcome delete_account(const Identity& me, const std::string& password);

  private:
    Result<UserRecord, AccountProblem> user_with_password(const Identity& me,
                                                          const std::string& password);

    Store& store_;
    const TimeSource& time_;
    RandomSource& random_;
    PasswordCost cost_;
    Accounts& accounts_;
    Erased erased_;
};

}  // namespace rokada::server
