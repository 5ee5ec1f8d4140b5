// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/accounts.hpp"

#include <utility>

#include "server/app/clean_text.hpp"
#include "server/app/names.hpp"
#include "server/app/password_rules.hpp"
#include "server/app/totp.hpp"
#include "server/store/accounts_table.hpp"
#include "server/store/credentials_table.hpp"
#include "server/store/games_table.hpp"

namespace rokada::server {
namespace {

constexpr std::size_t kCacheSize = 20'000;
constexpr Millis kCacheTime = 60'000;       // other processes may end a session
constexpr Millis kTouchInterval = 600'000;  // "last used" is exact to ten minutes

AccountProblem field_problem(std::string field, std::string_view code, std::string_view message) {
    return {422, "invalid", std::move(field), std::string(code), std::string(message)};
}

}  // namespace

SeatRecord Identity::seat() const {
    SeatRecord record;
    record.kind = kind == Kind::User ? SeatKind::User : SeatKind::Guest;
    record.player_id = player_id;
    record.name = name;
    record.bot = bot;
    return record;
}

Accounts::Accounts(Store& store, const TimeSource& time, RandomSource& random,
                   AccountOptions options, Adopted adopted, Ended ended)
    : store_(store),
      time_(time),
      random_(random),
      options_(options),
      adopted_(std::move(adopted)),
      ended_(std::move(ended)),
      dummy_hash_(unmatchable_hash(options.cost)) {}

Identity Accounts::read_identity(const std::string& hash, bool secure) {
    return store_.read([&](Session& session) -> Identity {
        const auto record = accounts_table::session_by_token_hash(session, hash);
        const Millis now = time_.now().wall;
        // A session made over TLS is never accepted in the clear.
        if (!record || (record->secure && !secure)) return {};
        const Millis idle = record->is_user ? options_.idle_ms : options_.guest_ms;
        if (now - record->last_used_at > idle + kTouchInterval) return {};
        if (record->is_user && now - record->created_at > options_.absolute_ms) return {};
        Identity identity;
        identity.player_id = record->player_id;
        identity.session_id = record->id;
        identity.session_hash = hash;
        if (record->is_user) {
            const auto user = accounts_table::user_by_id(session, record->player_id);
            if (!user || user->disabled) return {};
            identity.kind = Identity::Kind::User;
            identity.name = user->name;
            identity.admin = user->admin;
            identity.bot = user->bot;
            identity.created_at = user->created_at;
        } else {
            const auto guest = accounts_table::guest_by_id(session, record->player_id);
            if (!guest) return {};
            identity.kind = Identity::Kind::Guest;
            identity.name = "Guest " + std::to_string(guest->number);
            identity.created_at = guest->created_at;
        }
        identity.in_use_again = touch(hash, record->last_used_at);
        return identity;
    });
}

bool Identity::allows(std::string_view scope) const {
    if (!by_token) return true;
    const std::string all = " " + scopes + " ";
    return all.find(" " + std::string(scope) + " ") != std::string::npos;
}

bool Identity::covers(Scope scope) const {
    if (scope == Scope::Any || allows("play") || allows("bot:play")) return true;
    return (scope == Scope::Read && allows("read")) || (scope == Scope::Engine && allows("engine"));
}

Identity Accounts::read_bearer(const std::string& hash) {
    return store_.read([&](Session& session) -> Identity {
        const auto token = credentials_table::token_by_hash(session, hash);
        const Millis now = time_.now().wall;
        if (!token || (token->expires_at != 0 && token->expires_at < now)) return {};
        const auto user = accounts_table::user_by_id(session, token->user_id);
        if (!user || user->disabled) return {};
        Identity identity;
        identity.kind = Identity::Kind::User;
        identity.player_id = user->id;
        identity.name = user->name;
        identity.bot = user->bot;
        identity.created_at = user->created_at;
        identity.by_token = true;
        identity.session_hash = hash;
        identity.scopes = token->scopes;
        if (now - token->last_used_at > kTouchInterval)
            store_.writer().submit(
                [hash, now](Session& s) { credentials_table::touch_token(s, hash, now); },
                [](const WriteOutcome&) {}, Writes::Beside);
        return identity;
    });
}

void Accounts::forget_player(const std::string& player_id) {
    const std::lock_guard lock(mutex_);
    for (auto at = recent_.begin(); at != recent_.end();) {
        if (at->identity.player_id == player_id) {
            cache_.erase(at->hash);
            at = recent_.erase(at);
        } else {
            ++at;
        }
    }
}

void Accounts::session_ended(const std::string& session_hash, Where where) {
    drop_cached(session_hash);
    if (ended_) ended_(session_hash, where);
}

void Accounts::look_again(const Identity& who) {
    const Identity now =
        who.by_token ? read_bearer(who.session_hash) : read_identity(who.session_hash, true);
    const bool same =
        now.player_id == who.player_id && now.admin == who.admin && now.scopes == who.scopes;
    if (!same) session_ended(who.session_hash);
}

std::optional<Identity> Accounts::recall(const Visit& visit) {
    if (visit.token.empty() || visit.token.size() > 128) return Identity{};
    const std::string hash = token_hash(visit.token);
    const std::lock_guard lock(mutex_);
    const auto found = cache_.find(hash);
    if (found == cache_.end() || time_.now().wall - found->second->read_at >= kCacheTime)
        return std::nullopt;
    recent_.splice(recent_.begin(), recent_, found->second);
    const Cached& cached = *found->second;
    // A token is good in the place it was made for only.
    if (cached.identity.by_token != visit.bearer || (cached.secure && !visit.secure))
        return Identity{};
    return cached.identity;
}

Identity Accounts::identify(const Visit& visit) {
    if (auto known = recall(visit)) return *known;
    const std::string hash = token_hash(visit.token);
    const Millis now = time_.now().wall;
    Identity identity = visit.bearer ? read_bearer(hash) : read_identity(hash, visit.secure);
    if (!identity.known()) return identity;
    const std::lock_guard lock(mutex_);
    bool renew = std::exchange(identity.in_use_again, false);
    if (const auto found = cache_.find(hash); found != cache_.end()) {
        renew = renew || found->second->renew;
        recent_.erase(found->second);
        cache_.erase(found);
    }
    const bool only_secure = visit.secure && !visit.bearer;
    recent_.push_front({hash, identity, only_secure, now, renew});
    cache_[hash] = recent_.begin();
    if (recent_.size() > kCacheSize) {
        cache_.erase(recent_.back().hash);
        recent_.pop_back();
    }
    return identity;
}

bool Accounts::take_renewal(const Visit& visit) {
    if (visit.token.empty() || visit.bearer) return false;
    const std::lock_guard lock(mutex_);
    const auto found = cache_.find(token_hash(visit.token));
    return found != cache_.end() && std::exchange(found->second->renew, false);
}

void Accounts::drop_cached(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    const auto found = cache_.find(hash);
    if (found == cache_.end()) return;
    recent_.erase(found->second);
    cache_.erase(found);
}

bool Accounts::touch(const std::string& hash, Millis last_used) {
    const Millis now = time_.now().wall;
    if (now - last_used < kTouchInterval) return false;
    store_.writer().submit(
        [hash, now](Session& session) { accounts_table::touch_session(session, hash, now); },
        [](const WriteOutcome&) {}, Writes::Beside);
    return true;
}

LoggedIn Accounts::open_session(const Visit& visit, Identity identity) {
    LoggedIn login;
    login.token = random_.token();
    SessionRecord record;
    record.token_hash = token_hash(login.token);
    record.id = random_.id();
    record.player_id = identity.player_id;
    record.is_user = identity.kind == Identity::Kind::User;
    record.secure = visit.secure;
    record.created_at = record.last_used_at = time_.now().wall;
    record.agent = clean_text(visit.agent, 200);
    record.address = visit.address;
    store_.write([&record](Session& session) { accounts_table::insert_session(session, record); },
                 Writes::Beside);
    identity.session_id = record.id;
    identity.session_hash = record.token_hash;
    login.identity = std::move(identity);
    return login;
}

LoggedIn Accounts::ensure_player(const Visit& visit) {
    Identity identity = identify(visit);
    if (identity.known()) return {std::move(identity), ""};
    GuestRecord guest;
    guest.id = random_.id();
    guest.number = 1000 + random_.below(9000);
    guest.created_at = guest.last_used_at = time_.now().wall;
    store_.write([&guest](Session& session) { accounts_table::insert_guest(session, guest); },
                 Writes::Beside);
    identity.kind = Identity::Kind::Guest;
    identity.player_id = guest.id;
    identity.name = "Guest " + std::to_string(guest.number);
    identity.created_at = guest.created_at;
    return open_session(visit, std::move(identity));
}

Result<LoggedIn, AccountProblem> Accounts::register_user(const Visit& visit,
                                                         const std::string& text,
                                                         const std::string& password) {
    const auto name = parse_user_name(text);
    if (!name)
        return Error{field_problem("username", code_of(name.error()), message_of(name.error()))};
    if (const auto wrong = check_password(password, name->folded))
        return Error{field_problem("password", code_of(*wrong), message_of(*wrong))};
    const auto taken = [&] {
        return Error{field_problem("username", "taken", "This name is taken.")};
    };
    if (store_.read([&](Session& session) {
            return accounts_table::user_by_folded_name(session, name->folded).has_value();
        }))
        return taken();
    const auto hash = hash_password(password, options_.cost);
    if (!hash) return Error{AccountProblem{503, "busy", "", "", "The server is busy; try again."}};
    UserRecord user;
    user.id = random_.id();
    user.name = name->shown;
    user.folded = name->folded;
    user.password = *hash;
    user.created_at = time_.now().wall;
    const WriteOutcome outcome = store_.writer().submit_and_wait(
        [&user](Session& session) { accounts_table::insert_user(session, user); });
    if (outcome && outcome->fault == StoreFault::Unique) return taken();
    if (outcome) throw StoreError(outcome->fault, outcome->message);
    adopt_guest_of(visit, user);
    Identity identity;
    identity.kind = Identity::Kind::User;
    identity.player_id = user.id;
    identity.name = user.name;
    identity.created_at = user.created_at;
    return open_session(visit, std::move(identity));
}

Result<LoggedIn, AccountProblem> Accounts::login(const Visit& visit, const std::string& text,
                                                 const std::string& password,
                                                 const std::string& code) {
    std::optional<UserRecord> user;
    if (const auto name = parse_user_name(text))
        user = store_.read([&](Session& session) {
            return accounts_table::user_by_folded_name(session, name->folded);
        });
    const bool right = verify_password(user ? user->password : dummy_hash_, password);
    if (!user)
        return Error{AccountProblem{422, "invalid", "username", "unknown",
                                    "There is no user with this name."}};
    if (!right)
        return Error{AccountProblem{422, "invalid", "password", "wrong", "The password is wrong."}};
    if (user->disabled)
        return Error{AccountProblem{403, "disabled", "", "", "This account is disabled."}};
    if (user->totp_secret) {
        if (code.empty())
            return Error{AccountProblem{422, "invalid", "code", "required",
                                        "Enter the code of your authenticator app."}};
        const auto step =
            check_totp(*user->totp_secret, code, time_.now().wall, user->totp_last_step);
        bool fresh = false;
        if (step)
            store_.write([&](Session& session) {
                fresh = credentials_table::advance_totp(session, user->id, *step);
            });
        if (!fresh)
            return Error{AccountProblem{422, "invalid", "code", "wrong", "This code is wrong."}};
    }
    if (needs_rehash(user->password, options_.cost))
        if (const auto hash = hash_password(password, options_.cost))
            store_.write(
                [&](Session& session) { accounts_table::set_password(session, user->id, *hash); });
    adopt_guest_of(visit, *user);
    Identity identity;
    identity.kind = Identity::Kind::User;
    identity.player_id = user->id;
    identity.name = user->name;
    identity.admin = user->admin;
    identity.bot = user->bot;
    identity.created_at = user->created_at;
    return open_session(visit, std::move(identity));
}

void Accounts::adopt_guest_of(const Visit& visit, const UserRecord& user) {
    const Identity before = identify(visit);
    if (!before.known() || before.by_token) return;
    // A new login never keeps the old token (session fixation).
    if (before.kind == Identity::Kind::User) return end_session(before.session_hash);
    const auto running = store_.read(
        [&](Session& session) { return games_table::live_games_of(session, before.player_id); });
    store_.write(
        [&](Session& session) { accounts_table::adopt_guest(session, before.player_id, user.id); });
    drop_cached(before.session_hash);
    SeatRecord seat;
    seat.kind = SeatKind::User;
    seat.player_id = user.id;
    seat.name = user.name;
    if (adopted_) adopted_(before.player_id, seat, running);
    if (ended_) ended_(before.session_hash, Where::Here);
}

void Accounts::end_session(const std::string& hash) {
    store_.write([&hash](Session& session) { accounts_table::delete_session(session, hash); },
                 Writes::Beside);
    session_ended(hash);
}

void Accounts::logout(const Visit& visit) {
    if (visit.token.empty() || visit.token.size() > 128) return;
    end_session(token_hash(visit.token));
}

std::optional<UserRecord> Accounts::find_user(const std::string& text) {
    const auto name = parse_user_name(text);
    if (!name) return std::nullopt;
    return store_.read([&](Session& session) {
        return accounts_table::user_by_folded_name(session, name->folded);
    });
}

void Accounts::expire() {
    const Millis now = time_.now().wall;
    store_.writer().submit(
        [now, options = options_](Session& session) {
            accounts_table::expire(session, now - options.idle_ms, now - options.absolute_ms,
                                   now - options.guest_ms);
        },
        [](const WriteOutcome&) {});
}

}  // namespace rokada::server
