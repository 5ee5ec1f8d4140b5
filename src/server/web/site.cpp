// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/site.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "net/json.hpp"
#include "net/server.hpp"
#include "net/url.hpp"
#include "server/api/analysis_jobs.hpp"
#include "server/api/here_routes.hpp"
#include "server/api/json_text.hpp"
#include "server/api/live_out.hpp"
#include "server/api/relay.hpp"
#include "server/app/account_care.hpp"
#include "server/app/administration.hpp"
#include "server/app/engine_pool.hpp"
#include "server/app/nats_bus.hpp"
#include "server/app/settings.hpp"
#include "server/store/games_table.hpp"
#include "server/store/postgres_session.hpp"
#include "server/web/admin_port.hpp"
#include "server/web/api_page.hpp"
#include "server/web/assets.hpp"
#include "server/web/cluster_metrics.hpp"
#include "server/web/live_hub.hpp"
#include "server/web/page_head.hpp"

namespace rokada::server {
namespace {

// A game's serial line of work on one of the loops.
class LoopStrand final : public GameStrand {
  public:
    explicit LoopStrand(net::Strand strand) : strand_(strand), timer_(strand) {}
    void post(std::function<void()> task) override { strand_.dispatch(std::move(task)); }
    bool here() const override { return strand_.on_this_thread(); }
    void set_alarm(Millis steady, std::function<void()> task) override {
        set_ = true;
        timer_.start_at(net::Clock::time_point(std::chrono::milliseconds(steady)), std::move(task));
    }
    void cancel_alarm() override {
        if (std::exchange(set_, false)) timer_.cancel();
    }

  private:
    net::Strand strand_;
    net::Timer timer_;
    bool set_ = false;
};

// As many as the system gives us, less what the store and the pages need.
std::size_t room_for_connections() {
    constexpr std::size_t kOwnFiles = 128;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<std::size_t>::max();
    const auto all = static_cast<std::size_t>(limit.rlim_cur);
    return all > 2 * kOwnFiles ? all - kOwnFiles : kOwnFiles;
}

std::string machine_name() {
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "server";
}

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace

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

    void make_bus();
    void join_cluster();
    void make_desk();
    void make_services();
    net::Router make_router(std::shared_ptr<const net::AssetStore> assets);
    net::ServerOptions server_options();
    void beat();
    void daily_backup();
};

void Site::Parts::make_bus() {
    if (options.bus.empty()) {
        bus = std::make_unique<LocalBus>();
        return;
    }
    // All servers of one database, and no others, hear each other.
    store->write([this](Session& session) {
        if (!games_table::fact(session, "realm"))
            games_table::set_fact(session, "realm", random.id());
    });
    NatsBusOptions made;
    made.nats = *net::parse_nats_urls(options.bus);
    made.nats.name = "rokada " + options.node_name;
    made.realm = store->read([](Session& session) { return *games_table::fact(session, "realm"); });
    made.on_state = [this](bool connected, const std::string& why) {
        log(connected ? LogLevel::Info : LogLevel::Warning,
            connected ? "bus_connected" : "bus_lost", why);
    };
    auto connected = std::make_unique<NatsBus>(loops->next(), std::move(made));
    nats = connected.get();
    bus = std::move(connected);
}

void Site::Parts::join_cluster() {
    ClusterNodeOptions made;
    made.store = store.get();
    made.id = random.id();
    made.name = options.node_name;
    made.version = options.version;
    made.on_orphans = [this](const std::vector<std::string>& ids) { games->take_over(ids); };
    made.on_lapse = [this](const auto& still) {
        log(LogLevel::Warning, "lease_lapsed",
            std::to_string(still.size()) + " games are still ours");
        games->keep_only(still);
    };
    made.on_trouble = [this](const std::optional<std::string>& trouble) {
        log(trouble ? LogLevel::Warning : LogLevel::Info,
            trouble ? "lease_in_danger" : "lease_safe", trouble.value_or(""));
    };
    made.hears = [this](const std::vector<cluster_table::Peer>& others) -> std::int64_t {
        std::int64_t heard = 0;
        for (const cluster_table::Peer& peer : others) heard += relay->hears(peer.id) ? 1 : 0;
        return 2 * heard + (nats->connected() ? 1 : 0);
    };
    made.on_aside = [this](bool aside) {
        log(LogLevel::Warning, aside ? "stepped_aside" : "stepped_back",
            aside ? "the others hear each other but not us" : "");
        if (aside) games->keep_only({});
    };
    // Late news of a lease are no better than none.
    made.connect = [url = options.database] { return open_postgres(url, std::chrono::seconds(2)); };
    node = std::make_unique<ClusterNode>(std::move(made));
}

void Site::Parts::make_desk() {
    JobDeskOptions made;
    made.connect = [url = options.database] { return open_postgres(url); };
    made.id = random.id();
    made.name = options.node_name.empty() ? machine_name() : options.node_name;
    made.bus = bus.get();
    made.room = engine_threads();
    made.do_here = [this](const JobRecord& job) { return analyses->do_here(job.id); };
    made.on_trouble = [this](const std::optional<std::string>& trouble) {
        log(trouble ? LogLevel::Warning : LogLevel::Info, trouble ? "jobs_stuck" : "jobs_go_on",
            trouble.value_or(""));
    };
    desk = std::make_unique<JobDesk>(std::move(made));
    analyses->use(*desk);
}

void Site::Parts::make_services() {
    const auto on_error = [this](const std::string& what) {
        log(LogLevel::Error, "internal_error", what);
    };
    // The writer and the engine need the other cores, and a game that stays on one thread is cheap.
    const unsigned usual = std::clamp((cores() + 1) / 2, 1u, 4u);
    loops = std::make_unique<net::Loops>(options.loops != 0 ? options.loops : usual, on_error);
    workers = std::make_unique<net::WorkerPool>("store", 4, 4096, on_error);
    make_bus();
    // Each hash takes 64 MB and a core for a tenth of a second: few at once, many may wait.
    hashing = std::make_unique<net::WorkerPool>("passwords", std::clamp(cores() / 2, 1u, 4u), 256,
                                                on_error);
    if (options.picker == nullptr) {
        EnginePoolOptions pool;
        pool.threads = engine_threads();
        engines = std::make_unique<EnginePool>(pool);
        options.picker = engines.get();
    }
    analyses = std::make_unique<AnalysisJobs>(*options.picker, *loops, time(), random);
    analyses->keep_review = [this](const std::string& game, const std::string& review) {
        try {
            store->write([&](Session& session) {
                games_table::save_review(session, game, review, time().now().wall);
            });
        } catch (const StoreError& error) {
            log(LogLevel::Error, "review_not_kept", error.what());
        }
    };
    if (!store->is_sqlite()) make_desk();
    throttles = std::make_unique<Throttles>(options.limits);
    std::vector<std::string> names = own_host_names();
    names.insert(names.end(), options.host_names.begin(), options.host_names.end());
    if (const auto url = net::parse_url(options.public_url)) names.push_back(url->host);
    security = std::make_unique<Security>(std::move(names));
    hub = std::make_unique<LiveHub>(api, *bus, *security);

    if (!options.bus.empty()) join_cluster();
    GamesOptions games_options;
    games_options.cluster = node.get();
    games_options.store = store.get();
    games_options.random = &random;
    games_options.services.time = &time();
    games_options.services.picker = options.picker;
    games_options.services.bus = bus.get();
    games_options.services.human_pace = options.human_pace;
    games_options.services.encode_event = [](const GameEvent& event, const GameRecord& game) {
        return live_out::event(event, game.id, game.settings);
    };
    games_options.services.encode_presence = [](const LiveGame& game, Millis steady, int watchers) {
        return live_out::presence(game, steady, watchers);
    };
    games_options.services.listed = [this](const LiveGame& game) {
        hub->publish_listed(game.record());
    };
    games_options.make_strand = [this](const std::string& id) {
        return std::make_unique<LoopStrand>(loops->strand_for(std::hash<std::string>{}(id)));
    };
    games_options.run_blocking = [this](std::function<void()> work) {
        return workers->try_post(std::move(work));
    };
    games = std::make_unique<Games>(std::move(games_options));

    AccountOptions account_options;
    account_options.cost = options.password_cost;
    accounts = std::make_unique<Accounts>(
        *store, time(), random, account_options,
        [this](const std::string& guest, const SeatRecord& user,
               const std::vector<std::string>& ids) {
            games->adopt(guest, user, ids);
            if (relay) relay->announce_adoption(guest, user, ids);
        },
        [this](const std::string& session_hash, Accounts::Where where) {
            hub->close_session(session_hash);
            if (relay && where == Accounts::Where::Here) relay->announce_end(session_hash);
        });

    care = std::make_unique<AccountCare>(*store, time(), random, options.password_cost, *accounts);

    settings = std::make_unique<Settings>(*store);
    administration =
        std::make_unique<Administration>(*store, time(), random, options.password_cost);
    if (const auto code = administration->new_setup_code()) setup_link = "/setup#" + *code;

    api.settings = settings.get();
    api.administration = administration.get();
    api.admins_need_totp = !options.lan;
    api.store = store.get();
    api.care = care.get();
    api.accounts = accounts.get();
    api.games = games.get();
    if (node) relay = std::make_unique<Relay>(api, node->id());
    api.relay = relay.get();
    if (relay)
        nats->keep(
            {[this](const std::string& topic, bool listens) {
                 relay->audience().here(topic, listens);
             },
             [this](const std::string& topic) { return relay->audience().elsewhere(topic); }});
    if (relay)
        throttles->tell([this](std::string_view limit, std::string_view key, int cost) {
            relay->announce_taken(limit, key, cost);
        });
    api.picker = options.picker;
    api.analyses = analyses.get();
    api.time = &time();
    api.random = &random;
    api.bus = bus.get();
    api.loops = loops.get();
    api.workers = workers.get();
    api.hashing = hashing.get();
    api.throttles = throttles.get();
    api.version = options.version;
    for (const std::string& host : options.hosts)
        if (const auto address = net::Address::parse(host);
            api.network_host.empty() && address && address->is_v4() && address->is_private() &&
            !address->is_loopback())
            api.network_host = host;
    api.exit = options.exit;
    api.metrics = &metrics;
    api.log_sink = options.log;
    api.ready = [this] { return server && !server->stopping() && (!node || node->serves()); };
}

net::Router Site::Parts::make_router(std::shared_ptr<const net::AssetStore> assets) {
    net::Router router;
    add_account_routes(router, api);
    add_account_care_routes(router, api);
    add_admin_routes(router, api);
    add_game_routes(router, api);
    add_game_action_routes(router, api);
    add_upload_routes(router, api);
    add_engine_routes(router, api);
    add_here_routes(router, api);
    add_analysis_routes(router, api);
    add_import_routes(router, api);
    add_server_routes(router, api);
    add_lichess_routes(router, api);
    hub->add_route(router);
    if (const net::Asset* description = assets->find("/api/openapi.json"))
        add_api_page(router, *description->identity);
    add_page_heads(router, api, assets);
    add_asset_routes(router, std::move(assets));
    return router;
}

net::ServerOptions Site::Parts::server_options() {
    net::ServerOptions result;
    // Beyond 4096 bytes the live socket says so itself; this is where reading stops.
    result.limits.websocket.read_message_max = 16 * 1024;
    result.limits.connections = std::min(options.connections, room_for_connections());
    result.limits.connections_per_address = options.connections_per_address;
    for (const char* own : {"127.0.0.0/8", "::1"})
        result.uncapped.push_back(*net::AddressRange::parse(own));
    result.hooks.gate = [this](const net::Request& request, std::size_t&) {
        return security->check(request);
    };
    result.hooks.on_response = [this](const net::Request* request, net::Response& response) {
        security->add_headers(request, response);
    };
    result.hooks.on_error = [this](const std::string& what) {
        log(LogLevel::Error, "internal_error", what);
    };
    result.hooks.on_done = [this](const net::ServerHooks::Done& done) { request_done(done); };
    return result;
}

void Site::Parts::request_done(const net::ServerHooks::Done& done) {
    metrics.requests.add(done.duration);
    const std::string_view route = done.request ? done.request->route : "";
    metrics.answered(route, done.status);
    if (!options.log || !options.log_requests) return;
    // The pattern, not the path with its query: nothing private can be in it.
    LogEntry entry{LogLevel::Info, "request", {}};
    if (done.request) {
        entry.fields.emplace_back("method", done.request->method_text.empty()
                                                ? std::string(net::to_string(done.request->method))
                                                : done.request->method_text);
        entry.fields.emplace_back("route", route.empty() ? "other" : std::string(route));
        entry.fields.emplace_back("address", done.request->remote.text());
    }
    entry.fields.emplace_back("status", std::to_string(done.status));
    entry.fields.emplace_back(
        "ms", std::to_string(
                  std::chrono::duration_cast<std::chrono::milliseconds>(done.duration).count()));
    options.log(entry);
}

std::string Site::Parts::metrics_text() {
    MetricsText text;
    const auto count = [](auto value) { return static_cast<double>(value); };
    metrics.write(text);
    const net::ServerStats stats = server->stats();
    text.gauge("rokada_connections", "Open connections.", count(stats.connections));
    text.gauge("rokada_websockets", "Live sockets.", count(stats.websockets));
    text.gauge("rokada_streams", "Open event streams.", count(stats.streams));
    text.counter("rokada_connections_refused_total", "Over a limit.", count(stats.refused));
    text.counter("rokada_bad_requests_total", "Malformed or too big.", count(stats.bad_requests));
    text.counter("rokada_timeouts_total", "Clients that were too slow.", count(stats.timeouts));
    text.counter("rokada_slow_readers_total", "Sockets and streams dropped for that reason.",
                 count(stats.slow_readers));
    text.gauge("rokada_games_loaded", "Games in memory.", count(games->loaded()));
    const Writer::Counters& writes = store->writer().counters();
    text.counter("rokada_store_commits_total", "Commits on disk.", count(writes.commits.load()));
    text.counter("rokada_store_writes_total", "Changes in them.", count(writes.writes.load()));
    text.counter("rokada_store_failures_total", "Changes that failed.",
                 count(writes.failures.load()));
    text.counter("rokada_store_busy_seconds_total", "Time spent committing.",
                 count(writes.busy_us.load()) / 1e6);
    text.gauge("rokada_store_broken", "1 after a failed sync.", store->writer().broken() ? 1 : 0);
    text.gauge("rokada_store_queue", "Reads and writes that wait for a thread.",
               count(workers->queued()));
    text.gauge("rokada_password_queue", "Passwords that wait to be checked.",
               count(hashing->queued()));
    if (engines) text.gauge("rokada_engine_queue", "Searches that wait.", count(engines->queued()));
    text.gauge("rokada_analyses", "Analyses that run or wait.", count(analyses->running()));
    if (desk) text.gauge("rokada_workers", "Workers that are there.", count(desk->workers()));
    if (node) write_cluster_metrics(text, *node, *nats, *relay);
    text.gauge("rokada_loop_lag_seconds", "Longest wait for an event loop since the last look.",
               std::chrono::duration<double>(loops->take_worst_lag()).count());
    const ProcessUse use = process_use();
    text.gauge("process_resident_memory_bytes", "Resident memory.", use.resident_bytes);
    text.gauge("process_open_fds", "Open files.", use.open_files);
    text.counter("process_cpu_seconds_total", "Processor time.", use.cpu_seconds);
    text.head("rokada_info", "The version.", "gauge");
    text.line("rokada_info", "version=\"" + options.version + "\"", 1);
    return std::move(text.text());
}

std::string Site::Parts::details() {
    JsonText json;
    json.open_object().field("version", options.version);
    json.field("ready", api.ready() && !store->writer().broken());
    json.field("stopping", server->stopping())
        .field("store", store->is_sqlite() ? "sqlite" : "postgres");
    json.field("store_broken", store->writer().broken());
    json.field("games_loaded", static_cast<std::int64_t>(games->loaded()));
    json.field("analyses", static_cast<std::int64_t>(analyses->running()));
    return json.close_object().take();
}

// A copy when the newest is a day old; the last seven are kept.
void Site::Parts::daily_backup() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto now = fs::file_time_type::clock::now();
    for (const auto& entry : fs::directory_iterator(store->folder() / "backups", ignored))
        if (entry.path().filename().string().rfind("daily-", 0) == 0 &&
            now - entry.last_write_time(ignored) < std::chrono::hours(24))
            return;
    try {
        log(LogLevel::Info, "backup", store->backup("daily-", 7).string());
    } catch (const StoreError& error) {
        log(LogLevel::Error, "backup_failed", error.what());
    }
}

void Site::Parts::beat() {
    games->tick();
    if (relay) relay->beat();
    if (beats % 60 == 0) analyses->sweep();
    if (++beats % 3600 == 0) {
        accounts->expire();
        const Millis week = Millis{7} * 24 * 3600 * 1000;
        const bool queued = workers->try_post([this, before = time().now().wall - week] {
            try {
                games->expire_challenges(before);
            } catch (const StoreError& error) {
                log(LogLevel::Error, "sweep_failed", error.what());
            }
        });
        if (!queued) log(LogLevel::Warning, "sweep_put_off", "the server is busy");
    }
    if (beats % 3600 == 60 && store->is_sqlite()) {
        const bool queued = workers->try_post([this] { daily_backup(); });
        if (!queued) log(LogLevel::Warning, "backup_put_off", "the server is busy");
    }
    heartbeat->start(std::chrono::seconds(1), [this] { beat(); });
}

Site::Site(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Site::~Site() { stop(); }
std::uint16_t Site::port() const { return parts_->port; }
std::uint16_t Site::admin_port() const { return parts_->admin_port; }
std::string Site::setup_link() const { return parts_->setup_link; }
Store& Site::store() { return *parts_->store; }
Games& Site::games() { return *parts_->games; }
Settings& Site::settings() { return *parts_->settings; }
ClusterNode* Site::node() { return parts_->node.get(); }

Result<std::unique_ptr<Site>, std::string> Site::start(SiteOptions options) {
    auto parts = std::make_unique<Parts>();
    parts->options = std::move(options);
    const SiteOptions& o = parts->options;
    net::ServerOptions server_options = parts->server_options();
    for (const std::string& text : o.trusted_proxies) {
        const auto range = net::AddressRange::parse(text);
        if (!range) return Error{"--trusted-proxy: not an address or range: " + text};
        server_options.trusted_proxies.push_back(*range);
    }
    const bool tls = !o.tls_certificate.empty();
    if (tls) {
        auto context = net::TlsServerContext::load(o.tls_certificate, o.tls_key);
        if (!context) return Error{context.error()};
        server_options.tls = std::move(*context);
    }
    if (!o.public_url.empty() && !net::parse_url(o.public_url))
        return Error{"--public-url: not a web address: " + o.public_url};
    if (!o.bus.empty()) {
        const auto bus = net::parse_nats_urls(o.bus);
        if (!bus) return Error{"--bus: " + bus.error()};
        if (o.database.empty())
            return Error{std::string("--bus: several servers need one PostgreSQL (--db)")};
        if (o.node_name.empty()) parts->options.node_name = machine_name();
    }
    auto assets = load_assets(o.web_folder);
    if (!assets) return Error{assets.error()};
    try {
        parts->store = std::make_unique<Store>(StoreOptions{
            o.data.empty() ? default_data_folder() : o.data, o.database, o.sqlite_vfs});
    } catch (const StoreError& error) {
        return Error{std::string(error.what())};
    }
    try {
        parts->make_services();
    } catch (const StoreError& error) {
        return Error{std::string(error.what())};
    }
    Parts& p = *parts;
    p.server = std::make_unique<net::Server>(*p.loops, p.make_router(std::move(*assets)),
                                             std::move(server_options));
    auto site = std::unique_ptr<Site>(new Site(std::move(parts)));
    try {
        if (p.node) {
            p.relay->start(p.server->router());
            p.node->start();
        } else {
            p.games->resume_all();
        }
    } catch (const StoreError& error) {
        return Error{std::string(error.what())};
    }
    for (const std::string& host : p.options.hosts) {
        const std::uint16_t wanted = p.port != 0 ? p.port : p.options.port;
        const auto port = p.server->listen({host, wanted, tls});
        if (!port) {
            const auto& error = port.error();
            if (error.kind != net::ListenError::Kind::kInUse) return Error{error.message};
            const auto free = net::next_free_port(host, static_cast<std::uint16_t>(wanted + 1));
            return Error{"port " + std::to_string(wanted) + " is in use" +
                         (free ? "; --port " + std::to_string(*free) + " is free" : "")};
        }
        p.port = *port;
    }
    if (p.options.admin_port) {
        net::ServerOptions admin;
        admin.hooks.gate = [&p](const net::Request& request, std::size_t&) {
            return p.security->check(request);
        };
        AdminView view{[&p] { return p.metrics_text(); }, [&p] { return p.details(); },
                       [&p] { return p.api.ready() && !p.store->writer().broken(); },
                       p.options.version};
        p.admin = std::make_unique<net::Server>(*p.loops, make_admin_router(std::move(view)),
                                                std::move(admin));
        const auto port = p.admin->listen({"localhost", *p.options.admin_port, false});
        if (!port) return Error{"--admin-port: " + port.error().message};
        p.admin_port = *port;
    }
    p.heartbeat = std::make_unique<net::Timer>(p.loops->executor(0));
    p.loops->executor(0).post([&p] { p.beat(); });
    return site;
}

void Site::stop(std::chrono::milliseconds deadline) {
    Parts& p = *parts_;
    if (p.stopped) return;
    p.stopped = true;
    if (p.node) p.node->drain();
    if (p.server) p.server->stop(deadline);
    if (p.admin) p.admin->stop(std::chrono::seconds(1));
    if (p.relay) p.relay->stop();
    if (p.workers) p.workers->stop();
    if (p.hashing) p.hashing->stop();
    if (p.desk) p.desk->stop();
    p.engines.reset();
    // The last heartbeat: clocks are charged up to here when the server comes back.
    if (p.games) p.games->tick();
    if (p.loops) p.loops->stop();
    if (p.nats) p.nats->keep({});
    if (p.store) p.store->writer().submit_and_wait([](Session&) {});
    try {
        if (p.node) p.node->leave();
    } catch (const StoreError& error) {
        p.log(LogLevel::Warning, "lease_left_behind", error.what());
    }
}

}  // namespace rokada::server
