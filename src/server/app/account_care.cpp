// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/account_care.hpp"

#include "server/app/names.hpp"
#include "server/app/password_rules.hpp"
#include "server/app/totp.hpp"
#include "server/store/accounts_table.hpp"
#include "server/store/credentials_table.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

constexpr int kRecoveryCodes = 10;

AccountProblem wrong_field(std::string field, std::string_view code, std::string_view message) {
    return {422, "invalid", std::move(field), std::string(code), std::string(message)};
}

AccountProblem busy() { return {503, "busy", "", "", "The server is busy; try again."}; }

// Four groups of four letters and digits that cannot be mistaken for each other: 80 bits.
std::string new_recovery_code(RandomSource& random) {
    constexpr std::string_view kLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    std::string code;
    for (int i = 0; i < 16; ++i) {
        if (i > 0 && i % 4 == 0) code += '-';
        code += kLetters[random.below(32)];
    }
    return code;
}

// As people type it: any case, with or without dashes and spaces.
std::string plain_code(const std::string& code) {
    std::string plain;
    for (const char c : code) {
        if (c >= 'a' && c <= 'z') plain += static_cast<char>(c - 'a' + 'A');
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) plain += c;
    }
    return plain;
}

}  // namespace

AccountCare::AccountCare(Store& store, const TimeSource& time, RandomSource& random,
                         PasswordCost cost, Accounts& accounts, Erased erased)
    : store_(store),
      time_(time),
      random_(random),
      cost_(cost),
      accounts_(accounts),
      erased_(std::move(erased)) {}

Result<UserRecord, AccountProblem> AccountCare::user_with_password(const Identity& me,
                                                                   const std::string& password) {
    auto user = store_.read(
        [&](Session& session) { return accounts_table::user_by_id(session, me.player_id); });
    if (!user || me.kind != Identity::Kind::User)
        return Error{AccountProblem{401, "not_logged_in", "", "", "Log in first."}};
    if (!verify_password(user->password, password))
        return Error{wrong_field("password", "wrong", "The password is wrong.")};
    return *user;
}

AccountCare::Outcome AccountCare::change_password(const Identity& me, const std::string& current,
                                                  const std::string& password) {
    const auto user = user_with_password(me, current);
    if (!user) {
        AccountProblem problem = user.error();
        if (!problem.field.empty()) problem.field = "current";
        return problem;
    }
    if (const auto wrong = check_password(password, user->folded))
        return wrong_field("password", code_of(*wrong), message_of(*wrong));
    const auto hash = hash_password(password, cost_);
    if (!hash) return busy();
    store_.write([&](Session& session) { accounts_table::set_password(session, user->id, *hash); });
    end_other_sessions(me);
    return std::nullopt;
}

std::vector<SessionRecord> AccountCare::sessions(const Identity& me) {
    return store_.read(
        [&](Session& session) { return accounts_table::sessions_of(session, me.player_id); });
}

bool AccountCare::end_session(const Identity& me, const std::string& session_id) {
    std::optional<std::string> hash;
    store_.write([&](Session& session) {
        hash = accounts_table::delete_session_by_id(session, me.player_id, session_id);
    });
    if (hash) accounts_.session_ended(*hash);
    return hash.has_value();
}

void AccountCare::end_other_sessions(const Identity& me) {
    std::vector<std::string> gone;
    store_.write([&](Session& session) {
        gone = accounts_table::delete_other_sessions(session, me.player_id, me.session_hash);
    });
    for (const std::string& hash : gone) accounts_.session_ended(hash);
}

Result<std::vector<std::string>, AccountProblem> AccountCare::make_recovery_codes(
    const Identity& me, const std::string& password) {
    const auto user = user_with_password(me, password);
    if (!user) return Error{user.error()};
    std::vector<std::string> codes, hashes;
    for (int i = 0; i < kRecoveryCodes; ++i) {
        codes.push_back(new_recovery_code(random_));
        hashes.push_back(token_hash(plain_code(codes.back())));
    }
    store_.write([&](Session& session) {
        credentials_table::replace_recovery_codes(session, user->id, hashes);
    });
    return codes;
}

AccountCare::Outcome AccountCare::recover(const std::string& user_name, const std::string& code,
                                          const std::string& password) {
    const auto user = accounts_.find_user(user_name);
    if (!user) return wrong_field("username", "unknown", "There is no user with this name.");
    if (const auto wrong = check_password(password, user->folded))
        return wrong_field("password", code_of(*wrong), message_of(*wrong));
    const auto hash = hash_password(password, cost_);
    if (!hash) return busy();
    bool used = false;
    std::vector<std::string> gone;
    store_.write([&](Session& session) {
        used =
            credentials_table::use_recovery_code(session, user->id, token_hash(plain_code(code)));
        if (!used) return;
        accounts_table::set_password(session, user->id, *hash);
        gone = accounts_table::delete_other_sessions(session, user->id, "");
    });
    if (!used) return wrong_field("code", "wrong", "This code is wrong or has been used.");
    for (const std::string& session_hash : gone) accounts_.session_ended(session_hash);
    return std::nullopt;
}

Result<std::string, AccountProblem> AccountCare::begin_totp(const Identity& me,
                                                            const std::string& password) {
    const auto user = user_with_password(me, password);
    if (!user) return Error{user.error()};
    if (user->totp_secret)
        return Error{AccountProblem{409, "totp_on", "", "", "A second factor is set already."}};
    const std::string secret = new_totp_secret(random_);
    store_.write(
        [&](Session& session) { credentials_table::set_pending_totp(session, user->id, secret); });
    return secret;
}

AccountCare::Outcome AccountCare::confirm_totp(const Identity& me, const std::string& code) {
    const auto secret = store_.read(
        [&](Session& session) { return credentials_table::pending_totp(session, me.player_id); });
    if (!secret) return AccountProblem{409, "totp_not_begun", "", "", "Scan a secret first."};
    const auto step = check_totp(*secret, code, time_.now().wall, 0);
    if (!step) return wrong_field("code", "wrong", "This code is wrong.");
    store_.write([&](Session& session) {
        credentials_table::set_totp(session, me.player_id, secret, *step);
    });
    end_other_sessions(me);
    return std::nullopt;
}

AccountCare::Outcome AccountCare::remove_totp(const Identity& me, const std::string& password,
                                              const std::string& code) {
    const auto user = user_with_password(me, password);
    if (!user) return user.error();
    if (!user->totp_secret) return std::nullopt;
    if (!check_totp(*user->totp_secret, code, time_.now().wall, user->totp_last_step))
        return wrong_field("code", "wrong", "This code is wrong.");
    store_.write(
        [&](Session& session) { credentials_table::set_totp(session, user->id, std::nullopt, 0); });
    return std::nullopt;
}

bool AccountCare::has_totp(const Identity& me) {
    const auto user = store_.read(
        [&](Session& session) { return accounts_table::user_by_id(session, me.player_id); });
    return user && user->totp_secret;
}

AccountCare::NewToken AccountCare::make_token(const Identity& me, const std::string& name,
                                              const std::string& scopes, Millis lifetime) {
    NewToken made;
    made.token = "rok_" + random_.token();
    made.record.id = random_.id();
    made.record.user_id = me.player_id;
    made.record.name = name;
    made.record.scopes = scopes;
    made.record.created_at = time_.now().wall;
    made.record.expires_at = lifetime > 0 ? made.record.created_at + lifetime : 0;
    store_.write([&](Session& session) {
        credentials_table::insert_token(session, token_hash(made.token), made.record);
    });
    return made;
}

std::vector<ApiTokenRecord> AccountCare::tokens(const Identity& me) {
    return store_.read(
        [&](Session& session) { return credentials_table::tokens_of(session, me.player_id); });
}

bool AccountCare::delete_token(const Identity& me, const std::string& id) {
    std::optional<std::string> hash;
    store_.write([&](Session& session) {
        hash = credentials_table::delete_token(session, me.player_id, id);
    });
    if (hash) accounts_.session_ended(*hash);
    return hash.has_value();
}

AccountCare::Outcome AccountCare::delete_account(const Identity& me, const std::string& password) {
    const auto user = user_with_password(me, password);
    if (!user) return user.error();
    std::vector<std::string> gone, games;
    store_.write([&](Session& session) {
        gone = accounts_table::delete_other_sessions(session, user->id, "");
        games = games_table::live_games_of(session, user->id);
        for (const GameRecord& game : games_table::challenges_of(session, user->id))
            games.push_back(game.id);
        credentials_table::erase_user(session, user->id, time_.now().wall);
    });
    for (const std::string& hash : gone) accounts_.session_ended(hash);
    accounts_.forget_player(user->id);
    if (erased_) erased_(user->id, games);
    return std::nullopt;
}

}  // namespace rokada::server
