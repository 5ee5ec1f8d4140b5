// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab levels`: how the playing levels err, beside what people do.
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/lab.hpp"
#include "engine/levels/profile.hpp"
#include "lab/levels/report.hpp"
#include "lab/plot.hpp"

namespace rokada::cli {

namespace {

struct Arguments {
    std::vector<int> levels{400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600};
    std::vector<std::string> puzzles;
    std::string csv, plot;
    lab::LevelSettings settings;
};

std::atomic<bool> stopping{false};

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab levels: {}\n", problem);
    return 2;
}

int run(Arguments arguments) {
    for (const std::string& path : arguments.puzzles) {
        auto puzzles = lab::read_puzzles(path);
        if (!puzzles) return fail(puzzles.error());
        auto& all = arguments.settings.puzzles;
        all.insert(all.end(), puzzles->begin(), puzzles->end());
    }
    std::signal(SIGINT, [](int) { stopping = true; });
    const bool terminal = isatty(STDERR_FILENO) != 0;
    std::vector<lab::LevelReport> reports;
    fmt::print("{}", lab::level_heading());
    for (const int elo : arguments.levels) {
        reports.push_back(lab::measure_level(
            elo, arguments.settings, stopping, [&](std::size_t done, std::size_t all) {
                if (terminal) fmt::print(stderr, "\r\x1b[Klevel {}: {} of {}", elo, done, all);
            }));
        if (terminal) fmt::print(stderr, "\r\x1b[K");
        if (stopping) return fail("interrupted");
        fmt::print("{}", lab::level_line(reports.back()));
        std::fflush(stdout);
    }
    for (const auto& [path, text] : {std::pair{arguments.csv, lab::level_csv(reports)},
                                     std::pair{arguments.plot, lab::solver_svg(reports)}}) {
        if (path.empty()) continue;
        if (const std::string problem = lab::write_text(path, text); !problem.empty())
            return fail(problem);
        fmt::print("{} written\n", path);
    }
    return 0;
}

}  // namespace

void add_lab_levels(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand(
        "levels", "how the playing levels err: puzzles, basic endings, whole games judged");
    auto arguments = std::make_shared<Arguments>();
    auto& settings = arguments->settings;
    command->add_option("--levels", arguments->levels, "which, as Elo")
        ->delimiter(',')
        ->check(CLI::Range(engine::kWeakestElo, engine::kStrongestElo))
        ->capture_default_str();
    command->add_option("--puzzles", arguments->puzzles,
                        "CSV files of rated puzzles (FEN, moves, rating)");
    command
        ->add_option("--games", settings.games, "of each level against itself, every move judged")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    command->add_option("--endings", settings.endings, "positions of each basic ending")
        ->check(CLI::Range(0, 100'000))
        ->capture_default_str();
    command->add_option("--judge-nodes", settings.judge_nodes, "of each verdict on a move")
        ->check(CLI::Range(100, 1'000'000'000))
        ->capture_default_str();
    command->add_option("--concurrency", settings.concurrency, "how many at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--csv", arguments->csv, "the table as comma separated values");
    command->add_option("--plot", arguments->plot, "an SVG: puzzles solved by their rating");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
