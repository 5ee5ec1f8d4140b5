// SPDX-License-Identifier: GPL-3.0-or-later
// What administrators do: people, switches, backup, and the log of all that. Used by the API and by
// `rokada user`. Blocks on the disk and on argon2id: worker threads only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/app/accounts.hpp"
#include "server/app/settings.hpp"
#include "server/store/admin_table.hpp"

namespace rokada::server {

struct LoginSlip {
    std::string username, password;
};

// What a running server must hear about an account after it was changed.
struct AccountChange {
    std::string player_id;
    std::vector<std::string> ended_sessions;
    bool lost_rights = false;  // whatever it has open must be opened again
};

class Administration {
  public:
    using Changed = std::function<void(const AccountChange& change)>;

    Administration(Store& store, const TimeSource& time, RandomSource& random, PasswordCost cost,
                   Changed changed = {});

    // A code for making the first administrator; nothing when there is one. The one before is void.
    std::optional<std::string> new_setup_code();
    // Makes the first administrator, once.
    Result<UserRecord, AccountProblem> set_up(const std::string& code, const std::string& name,
                                              const std::string& password);

    // Empty password: one is made up.
    Result<LoginSlip, AccountProblem> add_user(const std::string& who, const std::string& name,
                                               const std::string& password);
    Result<LoginSlip, AccountProblem> reset_password(const std::string& who,
                                                     const std::string& name,
                                                     const std::string& password);
    std::optional<AccountProblem> set_disabled(const std::string& who, const std::string& name,
                                               bool disabled);
    std::optional<AccountProblem> set_admin(const std::string& who, const std::string& name,
                                            bool admin);
    std::optional<AccountProblem> set_bot(const std::string& who, const std::string& name,
                                          bool bot);
    void log(const std::string& who, const std::string& action, const std::string& detail);

  private:
    std::optional<UserRecord> find(const std::string& name);
    std::string made_up_password();

    Store& store_;
    const TimeSource& time_;
    RandomSource& random_;
    PasswordCost cost_;
    Changed changed_;
};

}  // namespace rokada::server
