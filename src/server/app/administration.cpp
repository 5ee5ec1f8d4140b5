// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/administration.hpp"

#include "server/app/names.hpp"
#include "server/app/password_rules.hpp"
#include "server/store/accounts_table.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

constexpr const char* kSetupCode = "setup_code";

AccountProblem no_such_user() {
    return {404, "not_found", "username", "unknown", "There is no user with this name."};
}

AccountProblem field_problem(std::string field, std::string_view code, std::string_view message) {
    return {422, "invalid", std::move(field), std::string(code), std::string(message)};
}

}  // namespace

Administration::Administration(Store& store, const TimeSource& time, RandomSource& random,
                               PasswordCost cost, Changed changed)
    : store_(store), time_(time), random_(random), cost_(cost), changed_(std::move(changed)) {}

std::optional<std::string> Administration::new_setup_code() {
    if (store_.read([](Session& session) { return admin_table::has_admin(session); }))
        return std::nullopt;
    std::string code = random_.token();
    store_.write(
        [&](Session& session) { games_table::set_fact(session, kSetupCode, token_hash(code)); });
    return code;
}

// Easy to read aloud and to type from a slip of paper: 12 letters, 60 bits.
std::string Administration::made_up_password() {
    constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz234567892";
    std::string password;
    for (int i = 0; i < 12; ++i) {
        if (i > 0 && i % 4 == 0) password += '-';
        password += kLetters[random_.below(32)];
    }
    return password;
}

std::optional<UserRecord> Administration::find(const std::string& name) {
    const auto parsed = parse_user_name(name);
    if (!parsed) return std::nullopt;
    return store_.read([&](Session& session) {
        return accounts_table::user_by_folded_name(session, parsed->folded);
    });
}

void Administration::log(const std::string& who, const std::string& action,
                         const std::string& detail) {
    store_.write([&](Session& session) {
        admin_table::log_action(session, {time_.now().wall, who, action, detail});
    });
}

Result<LoginSlip, AccountProblem> Administration::add_user(const std::string& who,
                                                           const std::string& name,
                                                           const std::string& wanted) {
    const auto parsed = parse_user_name(name);
    if (!parsed)
        return Error{
            field_problem("username", code_of(parsed.error()), message_of(parsed.error()))};
    const std::string password = wanted.empty() ? made_up_password() : wanted;
    if (const auto wrong = check_password(password, parsed->folded))
        return Error{field_problem("password", code_of(*wrong), message_of(*wrong))};
    const auto hash = hash_password(password, cost_);
    if (!hash) return Error{AccountProblem{503, "busy", "", "", "Out of memory; try again."}};
    UserRecord user;
    user.id = random_.id();
    user.name = parsed->shown;
    user.folded = parsed->folded;
    user.password = *hash;
    user.created_at = time_.now().wall;
    const auto outcome = store_.writer().submit_and_wait([&](Session& session) {
        accounts_table::insert_user(session, user);
        admin_table::log_action(session, {user.created_at, who, "add user", user.name});
    });
    if (outcome && outcome->fault == StoreFault::Unique)
        return Error{field_problem("username", "taken", "This name is taken.")};
    if (outcome) throw StoreError(outcome->fault, outcome->message);
    return LoginSlip{user.name, password};
}

Result<UserRecord, AccountProblem> Administration::set_up(const std::string& code,
                                                          const std::string& name,
                                                          const std::string& password) {
    const auto expected = store_.read(
        [](Session& session) { return games_table::fact(session, kSetupCode).value_or(""); });
    if (expected.empty() || !same_bytes(expected, token_hash(code)))
        return Error{AccountProblem{403, "bad_setup_code", "", "", "This link is no longer good."}};
    const auto made = add_user("setup", name, password);
    if (!made) return Error{made.error()};
    const auto user = find(made->username);
    if (!user) return Error{AccountProblem{409, "gone", "", "", "This user is gone already."}};
    store_.write([&](Session& session) {
        admin_table::set_admin(session, user->id, true);
        games_table::set_fact(session, kSetupCode, "");
        admin_table::log_action(session,
                                {time_.now().wall, "setup", "first administrator", user->name});
    });
    return *user;
}

Result<LoginSlip, AccountProblem> Administration::reset_password(const std::string& who,
                                                                 const std::string& name,
                                                                 const std::string& wanted) {
    const auto user = find(name);
    if (!user) return Error{no_such_user()};
    const std::string password = wanted.empty() ? made_up_password() : wanted;
    if (const auto wrong = check_password(password, user->folded))
        return Error{field_problem("password", code_of(*wrong), message_of(*wrong))};
    const auto hash = hash_password(password, cost_);
    if (!hash) return Error{AccountProblem{503, "busy", "", "", "Out of memory; try again."}};
    std::vector<std::string> gone;
    store_.write([&](Session& session) {
        accounts_table::set_password(session, user->id, *hash);
        gone = accounts_table::delete_other_sessions(session, user->id, "");
        admin_table::log_action(session, {time_.now().wall, who, "reset password", user->name});
    });
    if (changed_) changed_({user->id, gone, false});
    return LoginSlip{user->name, password};
}

std::optional<AccountProblem> Administration::set_disabled(const std::string& who,
                                                           const std::string& name, bool disabled) {
    const auto user = find(name);
    if (!user) return no_such_user();
    std::vector<std::string> gone;
    store_.write([&](Session& session) {
        admin_table::set_disabled(session, user->id, disabled);
        if (disabled) gone = accounts_table::delete_other_sessions(session, user->id, "");
        admin_table::log_action(session, {time_.now().wall, who,
                                          disabled ? "disable user" : "enable user", user->name});
    });
    if (changed_) changed_({user->id, gone, disabled});
    return std::nullopt;
}

std::optional<AccountProblem> Administration::set_admin(const std::string& who,
                                                        const std::string& name, bool admin) {
    const auto user = find(name);
    if (!user) return no_such_user();
    store_.write([&](Session& session) {
        admin_table::set_admin(session, user->id, admin);
        admin_table::log_action(
            session, {time_.now().wall, who,
                      admin ? "make administrator" : "no longer administrator", user->name});
    });
    if (changed_) changed_({user->id, {}, !admin});
    return std::nullopt;
}

std::optional<AccountProblem> Administration::set_bot(const std::string& who,
                                                      const std::string& name, bool bot) {
    const auto user = find(name);
    if (!user) return no_such_user();
    store_.write([&](Session& session) {
        admin_table::set_bot(session, user->id, bot);
        admin_table::log_action(
            session, {time_.now().wall, who, bot ? "make bot" : "no longer bot", user->name});
    });
    if (changed_) changed_({user->id, {}, false});
    return std::nullopt;
}

}  // namespace rokada::server
