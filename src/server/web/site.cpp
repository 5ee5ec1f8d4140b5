// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/site.hpp"

#include <functional>
#include <utility>

#include "net/json.hpp"
#include "net/url.hpp"
#include "server/api/here_routes.hpp"
#include "server/api/live_out.hpp"
#include "server/store/games_table.hpp"
#include "server/store/postgres_session.hpp"
#include "server/web/admin_port.hpp"
#include "server/web/api_page.hpp"
#include "server/web/assets.hpp"
#include "server/web/loop_strand.hpp"
#include "server/web/page_head.hpp"
#include "server/web/ports.hpp"
#include "server/web/site_parts.hpp"

namespace rokada::server {

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
    made.on_orphans = [this](const auto& taken) { games->take_over(taken); };
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
        relay->alone(!others.empty() && heard == 0);
        return 2 * heard + (nats->connected() ? 1 : 0);
    };
    made.silence = [this](const std::vector<cluster_table::Peer>& others) {
        Millis longest = 0;
        for (const cluster_table::Peer& peer : others)
            longest = std::max(longest, relay->silence(peer.id));
        return longest;
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
    games_options.services.ask_excuse = [this](const std::string& game, const std::string& player) {
        if (relay) relay->excuse(game, player);
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
            lines.close(session_hash);
            if (relay && where == Accounts::Where::Here) relay->announce_end(session_hash);
        });

    care = std::make_unique<AccountCare>(
        *store, time(), random, options.password_cost, *accounts,
        [this](const std::string& player, const std::vector<std::string>& ids) {
            lines.close_player(player);
            games->erase(player, ids);
            if (relay) relay->announce_erasure(player, ids);
        });

    settings = std::make_unique<Settings>(*store);
    administration = std::make_unique<Administration>(
        *store, time(), random, options.password_cost,
        [this](const AccountChange& change) { account_changed(change); });
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
    api.lines = &lines;
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

void Site::Parts::account_changed(const AccountChange& change) {
    for (const std::string& hash : change.ended_sessions) accounts->session_ended(hash);
    accounts->forget_player(change.player_id);
    if (change.lost_rights) lines.close_player(change.player_id);
    if (relay) relay->announce_change(change.player_id, change.lost_rights);
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
    // A public address means a proxy, and most often it runs on this machine.
    if (!o.public_url.empty() && o.trusted_proxies.empty())
        for (const char* own : {"127.0.0.0/8", "::1"})
            server_options.trusted_proxies.push_back(*net::AddressRange::parse(own));
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
    // Before the data is touched: a start that fails must not leave a trace there.
    auto ports = take_ports(o);
    if (!ports) return Error{ports.error()};
    try {
        parts->store = std::make_unique<Store>(
            StoreOptions{o.data.empty() ? default_data_folder() : o.data, o.database, o.sqlite_vfs},
            o.bus.empty() ? StoreSharing::Exclusive : StoreSharing::OneOfSeveral);
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
    for (net::TakenPort& taken : ports->visitors) {
        const auto port = p.server->serve(std::move(taken));
        if (!port) return Error{port.error().message};
        p.port = *port;
    }
    if (ports->admin) {
        net::ServerOptions admin;
        admin.hooks.gate = [&p](const net::Request& request, std::size_t&) {
            return p.security->check(request);
        };
        AdminView view{[&p] { return p.metrics_text(); }, [&p] { return p.details(); },
                       [&p] { return p.ready(); }, p.options.version};
        p.admin = std::make_unique<net::Server>(*p.loops, make_admin_router(std::move(view)),
                                                std::move(admin));
        const auto port = p.admin->serve(std::move(*ports->admin));
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
