// SPDX-License-Identifier: GPL-3.0-or-later
// rokada worker: does the jobs of servers, and of the lab, on this machine.
#include <algorithm>
#include <map>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/lab_jobs.hpp"
#include "cli/stop_signal.hpp"
#include "net/loop.hpp"
#include "server/api/analysis_work.hpp"
#include "server/api/log.hpp"
#include "server/app/engine_pool.hpp"
#include "server/app/job_worker.hpp"
#include "server/app/nats_bus.hpp"
#include "server/app/secrets.hpp"
#include "server/app/time_source.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_session.hpp"

namespace rokada::cli {
namespace {

using namespace server;

struct WorkerOptions {
    std::string database, bus, name, log = "plain";
    unsigned threads = 0;
    std::vector<std::string> kinds;
};

std::string machine_name() {
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "worker";
}

std::map<std::string, JobHandler> all_handlers(MovePicker& picker) {
    std::map<std::string, JobHandler> handlers;
    for (const std::string_view kind : {kAnalysisKind, kReviewKind})
        handlers.emplace(kind, analysis_handler(picker));
    handlers.emplace(kDatagenKind, datagen_handler());
    handlers.emplace(kRelabelKind, relabel_handler());
    handlers.emplace(kMatchKind, match_handler());
    return handlers;
}

// The same as that of the servers on this database; nothing if none has been there with --bus.
std::optional<std::string> realm(Session& session) {
    if (!schema_is_ready(session))
        throw StoreError(StoreFault::Other,
                         "the database is not ready: start a server of this version first");
    return games_table::fact(session, "realm");
}

int work(const WorkerOptions& options) {
    const StopSignal stop;

    const auto log = [format = options.log == "json" ? LogFormat::Json : LogFormat::Plain](
                         const std::string& event, const std::string& detail) {
        LogEntry entry{LogLevel::Info, event, {}};
        if (!detail.empty()) entry.fields.emplace_back("detail", detail);
        fmt::print(stderr, "{}\n", log_line(entry, format, SystemTime().now().wall));
    };
    EnginePoolOptions pool;
    pool.threads = options.threads;
    EnginePool engines(pool);
    SystemRandom random;
    JobWorkerOptions made;
    made.connect = [&options] { return open_postgres(options.database); };
    made.id = random.id();
    made.name = options.name;
    made.version = ROKADA_VERSION;
    made.threads = options.threads;
    made.log = log;
    auto handlers = all_handlers(engines);
    for (const std::string& kind : options.kinds) {
        auto handler = handlers.extract(kind);
        if (handler.empty()) {
            fmt::print(stderr, "rokada worker: --kinds: there is no kind '{}'\n", kind);
            return 2;
        }
        made.handlers.insert(std::move(handler));
    }
    if (options.kinds.empty()) {
        made.handlers = std::move(handlers);
        // It starts whatever programs the match names: only if somebody says so.
        made.handlers.erase(std::string(kMatchKind));
    }

    net::Loops loops(options.bus.empty() ? 0 : 1);
    std::unique_ptr<NatsBus> bus;
    try {
        if (!options.bus.empty()) {
            const auto servers = net::parse_nats_urls(options.bus);
            if (!servers) {
                fmt::print(stderr, "rokada worker: --bus: {}\n", servers.error());
                return 2;
            }
            const auto known = realm(*made.connect());
            if (!known)
                throw StoreError(StoreFault::Other, "--bus: no server with --bus has used it yet");
            NatsBusOptions bus_options;
            bus_options.nats = *servers;
            bus_options.nats.name = "rokada worker " + options.name;
            bus_options.realm = *known;
            bus_options.on_state = [&log](bool connected, const std::string& why) {
                log(connected ? "bus_connected" : "bus_lost", why);
            };
            bus = std::make_unique<NatsBus>(loops.next(), std::move(bus_options));
            made.bus = bus.get();
        } else {
            realm(*made.connect());
        }
        JobWorker worker(std::move(made));
        fmt::print("Rokada works: {} at the same time\n", options.threads);
        std::fflush(stdout);
        stop.wait();
        fmt::print(stderr, "Stopping.\n");
        worker.stop();
        fmt::print(stderr, "{} jobs done\n", worker.done());
    } catch (const StoreError& error) {
        fmt::print(stderr, "rokada worker: {}\n", error.what());
        return 1;
    }
    return 0;
}

}  // namespace

void add_worker(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand(
        "worker",
        "Do analyses, reviews and the lab's long jobs on this machine, for servers elsewhere");
    auto options = std::make_shared<WorkerOptions>();
    options->threads = std::max(1u, std::thread::hardware_concurrency());
    options->name = machine_name();
    command->add_option("--db", options->database, "postgres://... that the servers use")
        ->envname("ROKADA_DB")
        ->required();
    command->add_option("--bus", options->bus, "nats://... of the servers: news travel faster")
        ->envname("ROKADA_BUS");
    command->add_option("--name", options->name, "What this one is called")
        ->envname("ROKADA_NODE_NAME");
    command->add_option("--threads", options->threads, "Jobs at the same time, one core each")
        ->envname("ROKADA_WORKER_THREADS")
        ->check(CLI::Range(1, 1024));
    command
        ->add_option("--kinds", options->kinds,
                     "Only these, between commas: analysis, review, datagen, relabel (the four "
                     "when left out), match (runs the engines that `rokada match --workers` names)")
        ->delimiter(',')
        ->envname("ROKADA_WORKER_KINDS");
    command->add_option("--log", options->log, "plain or json")
        ->envname("ROKADA_LOG")
        ->check(CLI::IsMember({"plain", "json"}));
    command->callback([options, &exit_code] { exit_code = work(*options); });
}

}  // namespace rokada::cli
