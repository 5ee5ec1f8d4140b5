// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab evaluation`: the classical evaluation and the network beside a deep search.
#include <algorithm>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/fen.hpp"
#include "cli/lab.hpp"
#include "lab/evaluation/comparison.hpp"
#include "lab/plot.hpp"

namespace rokada::cli {

namespace {

struct Arguments {
    std::vector<std::string> files;
    std::string engine = "cmd=stockfish nodes=1000000";
    std::string plot;
    std::size_t positions = 1000;
    std::size_t worst = 5;
    int concurrency = 1;
};

std::atomic<bool> stopping{false};

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab evaluation: {}\n", problem);
    return 2;
}

void show(std::string_view name, const lab::Accuracy& a) {
    fmt::print("{:<10} {:>10.2f} {:>12.3f} {:>10.1f} {:>8.0f}\n", name, 100 * a.mean_error,
               a.correlation, 100 * a.wrong_side, a.scale);
}

// Where one of them is far off and the other is not.
void show_worst(std::string_view name, const std::vector<lab::Judged>& judged,
                const lab::Accuracy& bad, const lab::Accuracy& good, std::size_t most) {
    std::vector<std::size_t> order(judged.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return bad.errors[a] - good.errors[a] > bad.errors[b] - good.errors[b];
    });
    fmt::print("\nwhere the {} errs (verdict, classical, network, for the side to move):\n", name);
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const lab::Judged& j = judged[order[i]];
        fmt::print("{:>7} {:>7} {:>7}  {}\n", j.verdict, j.classical, j.network,
                   to_fen(j.position));
    }
}

int run(const Arguments& arguments) {
    auto spec = lab::parse_engine_spec(arguments.engine, "nodes=1000000");
    if (!spec) return fail(spec.error());
    std::vector<lab::EngineSpec> engines{std::move(*spec)};
    lab::make_names_unique(engines);
    const lab::EngineSpec& judge = engines.front();
    const auto positions = lab::held_out_positions(arguments.files, arguments.positions);
    if (!positions) return fail(positions.error());
    if (positions->empty()) return fail("no game of these files is held out of training");
    std::signal(SIGINT, [](int) { stopping = true; });
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    const auto judged = lab::judge_positions(
        *positions, judge, arguments.concurrency, stopping, [&](std::size_t done) {
            if (!terminal) return;
            fmt::print("\r\x1b[K{} of {}", done, positions->size());
            std::fflush(stdout);
        });
    if (terminal) fmt::print("\r\x1b[K");
    if (!judged) return fail(judged.error());
    if (judged->empty()) return fail("no position was judged");

    const lab::Accuracy classical = lab::accuracy(*judged, &lab::Judged::classical);
    const lab::Accuracy network = lab::accuracy(*judged, &lab::Judged::network);
    fmt::print("{} positions, judged by {}; {} of them clear (a pawn or more)\n", judged->size(),
               judge.name, classical.clear);
    fmt::print("{:<10} {:>10} {:>12} {:>10} {:>8}\n", "", "% off", "correlation", "% wrong",
               "scale");
    show("classical", classical);
    show("network", network);
    show_worst("classical evaluation", *judged, classical, network, arguments.worst);
    show_worst("network", *judged, network, classical, arguments.worst);
    if (arguments.plot.empty()) return 0;
    if (auto problem =
            lab::write_text(arguments.plot, lab::comparison_svg(*judged, classical, network));
        !problem.empty())
        return fail(problem);
    fmt::print("\n{} written\n", arguments.plot);
    return 0;
}

}  // namespace

void add_lab_evaluation(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand(
        "evaluation", "both evaluations beside a deep search, on positions held out of training");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("files", arguments->files, "training games, in the order of training")
        ->required();
    command->add_option("--engine", arguments->engine, "the judge, as for `rokada match`")
        ->capture_default_str();
    command->add_option("--positions", arguments->positions, "how many")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    command->add_option("--worst", arguments->worst, "how many of the largest errors to show")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    command->add_option("--concurrency", arguments->concurrency, "positions at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--plot", arguments->plot, "an SVG of the errors by men on the board");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
