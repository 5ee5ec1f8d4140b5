// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab data`: files of training games.
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/lab.hpp"
#include "cli/lab_jobs.hpp"
#include "cli/live_line.hpp"
#include "lab/data/files.hpp"

namespace rokada::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

int fail(std::string_view command, const std::string& problem) {
    fmt::print(stderr, "rokada lab data {}: {}\n", command, problem);
    return 2;
}

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// With branches where there are any.
std::string games_text(std::uint64_t games, std::uint64_t branches) {
    return branches == 0 ? fmt::format("{} games", games)
                         : fmt::format("{} games, {} branches", games, branches);
}

int stats(const std::vector<std::string>& files) {
    lab::DataStats s;
    for (const std::string& path : files)
        if (auto problem = lab::data_stats(path, s); !problem.empty())
            return fail("stats", problem);
    const auto games = static_cast<double>(std::max<std::uint64_t>(s.games, 1));
    fmt::print("games            {}\n", s.games);
    if (s.branches > 0)
        fmt::print("branches         {}  ({:.1f} % of the scored positions)\n", s.branches,
                   percent(s.branches, s.positions));
    fmt::print("scored positions {}  ({:.2f} bytes each)\n", s.positions,
               static_cast<double>(s.bytes) /
                   static_cast<double>(std::max<std::uint64_t>(s.positions, 1)));
    fmt::print("plies per game   {:.1f}\n", static_cast<double>(s.plies) / games);
    fmt::print("results          White {:.1f} %, drawn {:.1f} %, Black {:.1f} %\n",
               percent(s.results[2], s.games), percent(s.results[1], s.games),
               percent(s.results[0], s.games));
    fmt::print("quiet            {:.1f} %  in check {:.1f} %  mate scores {:.1f} %\n",
               percent(s.quiet, s.positions), percent(s.in_check, s.positions),
               percent(s.mates, s.positions));
    fmt::print("seen before      {:.1f} %\n", percent(s.repeated, s.positions));
    fmt::print("beyond 200       the better side won {:.1f} % of decided games\n",
               percent(s.better_side_won, s.decided));
    fmt::print("men on the board");
    constexpr std::string_view kMen[8] = {"2-5",   "6-9",   "10-13", "14-17",
                                          "18-21", "22-25", "26-29", "30-32"};
    for (std::size_t i = 0; i < 8; ++i)
        fmt::print("  {} {:.0f} %", kMen[i], percent(s.pieces[i], s.positions));
    fmt::print("\nsize of scores  ");
    constexpr std::string_view kSizes[7] = {"to 50", "100", "200", "400", "800", "1600", "more"};
    for (std::size_t i = 0; i < 7; ++i)
        fmt::print("  {} {:.0f} %", kSizes[i], percent(s.scores[i], s.positions));
    fmt::print("\n");
    return 0;
}

int check(const std::vector<std::string>& files) {
    for (const std::string& path : files) {
        lab::DataCounts counts;
        if (auto problem = lab::check_data(path, counts); !problem.empty()) {
            fmt::print(stderr, "rokada lab data check: {}\n", problem);
            return 1;
        }
        fmt::print("{}: {}, {} positions, all legal\n", path,
                   games_text(counts.games, counts.branches), counts.positions);
    }
    return 0;
}

int relabel(const lab::RelabelPlan& plan, const std::string& workers) {
    if (plan.input == plan.output) return fail("relabel", "input and output are the same file");
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    AtWorkers<lab::RelabelElsewhere> at_workers;
    if (!workers.empty()) {
        auto made = relabel_with_workers(workers, plan);
        if (!made) return fail("relabel", made.error());
        at_workers = std::move(*made);
    }
    lab::RelabelReport last;
    std::string problem;
    {
        LiveLine live(at_workers.progress);
        problem = lab::relabel_data(
            plan,
            [&](const lab::RelabelReport& report) {
                last = report;
                const double rate =
                    static_cast<double>(report.new_positions) / std::max(report.seconds, 1e-9);
                live.show(fmt::format("{} of {} games  {:.0f} positions/s", report.games,
                                      report.wanted, rate));
            },
            [] { return interrupted == 0; }, at_workers.elsewhere);
    }
    if (!problem.empty() && problem != "stopped") return fail("relabel", problem);
    fmt::print("{}: {} new positions, {:.0f} s{}\n", plan.output, last.new_positions, last.seconds,
               problem.empty() ? "" : "; stopped, the same command goes on from here");
    return 0;
}

}  // namespace

void add_lab_data(CLI::App& lab, int& exit_code) {
    auto* data = lab.add_subcommand("data", "look at, check and change files of training games");
    data->require_subcommand(1);
    auto files = std::make_shared<std::vector<std::string>>();
    auto output = std::make_shared<std::string>();
    auto seed = std::make_shared<std::uint64_t>(1);

    auto* stats_command = data->add_subcommand("stats", "what is in the files");
    stats_command->add_option("files", *files)->required();
    stats_command->callback([files, &exit_code] { exit_code = stats(*files); });

    auto* check_command = data->add_subcommand("check", "replay every move; exit 1 at a wrong one");
    check_command->add_option("files", *files)->required();
    check_command->callback([files, &exit_code] { exit_code = check(*files); });

    auto* shuffle_command = data->add_subcommand("shuffle", "mix the games of several files");
    shuffle_command->add_option("files", *files)->required();
    shuffle_command->add_option("--out", *output, "the new file, .bin or .zst")->required();
    shuffle_command->add_option("--seed", *seed, "seed of the order")->capture_default_str();
    shuffle_command->callback([files, output, seed, &exit_code] {
        lab::DataCounts counts;
        const std::string problem = lab::shuffle_data(*files, *output, *seed, counts);
        if (!problem.empty()) {
            exit_code = fail("shuffle", problem);
            return;
        }
        fmt::print("{}: {}\n", *output, games_text(counts.games, counts.branches));
        exit_code = 0;
    });

    auto* convert_command = data->add_subcommand(
        "convert", "PGN with evaluations or training games into .bin, .zst or .epd");
    auto input = std::make_shared<std::string>();
    convert_command->add_option("input", *input)->required();
    convert_command->add_option("output", *output)->required();
    convert_command->callback([input, output, &exit_code] {
        lab::ConvertCounts counts;
        const std::string problem = lab::convert_data(*input, *output, counts);
        if (!problem.empty()) {
            exit_code = fail("convert", problem);
            return;
        }
        fmt::print("{}: {}, {} left out\n", *output, games_text(counts.games, counts.branches),
                   counts.left_out);
        exit_code = 0;
    });

    auto* relabel_command =
        data->add_subcommand("relabel", "score the positions anew with our own search");
    auto plan = std::make_shared<lab::RelabelPlan>();
    auto evaluation = std::make_shared<std::string>("network");
    plan->threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    relabel_command->add_option("input", plan->input)->required();
    relabel_command->add_option("--out", plan->output, "the new file; resumed where it ends")
        ->required();
    relabel_command->add_option("--nodes", plan->nodes, "nodes per position")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->capture_default_str();
    auto* threads = relabel_command->add_option("--threads", plan->threads, "threads")
                        ->check(CLI::Range(1, 1024))
                        ->capture_default_str();
    auto workers = std::make_shared<std::string>();
    relabel_command
        ->add_option("--workers", *workers,
                     "postgres://...: blocks of games are jobs for the workers of this database")
        ->envname("ROKADA_WORKERS_DB");
    relabel_command->add_option("--eval", *evaluation, "who judges positions")
        ->check(CLI::IsMember({"network", "classical"}))
        ->capture_default_str();
    relabel_command->callback([plan, evaluation, workers, threads, &exit_code] {
        plan->network = *evaluation == "network";
        if (!workers->empty() && threads->count() == 0) plan->threads = kUsualJobs;
        exit_code = relabel(*plan, *workers);
    });
}

}  // namespace rokada::cli
