// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada bench`: the node count names the behaviour of the search, the speed that of the machine
// and the build.
#include "cli/bench.hpp"

#include <chrono>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "cli/bench_positions.hpp"
#include "cli/commands.hpp"
#include "engine/engine.hpp"

namespace rokada::cli {

namespace {

int run(const BenchArguments& arguments) {
    const std::atomic<bool> stop{false};
    const BenchTotals totals = run_bench(
        arguments,
        [&arguments](std::uint64_t nodes, std::string_view fen) {
            if (!arguments.quiet) fmt::print(stderr, "{:>12}  {}\n", nodes, fen);
        },
        stop);
    fmt::print("Nodes searched: {}\nNodes/second: {:.0f}\n", totals.nodes,
               totals.nodes_per_second());
    return 0;
}

}  // namespace

BenchTotals run_bench(const BenchArguments& arguments,
                      const std::function<void(std::uint64_t, std::string_view)>& on_position,
                      const std::atomic<bool>& stop) {
    BenchTotals totals;
    std::uint64_t last = 0;
    engine::Engine* running = nullptr;
    engine::Callbacks callbacks;
    callbacks.on_info = [&](const engine::Info& info) {
        last = info.nodes;
        if (stop) running->stop();
    };
    engine::Engine engine(callbacks);
    running = &engine;
    engine.set_option("Hash", std::to_string(arguments.hash));
    engine.set_option("Evaluation", arguments.evaluation);
    engine.set_option("Threads", std::to_string(arguments.threads));
    engine::Limits limits;
    limits.depth = arguments.depth;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string_view fen : kBenchPositions) {
        const auto position = parse_position(fen);
        if (!position || stop) break;
        engine.new_game();
        engine.wait();
        engine.set_position(*position);
        engine.think(limits);
        totals.nodes += last;
        on_position(last, fen);
    }
    totals.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return totals;
}

void add_bench(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("bench", "search fixed positions to a fixed depth");
    auto arguments = std::make_shared<BenchArguments>();
    command->add_option("--depth", arguments->depth, "plies")->check(CLI::Range(1, 60));
    command->add_option("--hash", arguments->hash, "megabytes")->check(CLI::Range(1, 65536));
    command->add_option("--threads", arguments->threads, "threads")->check(CLI::Range(1, 256));
    command->add_option("--eval", arguments->evaluation, "who judges positions")
        ->check(CLI::IsMember({"classical", "network"}));
    command->add_flag("--quiet", arguments->quiet, "only the sums");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
