// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament in words: one line per game, a table of standings, JSON for programs.
#pragma once

#include <string>

#include "lab/match/tournament.hpp"

namespace rokada::lab {

std::string game_line(const GameRecord& record, const Progress& progress);
// Several lines. For two engines Elo, its error, LOS and pairs; for more a table.
std::string standings_text(const TournamentSettings& settings, const Standings& standings,
                           std::optional<double> llr);
// One line: how long the games took, and how much of that the engines thought.
std::string time_text(const TournamentSettings& settings, const TournamentResult& result);
std::string progress_text(const Progress& progress);
std::string to_json(const TournamentSettings& settings, const TournamentResult& result);

}  // namespace rokada::lab
