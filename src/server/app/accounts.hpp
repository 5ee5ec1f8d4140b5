// SPDX-License-Identifier: GPL-3.0-or-later
// Who is who: registration, login, guests, sessions. Functions block on the disk and, for passwords,
// on argon2id; call them from worker threads only. Safe from several threads.
#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chess/result.hpp"
#include "server/app/secrets.hpp"
#include "server/app/time_source.hpp"
#include "server/store/records.hpp"
#include "server/store/store.hpp"

namespace rokada::server {

// What an API token must be good for. Whoever may play may also read and use the engine.
enum class Scope { Any, Read, Play, Engine };

// Who acts. Anonymous has no player id.
struct Identity {
    enum class Kind { Anonymous, Guest, User };
    Kind kind = Kind::Anonymous;
    std::string player_id, name;
    bool admin = false, bot = false;
    Millis created_at = 0;
    std::string session_id, session_hash;  // empty: none; the hash also of an API token
    bool in_use_again = false;             // the session had not been used for a while
    // Of an API token; a browser session may do everything.
    bool by_token = false;
    std::string scopes;
    bool allows(std::string_view scope) const;
    bool covers(Scope scope) const;

    bool known() const { return kind != Kind::Anonymous; }
    SeatRecord seat() const;
};

// What a visitor brings along.
struct Visit {
    std::string token;  // of the cookie or the Authorization header; empty: none
    bool bearer = false;
    bool secure = false;
    std::string address, agent;
};

struct AccountProblem {
    int status = 422;
    std::string code;
    std::string field;  // empty: none in particular
    std::string field_code;
    std::string message;
};
struct LoggedIn {
    Identity identity;
    std::string token;  // for the cookie; only here in the clear
};

struct AccountOptions {
    PasswordCost cost;
    Millis idle_ms = Millis{30} * 24 * 3600 * 1000;       // a login unused for so long ends
    Millis absolute_ms = Millis{180} * 24 * 3600 * 1000;  // and any after so long
    Millis guest_ms = Millis{90} * 24 * 3600 * 1000;
};

class Accounts {
  public:
    // `adopted` is told which running games changed hands.
    using Adopted = std::function<void(const std::string& guest_id, const SeatRecord& user,
                                       const std::vector<std::string>& game_ids)>;
    // A session or token ended, here or at another server: its sockets are to be closed.
    enum class Where { Here, Elsewhere };
    using Ended = std::function<void(const std::string& session_hash, Where where)>;

    Accounts(Store& store, const TimeSource& time, RandomSource& random, AccountOptions options,
             Adopted adopted, Ended ended);

    Identity identify(const Visit& visit);
    // The same from memory, without blocking; nothing when it has to be read.
    std::optional<Identity> recall(const Visit& visit);
    // True once after each time a session was found in use again: the browser is to keep its cookie for
    // longer.
    bool take_renewal(const Visit& visit);
    // The identity, or a new guest session with its token.
    LoggedIn ensure_player(const Visit& visit);

    Result<LoggedIn, AccountProblem> register_user(const Visit& visit, const std::string& name,
                                                   const std::string& password);
    // `code` is of the second factor, if the user has one.
    Result<LoggedIn, AccountProblem> login(const Visit& visit, const std::string& name,
                                           const std::string& password, const std::string& code);
    void logout(const Visit& visit);
    // A session or an API token was deleted on disk: forgets it here and closes its sockets.
    void session_ended(const std::string& session_hash, Where where = Where::Here);
    void forget_player(const std::string& player_id);  // what is known of it may be out of date
    // Asks the disk whether somebody with an open socket is still who they were; another process may
    // have disabled the account. If not, it is as if the session had ended.
    void look_again(const Identity& who);

    std::optional<UserRecord> find_user(const std::string& name);
    void expire();  // now and then

  private:
    LoggedIn open_session(const Visit& visit, Identity identity);
    Identity read_identity(const std::string& hash, bool secure);
    Identity read_bearer(const std::string& hash);
    void adopt_guest_of(const Visit& visit, const UserRecord& user);
    void end_session(const std::string& hash);
    bool touch(const std::string& hash, Millis last_used);  // true when it was time
    void drop_cached(const std::string& hash);

    Store& store_;
    const TimeSource& time_;
    RandomSource& random_;
    AccountOptions options_;
    Adopted adopted_;
    Ended ended_;
    std::string dummy_hash_;  // verified when there is no such user, so that both cost the same

    struct Cached {
        std::string hash;
        Identity identity;
        bool secure = false;
        Millis read_at = 0;
        bool renew = false;  // the cookie
    };
    std::mutex mutex_;
    std::list<Cached> recent_;  // most recently used first
    std::unordered_map<std::string, std::list<Cached>::iterator> cache_;
};

}  // namespace rokada::server
