// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/evaluation_text.hpp"

#include <fmt/format.h>

#include "engine/explain.hpp"

namespace rokada::protocol {

namespace {

std::string cell(const engine::Centipawns& c) {
    return fmt::format("{:+6.2f} {:+6.2f}", c.middlegame / 100.0, c.endgame / 100.0);
}

}  // namespace

std::string evaluation_text(const Position& position) {
    const engine::Explanation e = engine::explain(position);
    std::string text = fmt::format("{:<13} {:<26} {:>13}   {:>13}   {:>13}\n", "",
                                   "pawns: middlegame, endgame", "White", "Black", "difference");
    std::string group;
    for (const auto& term : e.terms) {
        const auto& white = term.value[Color::White];
        const auto& black = term.value[Color::Black];
        text +=
            fmt::format("{:<13} {:<26} {}   {}   {}\n", term.group == group ? "" : term.group,
                        term.name, cell(white), cell(black),
                        cell({white.middlegame - black.middlegame, white.endgame - black.endgame}));
        group = term.group;
    }
    text += fmt::format("{:<13} {:<26} {:>13}   {:>13}   {}\n", "sum", "", "", "", cell(e.sum));
    text += fmt::format("Phase: {} % middlegame  Endgame scale: {} %\n", e.phase_percent,
                        e.scale_percent);
    if (e.special) text += "A known ending: the terms above do not count.\n";
    text += fmt::format("Evaluation: {:+.2f} pawns (White's view)\n", e.centipawns / 100.0);
    return text;
}

}  // namespace rokada::protocol
