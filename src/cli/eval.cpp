// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada eval`: the evaluation, term by term.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chess/notation/fen.hpp"
#include "cli/commands.hpp"
#include "engine/explain.hpp"

namespace rokada::cli {

namespace {

std::string cell(const engine::Centipawns& c) {
    return fmt::format("{:+6.2f} {:+6.2f}", c.middlegame / 100.0, c.endgame / 100.0);
}

int run(const std::string& fen) {
    const auto position = parse_position(fen);
    if (!position) {
        fmt::print(stderr, "rokada eval: {}\n", position.error().to_string());
        return 2;
    }
    const engine::Explanation e = engine::explain(*position);
    fmt::print("{:<13} {:<26} {:>13}   {:>13}   {:>13}\n", "", "pawns: middlegame, endgame",
               "White", "Black", "difference");
    std::string group;
    for (const auto& term : e.terms) {
        const auto& white = term.value[Color::White];
        const auto& black = term.value[Color::Black];
        fmt::print("{:<13} {:<26} {}   {}   {}\n", term.group == group ? "" : term.group, term.name,
                   cell(white), cell(black),
                   cell({white.middlegame - black.middlegame, white.endgame - black.endgame}));
        group = term.group;
    }
    fmt::print("{:<13} {:<26} {:>13}   {:>13}   {}\n", "sum", "", "", "", cell(e.sum));
    fmt::print("Phase: {} % middlegame  Endgame scale: {} %\n", e.phase_percent, e.scale_percent);
    if (e.special) fmt::print("A known ending: the terms above do not count.\n");
    fmt::print("Evaluation: {:+.2f} pawns (White's view)\n", e.centipawns / 100.0);
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
