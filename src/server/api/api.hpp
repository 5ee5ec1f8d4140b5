// SPDX-License-Identifier: GPL-3.0-or-later
// What the HTTP routes stand on: the services, the pools for blocking work, the throttles, and the
// few steps every route shares (who asks, reading the body, answering problems).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/loop.hpp"
#include "net/router.hpp"
#include "server/api/log.hpp"
#include "server/api/throttles.hpp"
#include "server/app/accounts.hpp"
#include "server/app/games.hpp"
#include "server/app/metrics.hpp"
#include "server/app/move_picker.hpp"

namespace rokada::net {
class ObjectReader;
}

namespace rokada::server {

class AccountCare;
class AnalysisJobs;
class Administration;
class Settings;
class Relay;
class OpenLines;

struct ApiServices {
    Store* store = nullptr;
    Accounts* accounts = nullptr;
    AccountCare* care = nullptr;
    Administration* administration = nullptr;
    Settings* settings = nullptr;
    bool admins_need_totp = true;
    Games* games = nullptr;
    Relay* relay = nullptr;  // to the other servers; null: the only one
    MovePicker* picker = nullptr;
    AnalysisJobs* analyses = nullptr;
    const TimeSource* time = nullptr;
    RandomSource* random = nullptr;
    EventBus* bus = nullptr;
    net::Loops* loops = nullptr;
    net::WorkerPool* workers = nullptr;  // database
    net::WorkerPool* hashing = nullptr;  // passwords
    Throttles* throttles = nullptr;
    OpenLines* lines = nullptr;
    std::string version;
    std::string network_host;  // an address of this machine on its network, if it listens there
    std::function<bool()> ready;
    std::function<void()> exit;  // empty: the page cannot stop the server
    Metrics* metrics = nullptr;
    LogSink log_sink;

    void log(LogLevel level, std::string event,
             std::vector<std::pair<std::string, std::string>> fields) const {
        if (log_sink) log_sink({level, std::move(event), std::move(fields)});
    }
};

// The address the visitor came by: scheme and host, e.g. "http://192.168.1.7:8080".
std::string visited_address(const net::Request& request);
// The address for an invitation: the visited one, but on the network when that one is of use on this machine only.
std::string invitation_address(const net::Request& request, std::string_view network_host);
// Loopback names and addresses: friends cannot follow such a link.
bool is_loopback_host(std::string_view host);

std::string session_cookie_name(bool tls);
Visit visit_of(const net::Request& request);
net::Response with_session_cookie(net::Response response, const net::Request& request,
                                  const std::string& token);
net::Response without_session_cookie(net::Response response, const net::Request& request);

inline void reply(const net::Responder& responder, net::Response response) {
    responder.send(std::move(response));  // false only when somebody answered before
}
net::Response refusal_response(const Refusal& refusal);
net::Response too_many(net::Clock::duration retry_after);
net::Response overloaded();

// Reads the JSON object of a body, of which an empty one is an empty object. False when it is no good; the problem is
// answered then.
using Fields = std::function<void(net::ObjectReader&)>;
bool read_fields(const net::Request& request, const net::Responder& responder,
                 const Fields& fields);

// Runs `work` on the pool; answers 503 when it is full and a problem when the store fails.
void on_pool(net::WorkerPool& pool, const net::Responder& responder, std::function<void()> work);

// Finds out who asks, without or with making a guest, then goes on (on a loop or a worker thread). A token
// needs the scope; without one given, to read for GET and to play for everything else.
void with_identity(ApiServices& api, const net::RequestPtr& request,
                   const net::Responder& responder, std::function<void(const Identity&)> next,
                   std::optional<Scope> scope = std::nullopt);
net::Response wrong_scope(Scope scope);
// `finish` must be applied to the answer: it sets the cookie of a new guest.
using Finish = std::function<net::Response(net::Response)>;
void with_player(ApiServices& api, const net::RequestPtr& request, const net::Responder& responder,
                 std::function<void(const Identity&, const Finish&)> next);

void add_account_routes(net::Router& router, ApiServices& api);
void add_account_care_routes(net::Router& router, ApiServices& api);
void add_admin_routes(net::Router& router, ApiServices& api);
void add_game_routes(net::Router& router, ApiServices& api);
void add_game_action_routes(net::Router& router, ApiServices& api);
void add_upload_routes(net::Router& router, ApiServices& api);
void add_engine_routes(net::Router& router, ApiServices& api);
void add_analysis_routes(net::Router& router, ApiServices& api);
void add_import_routes(net::Router& router, ApiServices& api);
void add_server_routes(net::Router& router, ApiServices& api);
void add_lichess_routes(net::Router& router, ApiServices& api);

}  // namespace rokada::server
