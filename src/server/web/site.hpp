// SPDX-License-Identifier: GPL-3.0-or-later
// A whole Rokada server in one object: store, games, engine, API, web client, listening sockets.
// Used by `rokada serve` and by the tests, which run real ones on loopback.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "server/api/api.hpp"
#include "server/api/log.hpp"
#include "server/app/accounts.hpp"

namespace rokada::server {

struct SiteOptions {
    std::filesystem::path data;  // empty: the default folder
    std::string database;        // postgres://...; empty: SQLite in the folder
    // nats://...: one of several servers on the same PostgreSQL; empty: the only one.
    std::string bus;
    std::string node_name;                        // shown to people; empty: the machine's
    std::vector<std::string> hosts{"localhost"};  // addresses to listen on
    std::uint16_t port = 8080;                    // 0: any free one
    std::string tls_certificate, tls_key;
    std::string public_url;  // how visitors reach it behind a proxy
    std::vector<std::string> trusted_proxies;
    std::vector<std::string> host_names;  // further names it answers to
    bool lan = false;        // on a private network: administrators need no second factor
    std::string web_folder;  // the client from here instead of the embedded one
    std::string version = "0";
    unsigned loops = 0;           // 0: one for two cores, at most 4
    unsigned engine_threads = 0;  // 0: all cores but one
    // More are refused. Visitors from this machine are counted in all only.
    std::size_t connections = 20'000, connections_per_address = 256;
    std::size_t look_again_s = 60;  // who has an open socket is asked of the disk so often
    bool human_pace = true;         // computers of limited strength take the time a person would
    Limits limits;
    PasswordCost password_cost;
    const TimeSource* time = nullptr;      // tests: a clock moved by hand
    MovePicker* picker = nullptr;          // tests: a scripted computer
    std::chrono::milliseconds beat{1000};  // tests: what happens once an hour, sooner
    const char* sqlite_vfs = nullptr;
    std::function<void()>
        exit;  // ends the program when a visitor of this machine asks; may be empty
    LogSink log;
    bool log_requests = false;
    std::optional<std::uint16_t> admin_port;  // metrics and details on loopback; 0: any free one
};

class Site {
  public:
    // The reason is one clear line for the user.
    static Result<std::unique_ptr<Site>, std::string> start(SiteOptions options);
    ~Site();  // stop
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    std::uint16_t port() const;
    std::uint16_t admin_port() const;  // 0: none
    // Path and fragment that make the first administrator; empty when there is one.
    std::string setup_link() const;
    void stop(std::chrono::milliseconds deadline = std::chrono::seconds(10));
    Store& store();
    Games& games();
    Settings& settings();
    ClusterNode* node();  // null: the only server

  private:
    struct Parts;
    explicit Site(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace rokada::server
