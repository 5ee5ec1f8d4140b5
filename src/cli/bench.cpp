// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada bench`: the node count names the behaviour of the search, the speed that of the machine
// and the build.
#include <chrono>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "cli/bench_positions.hpp"
#include "cli/commands.hpp"
#include "engine/engine.hpp"

namespace rokada::cli {

namespace {

struct BenchArguments {
    int depth = 14;
    int hash = 16;
    int threads = 1;
    bool quiet = false;
    std::string evaluation = "classical";
};

int run(const BenchArguments& arguments) {
    std::uint64_t nodes = 0, last = 0;
    engine::Callbacks callbacks;
    callbacks.on_info = [&last](const engine::Info& info) { last = info.nodes; };
    engine::Engine engine(callbacks);
    engine.set_option("Hash", std::to_string(arguments.hash));
    engine.set_option("Evaluation", arguments.evaluation);
    engine.set_option("Threads", std::to_string(arguments.threads));
    engine::Limits limits;
    limits.depth = arguments.depth;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string_view fen : kBenchPositions) {
        const auto position = parse_position(fen);
        if (!position) {
            fmt::print(stderr, "rokada bench: {}: {}\n", fen, position.error().to_string());
            return 2;
        }
        engine.new_game();
        engine.wait();
        engine.set_position(*position);
        engine.think(limits);
        nodes += last;
        if (!arguments.quiet) fmt::print(stderr, "{:>12}  {}\n", last, fen);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    fmt::print("Nodes searched: {}\nNodes/second: {:.0f}\n", nodes,
               static_cast<double>(nodes) / std::max(time.count(), 1e-9));
    return 0;
}

}  // namespace

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
