// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada eval`: the evaluation, term by term.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "cli/commands.hpp"
#include "protocol/evaluation_text.hpp"

namespace rokada::cli {

namespace {

int run(const std::string& fen) {
    const auto position = parse_position(fen);
    if (!position) {
        fmt::print(stderr, "rokada eval: {}\n", position.error().to_string());
        return 2;
    }
    fmt::print("{}", protocol::evaluation_text(*position));
    return 0;
}

}  // namespace

void add_eval(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("eval", "the evaluation of a position, term by term");
    auto fen = std::make_shared<std::string>(kStartFen);
    command->add_option("--fen", *fen, "the position");
    command->callback([fen, &exit_code] { exit_code = run(*fen); });
}

}  // namespace rokada::cli
