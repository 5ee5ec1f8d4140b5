// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab datagen`: self-play games to train on.
#include <charconv>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/lab.hpp"
#include "cli/lab_jobs.hpp"
#include "cli/live_line.hpp"
#include "lab/data/datagen.hpp"

namespace rokada::cli {

namespace {

struct DatagenArguments {
    lab::DatagenPlan plan;
    std::string evaluation = "network";
    std::string workers;  // the database of their jobs
};

volatile std::sig_atomic_t interrupted = 0;

std::string line(const lab::DatagenReport& report) {
    const double rate = static_cast<double>(report.new_games) / std::max(report.seconds, 1e-9);
    const double left = rate > 0 ? static_cast<double>(report.wanted - report.games) / rate : 0;
    return fmt::format(
        "{} of {} games  {:.1f} games/s  {:.0f} positions/s  {:.0f} knps  {:%H:%M:%S} left",
        report.games, report.wanted, rate,
        static_cast<double>(report.new_positions) / std::max(report.seconds, 1e-9),
        static_cast<double>(report.nodes) / std::max(report.seconds, 1e-9) / 1e3,
        std::chrono::seconds(static_cast<long>(left)));
}

void sum_up(const lab::DatagenReport& report) {
    const double games = static_cast<double>(std::max<std::uint64_t>(report.new_games, 1));
    fmt::print("{} new games, {} positions, {:.0f} s: {:.0f} positions/s\n", report.new_games,
               report.new_positions, report.seconds,
               static_cast<double>(report.new_positions) / std::max(report.seconds, 1e-9));
    if (report.new_branches > 0)
        fmt::print("{} of the positions, {:.1f} %, from branches\n", report.new_branches,
                   100 * static_cast<double>(report.new_branches) /
                       static_cast<double>(report.new_positions));
    fmt::print("White {:.1f} %, drawn {:.1f} %, Black {:.1f} %, {:.0f} scored plies per game\n",
               100 * static_cast<double>(report.white_wins) / games,
               100 * static_cast<double>(report.draws) / games,
               100 * static_cast<double>(report.black_wins) / games,
               static_cast<double>(report.new_positions - report.new_branches) / games);
    if (report.raw_speed > 0)
        fmt::print("{:.0f} nodes per processor second, {:.1f} % of a long search's {:.0f}\n",
                   report.speed, 100 * report.efficiency(), report.raw_speed);
}

int run(DatagenArguments& arguments) {
    arguments.plan.network = arguments.evaluation == "network";
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    AtWorkers<lab::DatagenElsewhere> at_workers;
    if (!arguments.workers.empty()) {
        auto made = make_with_workers(arguments.workers, arguments.plan);
        if (!made) {
            fmt::print(stderr, "rokada lab datagen: {}\n", made.error());
            return 2;
        }
        at_workers = std::move(*made);
    }
    lab::DatagenReport last;
    std::string problem;
    {
        LiveLine live(at_workers.progress);
        problem = lab::generate_games(
            arguments.plan,
            [&](const lab::DatagenReport& report) {
                last = report;
                live.show(line(report));
            },
            [] { return interrupted == 0; }, at_workers.elsewhere);
    }
    if (!problem.empty() && problem != "stopped") {
        fmt::print(stderr, "rokada lab datagen: {}\n", problem);
        return 2;
    }
    sum_up(last);
    fmt::print("{}: {} games{}\n", arguments.plan.output, last.games,
               problem.empty() ? "" : "; stopped, the same command goes on from here");
    return 0;
}

std::string must_be_share(const std::string& text) {
    double share = -1;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, share);
    // "nan" is a number to read, but in no range.
    if (read.ec == std::errc() && read.ptr == end && share >= 0 && share <= 1) return "";
    return "must be a number from 0 to 1, not '" + text + "'";
}

}  // namespace

void add_lab_datagen(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("datagen", "play games to train on");
    auto arguments = std::make_shared<DatagenArguments>();
    lab::DatagenPlan& plan = arguments->plan;
    plan.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    command->add_option("--out", plan.output, "the file; games that are there already count")
        ->required();
    command->add_option("--games", plan.games, "games in the file at the end")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->capture_default_str();
    command->add_option("--nodes", plan.nodes, "nodes per move, after which no iteration begins")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->capture_default_str();
    auto* threads = command->add_option("--threads", plan.threads, "games at the same time")
                        ->check(CLI::Range(1, 1024))
                        ->capture_default_str();
    command->add_option("--seed", plan.seed, "seed of openings and random moves")
        ->capture_default_str();
    command
        ->add_option("--random-plies", plan.random_plies, "random moves at the start, or one more")
        ->check(CLI::Range(0, 60))
        ->capture_default_str();
    command
        ->add_option("--opening-limit", plan.largest_opening,
                     "centipawns; openings that are more lopsided are not played")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--random-moves", plan.random_moves, "share of random moves before ply 80")
        ->check(must_be_share)
        ->capture_default_str();
    command
        ->add_option("--branches", plan.branches,
                     "share of the searches of which one more position is kept, one that they met "
                     "and that is never on the board")
        ->check(must_be_share)
        ->capture_default_str();
    command
        ->add_option("--branch-nodes", plan.branch_nodes,
                     "nodes for the score of such a position; a fifth of --nodes, at least 200, if "
                     "not given")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command->add_option("--eval", arguments->evaluation, "who judges positions")
        ->check(CLI::IsMember({"network", "classical"}))
        ->capture_default_str();
    command->add_option("--hash", plan.hash_megabytes, "MB of each thread")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command
        ->add_option("--workers", arguments->workers,
                     "postgres://...: blocks of games are jobs for the workers of this database, "
                     "--threads of them at the same time")
        ->envname("ROKADA_WORKERS_DB");
    command->callback([arguments, threads, &exit_code] {
        if (!arguments->workers.empty() && threads->count() == 0)
            arguments->plan.threads = kUsualJobs;
        exit_code = run(*arguments);
    });
}

}  // namespace rokada::cli
