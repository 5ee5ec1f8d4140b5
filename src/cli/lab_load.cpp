// SPDX-License-Identifier: GPL-3.0-or-later
// rokada lab load: how much a server bears. Without --url it starts one of its own in another process, with fresh data and
// without the limits that protect a public server, so that its processor time and memory can be read, and the exit code is 1
// when what is promised of them is missed. With --bus there are two, and every move comes in at the one that does not run the game.
#include "cli/lab_load.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/file_limit.hpp"
#include "cli/load_analyses.hpp"
#include "cli/load_promises.hpp"
#include "cli/stop_signal.hpp"
#include "lab/load.hpp"
#include "server/web/site.hpp"

namespace rokada::cli {
namespace {

namespace fs = std::filesystem;
using lab::LoadPlan;

fs::path new_folder() {
    std::string pattern = fs::temp_directory_path() / "rokada-load-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    return pattern;
}

struct ProcessTime {
    pid_t parent = 0;
    double own = 0, ended_children = 0;  // seconds
};

std::optional<ProcessTime> process_time(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string word, line;
    if (!std::getline(file, line)) return std::nullopt;
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    ProcessTime time;
    rest >> word >> time.parent;
    for (int i = 0; i < 9; ++i) rest >> word;
    double user = 0, system = 0, children_user = 0, children_system = 0;
    rest >> user >> system >> children_user >> children_system;
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    time.own = (user + system) / ticks;
    time.ended_children = (children_user + children_system) / ticks;
    return time;
}

// Of processes that were there before, and of their children: PostgreSQL has one for each connection.
double cpu_seconds(const std::vector<pid_t>& roots) {
    double sum = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        const auto time = pid > 0 ? process_time(pid) : std::nullopt;
        if (!time) continue;
        const auto among = [&roots](pid_t wanted) {
            return std::find(roots.begin(), roots.end(), wanted) != roots.end();
        };
        if (among(pid) || among(time->parent)) sum += time->own;
        if (among(pid)) sum += time->ended_children;
    }
    return sum;
}

// A server in a process of its own.
class OwnServer {
  public:
    explicit OwnServer(const std::string& database = "", const std::string& bus = "") {
        int ends[2];
        if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
        pid_ = ::fork();
        if (pid_ == 0) {
            ::close(ends[0]);
            serve(ends[1], database, bus);
        }
        ::close(ends[1]);
        if (::read(ends[0], &port_, sizeof port_) != sizeof port_) port_ = 0;
        ::close(ends[0]);
        if (port_ == 0) throw std::runtime_error("the server did not start");
    }
    ~OwnServer() {
        ::kill(pid_, SIGTERM);
        ::waitpid(pid_, nullptr, 0);
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    OwnServer(const OwnServer&) = delete;
    OwnServer& operator=(const OwnServer&) = delete;

    std::string url() const { return "http://localhost:" + std::to_string(port_); }
    double cpu_seconds() const { return process_time(pid_).value_or(ProcessTime{}).own; }
    pid_t pid() const { return pid_; }

  private:
    [[noreturn]] void serve(int report, const std::string& database, const std::string& bus) const {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        const StopSignal stop;
        server::SiteOptions options;
        options.data = folder_ / "data";
        options.database = database;
        options.bus = bus;
        options.port = 0;
        const net::RateLimit open{1e9, std::chrono::seconds(1)};
        options.limits.guest_address = options.limits.new_game = open;
        options.limits.engine_address = options.limits.register_address = open;
        options.password_cost = {std::size_t{1} << 20, 1};  // accounts are made only to be there
        options.limits.live_messages = 1e9;
        const auto site = server::Site::start(options);
        std::uint16_t port = site ? (*site)->port() : 0;
        if (!site) fmt::print(stderr, "{}\n", site.error());
        [[maybe_unused]] const auto written = ::write(report, &port, sizeof port);
        ::close(report);
        if (site) stop.wait();
        if (site) (*site)->stop(std::chrono::seconds(1));
        ::_exit(0);
    }

    const fs::path folder_ = new_folder();
    pid_t pid_ = -1;
    std::uint16_t port_ = 0;
};

struct Options {
    std::string url, sockets, database, bus, kind = "all";
    std::vector<pid_t> also;
    int players = 0;
    double rate = 0, seconds = 10;
};

void print_report(const char* name, const lab::LoadReport& report) {
    fmt::print(
        "{:<28} {:>6} players {:>9.0f}/s   p50 {:.2f}  p90 {:.2f}  p99 {:.2f}  worst {:.1f} ms",
        name, report.players, static_cast<double>(report.answered) / report.seconds, report.p50_ms,
        report.p90_ms, report.p99_ms, report.worst_ms);
    if (report.refused > 0) fmt::print("   refused {} ({})", report.refused, report.problem);
    fmt::print("\n");
    std::fflush(stdout);
}

// What the server did, and the processor time it took.
struct Work {
    double answered = 0;  // pongs or acknowledgements
    double messages = 0;  // in and out: what was answered, the answers, the events
    double cpu = 0;       // seconds

    void add(const Work& other) {
        answered += other.answered;
        messages += other.messages;
        cpu += other.cpu;
    }
    double answered_rate() const { return cpu > 0 ? answered / cpu : 0; }
    double message_rate() const { return cpu > 0 ? messages / cpu : 0; }
};

Work measure_work(const OwnServer& server, LoadPlan plan, const char* name) {
    Work work;
    plan.on_ready = [&] { work.cpu = -server.cpu_seconds(); };
    plan.on_done = [&] { work.cpu += server.cpu_seconds(); };
    const lab::LoadReport report = lab::run_load(plan);
    print_report(name, report);
    work.answered = static_cast<double>(report.answered);
    work.messages = 2 * work.answered + static_cast<double>(report.told);
    return work;
}

double resident_kb(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024;
}

// `rokada serve` as people start it, on fresh data.
struct FreshStart {
    bool answered = false;
    double milliseconds = 0;    // to the first page
    double idle_megabytes = 0;  // a moment later
};

FreshStart start_afresh() {
    const fs::path folder = new_folder();
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    FreshStart fresh;
    const auto begun = net::Clock::now();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl("/proc/self/exe", "rokada", "serve", "--port", "0", "--data", folder.c_str(),
                nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string said;
    char piece[256];
    while (said.find('\n') == std::string::npos) {
        const auto got = ::read(ends[0], piece, sizeof piece);
        if (got <= 0) break;
        said.append(piece, static_cast<std::size_t>(got));
    }
    const std::size_t colon = said.rfind(':', said.find('\n'));
    if (colon != std::string::npos) {
        net::Loops loops(1);
        net::HttpClient client(loops);
        net::ClientRequest request;
        request.url =
            "http://localhost:" + std::to_string(std::atoi(said.c_str() + colon + 1)) + "/";
        const auto answer = client.fetch(std::move(request));
        fresh.answered = answer && answer->status == 200;
    }
    fresh.milliseconds =
        std::chrono::duration<double, std::milli>(net::Clock::now() - begun).count();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    fresh.idle_megabytes = resident_kb(pid) / 1024;
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
    ::close(ends[0]);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return fresh;
}

void measure_start(LoadPromises& promises) {
    std::vector<double> times;
    double idle = 0;
    // The middle of five: the first one reads the program from the disk.
    for (int i = 0; i < 5; ++i) {
        const FreshStart fresh = start_afresh();
        promises.kept("start: no answer", fresh.answered);
        times.push_back(fresh.milliseconds);
        idle = std::max(idle, fresh.idle_megabytes);
    }
    std::sort(times.begin(), times.end());
    const double middle = times[times.size() / 2];
    fmt::print("start to first page: {:.0f} ms ({:.0f} to {:.0f})\n", middle, times.front(),
               times.back());
    fmt::print("idle process: {:.1f} MB\n", idle);
    promises.below("start to first page", middle, 150, "ms");
    promises.below("idle process", idle, 60, "MB");
}

// By turns, so that whatever else the machine does weighs on both alike.
void measure_rates(const OwnServer& server, LoadPlan plan, LoadPromises& promises) {
    constexpr int kRounds = 5;
    plan.seconds /= kRounds;
    Work echo, moves;
    std::vector<double> shares;
    for (int round = 0; round < kRounds; ++round) {
        plan.kind = LoadPlan::Kind::Echo;
        const Work echoed = measure_work(server, plan, "echo, as fast as it goes");
        plan.kind = LoadPlan::Kind::Moves;
        const Work moved = measure_work(server, plan, "moves, as fast as they go");
        echo.add(echoed);
        moves.add(moved);
        if (echoed.messages > 0) shares.push_back(moved.message_rate() / echoed.message_rate());
    }
    promises.kept("moves against echo: nothing was answered", !shares.empty() && echo.cpu > 0);
    if (shares.empty() || echo.cpu <= 0) return;
    std::sort(shares.begin(), shares.end());
    fmt::print("echo {:.0f} and moves {:.0f} per CPU-second of the server: {:.0f} %\n",
               echo.answered_rate(), moves.answered_rate(),
               100 * moves.answered_rate() / echo.answered_rate());
    // The middle one: in one of the rounds the server may have made its daily copy.
    fmt::print(
        "messages in and out per CPU-second: {:.0f} and {:.0f}; moves come to {:.0f} % of echo in "
        "the middle round of {}, {:.0f} to {:.0f}\n",
        echo.message_rate(), moves.message_rate(), 100 * shares[shares.size() / 2], kRounds,
        100 * shares.front(), 100 * shares.back());
    promises.at_least("moves against echo, in messages", 100 * shares[shares.size() / 2], 50, "%");
}

// Moves at a steady rate, all of them answered and nearly all of them soon.
void measure_paced(const char* name, LoadPlan plan, int games, double limit_ms,
                   LoadPromises& promises) {
    plan.kind = LoadPlan::Kind::Paced;
    plan.players = games;
    plan.moves_per_second = games;
    const lab::LoadReport report = lab::run_load(plan);
    print_report(name, report);
    const std::string what(name);
    promises.kept(what + ": not all could play", report.players == games && report.refused == 0);
    // A tenth less is a machine that did not send them in time.
    promises.at_least(what + ", moves", static_cast<double>(report.answered) / report.seconds,
                      0.9 * games, "in a second");
    promises.below(what + ", p99", report.p99_ms, limit_ms, "ms");
}

void measure_beside_analyses(const LoadPlan& plan, LoadPromises& promises) {
    const FullAnalysisQueue queue(plan.url);
    fmt::print("{} analyses are open, and the next one was refused\n", queue.open());
    measure_paced("200 games, full analysis queue", plan, 200, 100, promises);
}

void measure_idle_sockets(const OwnServer& server, LoadPlan plan, LoadPromises& promises) {
    plan.kind = LoadPlan::Kind::Idle;
    plan.players = 10'000;
    plan.seconds = 2;
    const double before = resident_kb(server.pid());
    double after = 0;
    plan.on_done = [&] { after = resident_kb(server.pid()); };
    const lab::LoadReport idle = lab::run_load(plan);
    const double each = idle.players > 0 ? (after - before) / idle.players : 0;
    fmt::print("{} idle sockets: {:.1f} KB each", idle.players, each);
    if (idle.refused > 0) fmt::print("   refused {} ({})", idle.refused, idle.problem);
    fmt::print("\n");
    promises.kept("10,000 idle sockets: not all were there",
                  idle.players == plan.players && idle.refused == 0);
    promises.kept(fmt::format("idle sockets: {:.1f} KB each, promised at most 20", each),
                  each <= 20);
}

// Each part with a server of its own, so that none finds the memory or the data of another.
int run_own(const Options& options) {
    const auto wanted = [&options](std::string_view part) {
        return options.kind == "all" || options.kind == part;
    };
    LoadPlan plan;
    plan.seconds = options.seconds;
    const auto with_server = [&plan](auto measure) {
        const OwnServer server;
        plan.url = server.url();
        measure(server);
    };
    LoadPromises promises;
    if (wanted("start")) measure_start(promises);
    if (wanted("moves"))
        with_server([&](const OwnServer& server) {
            // Enough of them to keep it busy while each waits for the disk.
            plan.players = options.players > 0 ? options.players : 256;
            measure_rates(server, plan, promises);
        });
    if (wanted("paced"))
        with_server([&](const OwnServer&) {
            measure_paced("1000 games, 1000 moves/s", plan, 1000, 50, promises);
        });
    if (wanted("analyses"))
        with_server([&](const OwnServer&) { measure_beside_analyses(plan, promises); });
    if (wanted("idle"))
        with_server([&](const OwnServer& server) { measure_idle_sockets(server, plan, promises); });
    return promises.report();
}

// On a PostgreSQL that is there; with NATS between two servers.
int run_shared(const Options& options) {
    const OwnServer server(options.database, options.bus);
    std::unique_ptr<OwnServer> other;
    LoadPlan plan;
    plan.kind = options.rate > 0 ? LoadPlan::Kind::Paced : LoadPlan::Kind::Moves;
    plan.players = options.players > 0 ? options.players : 64;
    plan.moves_per_second = options.rate;
    plan.seconds = options.seconds;
    plan.url = server.url();
    if (!options.bus.empty()) {
        other = std::make_unique<OwnServer>(options.database, options.bus);
        plan.sockets = other->url();
    }
    const auto servers = [&] { return server.cpu_seconds() + (other ? other->cpu_seconds() : 0); };
    double own = 0, also = 0;
    plan.on_ready = [&] {
        own = -servers();
        also = -cpu_seconds(options.also);
    };
    plan.on_done = [&] {
        own += servers();
        also += cpu_seconds(options.also);
    };
    const lab::LoadReport report = lab::run_load(plan);
    print_report(other ? "moves, passed on" : "moves", report);
    const double moves = std::max(1.0, static_cast<double>(report.answered));
    fmt::print("processor time of a move: {:.1f} us in the servers", 1e6 * own / moves);
    if (!options.also.empty()) fmt::print(", {:.1f} us in the others", 1e6 * also / moves);
    fmt::print("\n");
    return report.refused == 0 ? 0 : 1;
}

int run_one(const Options& options) {
    LoadPlan plan;
    plan.url = options.url;
    plan.sockets = options.sockets;
    plan.kind = options.kind == "echo"    ? LoadPlan::Kind::Echo
                : options.kind == "moves" ? LoadPlan::Kind::Moves
                : options.kind == "idle"  ? LoadPlan::Kind::Idle
                                          : LoadPlan::Kind::Paced;
    plan.players = options.players > 0 ? options.players : 100;
    plan.moves_per_second = options.rate > 0 ? options.rate : plan.players;
    plan.seconds = options.seconds;
    const lab::LoadReport report = lab::run_load(plan);
    print_report(options.kind.c_str(), report);
    return report.refused == 0 ? 0 : 1;
}

}  // namespace

void add_lab_load(CLI::App& lab, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = lab.add_subcommand("load", "how much a server bears");
    command->add_option("--url", options->url,
                        "This server; otherwise one of its own is started and measured");
    command->add_option("--sockets", options->sockets,
                        "With --url: the sockets to this server of the same site instead");
    command->add_option("--db", options->database,
                        "postgres://...: moves with an own server on this database");
    command->add_option("--bus", options->bus,
                        "nats://...: with --db; a second server, and the moves come in there");
    command
        ->add_option("--also", options->also,
                     "Processes whose time is counted, with their children")
        ->delimiter(',');
    command
        ->add_option(
            "--kind", options->kind,
            "One part: start, moves, paced, analyses, idle; with --url: echo, moves, paced, idle")
        ->check(CLI::IsMember({"all", "start", "echo", "moves", "paced", "analyses", "idle"}));
    command->add_option("--players", options->players, "Sockets, each with a game of its own")
        ->check(CLI::Range(1, 10'000'000));
    command->add_option("--rate", options->rate, "Moves in a second, all players together")
        ->check(CLI::Range(0.001, 1e9));
    command->add_option("--seconds", options->seconds, "How long each part takes")
        ->check(CLI::Range(0.001, 1e6));
    command->callback([options, &exit_code] {
        raise_file_limit();
        try {
            exit_code = !options->url.empty()        ? run_one(*options)
                        : !options->database.empty() ? run_shared(*options)
                                                     : run_own(*options);
        } catch (const std::exception& error) {
            fmt::print(stderr, "rokada lab load: {}\n", error.what());
            exit_code = 1;
        }
    });
}

}  // namespace rokada::cli
