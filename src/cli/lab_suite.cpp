// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab suite`: test positions with known answers. `rokada lab speed`: nodes per second.
#include <algorithm>
#include <csignal>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "cli/bench_positions.hpp"
#include "cli/lab.hpp"
#include "lab/suite/suite.hpp"

namespace rokada::cli {

namespace {

struct SuiteArguments {
    std::vector<std::string> files;
    std::string engine;
    double seconds = 1;
    int every = 1;
    int concurrency = 1;
    bool verbose = false;
};

struct SpeedArguments {
    std::vector<std::string> engines;
    double seconds = 2;
    int positions = 20;
    int repeat = 3;
};

std::atomic<bool> stopping{false};

int fail(std::string_view command, const std::string& problem) {
    fmt::print(stderr, "rokada lab {}: {}\n", command, problem);
    return 2;
}

void show_totals(const std::string& file, const lab::SuiteTotals& t) {
    fmt::print("{}: {} of {} solved", file, t.solved, t.positions);
    if (t.most_points > 0) fmt::print(", {} of {} points", t.points, t.most_points);
    if (t.mates_listed > 0)
        fmt::print(", {} mates found, {} of them shortest, {} wrong claims", t.mates_claimed,
                   t.best_mates, t.wrong_mates);
    if (t.failures > 0) fmt::print(", {} failures", t.failures);
    fmt::print("\n");
    std::fflush(stdout);
}

int suite(const SuiteArguments& arguments) {
    auto engine = lab::parse_engine_spec(arguments.engine, fmt::format("st={}", arguments.seconds));
    if (!engine) return fail("suite", engine.error());
    std::signal(SIGINT, [](int) { stopping = true; });
    int wrong = 0;
    for (const std::string& file : arguments.files) {
        const auto positions = lab::read_suite(file, arguments.every);
        if (!positions) return fail("suite", positions.error());
        const auto totals = lab::run_suite(
            *positions, *engine, arguments.concurrency, stopping, [&](const lab::SuiteAnswer& a) {
                if (!a.failure.empty()) fmt::print("{}: {}\n", a.asked->id, a.failure);
                if (!a.mate_problem.empty()) fmt::print("{}: {}\n", a.asked->id, a.mate_problem);
                if (arguments.verbose && !a.solved && a.failure.empty())
                    fmt::print("{}: {}\n", a.asked->id, to_san(a.asked->position, a.move));
                std::fflush(stdout);
            });
        if (!totals) return fail("suite", totals.error());
        show_totals(file, *totals);
        wrong += totals->wrong_mates + totals->failures;
        if (stopping) break;
    }
    return wrong == 0 ? 0 : 1;
}

int speed(const SpeedArguments& arguments) {
    std::vector<lab::EngineSpec> engines;
    for (const std::string& text : arguments.engines) {
        auto spec = lab::parse_engine_spec(text, fmt::format("st={}", arguments.seconds));
        if (!spec) return fail("speed", spec.error());
        engines.push_back(std::move(*spec));
    }
    lab::make_names_unique(engines);
    std::vector<Position> positions;
    for (const std::string_view fen : kBenchPositions) {
        if (positions.size() == static_cast<std::size_t>(arguments.positions)) break;
        positions.push_back(*parse_position(fen));
    }
    // The engines take turns, so that a change of the machine's mood meets them all.
    std::vector<std::vector<double>> measured(engines.size());
    for (int round = 0; round < arguments.repeat; ++round)
        for (std::size_t i = 0; i < engines.size(); ++i) {
            const auto result = lab::measure_speed(positions, engines[i]);
            if (!result) return fail("speed", result.error());
            measured[i].push_back(result->nodes_per_second());
        }
    const auto median = [](std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    const double base = median(measured.back());
    for (std::size_t i = 0; i < engines.size(); ++i)
        fmt::print("{:<24} {:>10.0f} nodes/s  {:5.2f} x {}\n", engines[i].name, median(measured[i]),
                   base > 0 ? median(measured[i]) / base : 0, engines.back().name);
    return 0;
}

}  // namespace

void add_lab_suite(CLI::App& lab, int& exit_code) {
    auto arguments = std::make_shared<SuiteArguments>();
    auto* command = lab.add_subcommand(
        "suite", "put test positions to an engine; exit code 1 if a claimed mate is wrong");
    command->add_option("files", arguments->files, "EPD files with bm, am, c0 or `bm #N`")
        ->required();
    command->add_option("--engine", arguments->engine, "as for `rokada match`")->required();
    command->add_option("--seconds", arguments->seconds, "per position")
        ->check(CLI::Range(0.01, 3600.0))
        ->capture_default_str();
    command->add_option("--every", arguments->every, "only every so manieth position")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--concurrency", arguments->concurrency, "positions at the same time")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--verbose", arguments->verbose, "name what was not solved");
    command->callback([arguments, &exit_code] { exit_code = suite(*arguments); });
}

void add_lab_speed(CLI::App& lab, int& exit_code) {
    auto arguments = std::make_shared<SpeedArguments>();
    auto* command = lab.add_subcommand(
        "speed", "nodes per second of engines on the same positions, the last one as measure");
    command->add_option("--engine", arguments->engines, "as for `rokada match`, once or more")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--seconds", arguments->seconds, "per position")
        ->check(CLI::Range(0.01, 3600.0))
        ->capture_default_str();
    command->add_option("--positions", arguments->positions, "how many")
        ->check(CLI::Range(1, static_cast<int>(kBenchPositions.size())))
        ->capture_default_str();
    command->add_option("--repeat", arguments->repeat, "the median counts")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command->callback([arguments, &exit_code] { exit_code = speed(*arguments); });
}

}  // namespace rokada::cli
