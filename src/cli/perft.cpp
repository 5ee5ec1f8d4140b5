// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.hpp"

#include <chrono>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "cli/commands.hpp"

namespace rokada::cli {

namespace {

struct PerftArguments {
    int depth = 1;
    std::string fen{kStartFen};
    bool divide = false;
};

int run(const PerftArguments& arguments) {
    const auto position = parse_position(arguments.fen);
    if (!position) {
        fmt::print(stderr, "rokada perft: {}\n", position.error().to_string());
        return 2;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t nodes = 0;
    if (arguments.divide && arguments.depth > 0) {
        for (const auto& [move, count] : perft_divide(*position, arguments.depth)) {
            fmt::print("{}: {}\n", to_uci(move), count);
            nodes += count;
        }
    } else {
        nodes = perft(*position, arguments.depth);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("Nodes: {}  Time: {:.3f} s  Nodes/second: {:.0f}\n", nodes, seconds,
               static_cast<double>(nodes) / std::max(seconds, 1e-9));
    return 0;
}

}  // namespace

void add_perft(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("perft", "count the leaves of the tree of legal moves");
    auto arguments = std::make_shared<PerftArguments>();
    command->add_option("depth", arguments->depth, "plies to look ahead")
        ->required()
        ->check(CLI::Range(0, 30));
    command->add_option("--fen", arguments->fen, "the position to start from");
    command->add_flag("--divide", arguments->divide, "show the count below each move");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
