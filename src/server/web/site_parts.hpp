// SPDX-License-Identifier: GPL-3.0-or-later
// What a site is made of, for the files that make it, keep it going and tell how it is.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "net/asset.hpp"
#include "net/server.hpp"
#include "server/api/analysis_jobs.hpp"
#include "server/api/open_lines.hpp"
#include "server/api/relay.hpp"
#include "server/app/account_care.hpp"
#include "server/app/administration.hpp"
#include "server/app/engine_pool.hpp"
#include "server/app/nats_bus.hpp"
#include "server/app/settings.hpp"
#include "server/web/live_hub.hpp"
#include "server/web/machine.hpp"
#include "server/web/site.hpp"

namespace rokada::server {

// In the order they are made; taken down by Site::stop.
struct Site::Parts {
    SiteOptions options;
    SystemTime system_time;
    SystemRandom random;
    std::unique_ptr<EventBus> bus;
    NatsBus* nats = nullptr;  // the same one, if it is
    std::unique_ptr<Store> store;
    std::unique_ptr<net::Loops> loops;
    std::unique_ptr<net::WorkerPool> workers, hashing;
    std::unique_ptr<EnginePool> engines;
    std::unique_ptr<JobDesk> desk;  // with PostgreSQL: workers elsewhere may help
    std::unique_ptr<AnalysisJobs> analyses;
    std::unique_ptr<Throttles> throttles;
    OpenLines lines;
    ApiServices api;
    std::unique_ptr<Security> security;
    std::unique_ptr<LiveHub> hub;
    std::unique_ptr<ClusterNode> node;
    std::unique_ptr<Games> games;
    std::unique_ptr<Relay> relay;
    std::unique_ptr<Accounts> accounts;
    std::unique_ptr<AccountCare> care;
    std::unique_ptr<Settings> settings;
    std::unique_ptr<Administration> administration;
    std::string setup_link;
    Metrics metrics;
    std::unique_ptr<net::Server> server, admin;
    std::uint16_t admin_port = 0;
    std::unique_ptr<net::Timer> heartbeat;
    int beats = 0;
    std::uint16_t port = 0;
    bool stopped = false;

    unsigned engine_threads() const {
        return options.engine_threads != 0 ? options.engine_threads : std::max(1u, cores() - 1);
    }
    const TimeSource& time() const { return options.time ? *options.time : system_time; }
    void log(LogLevel level, std::string event, std::string detail = {}) const {
        if (!options.log) return;
        LogEntry entry{level, std::move(event), {}};
        if (!detail.empty()) entry.fields.emplace_back("detail", std::move(detail));
        options.log(entry);
    }
    void request_done(const net::ServerHooks::Done& done);
    std::string metrics_text();
    std::string details();
    bool ready() const { return api.ready() && store->writer().takes_writes(); }

    void make_bus();
    void join_cluster();
    void make_desk();
    void make_services();
    net::Router make_router(std::shared_ptr<const net::AssetStore> assets);
    net::ServerOptions server_options();
    void account_changed(const AccountChange& change);
    void look_again();
    void beat();
    void read_settings();
    void daily_backup();
};

}  // namespace rokada::server
