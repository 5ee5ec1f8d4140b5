// SPDX-License-Identifier: GPL-3.0-or-later
// Everything measured about one level, and the tables and plots made of it. Used by `rokada lab levels`.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "lab/levels/conduct.hpp"
#include "lab/levels/puzzles.hpp"
#include "lab/levels/technique.hpp"

namespace rokada::lab {

struct LevelSettings {
    std::vector<Puzzle> puzzles;
    std::size_t games = 50;    // against itself, every move judged
    std::size_t endings = 50;  // positions of each basic ending
    std::uint64_t judge_nodes = 20'000;
    std::uint64_t defender_nodes = 2'000;
    int concurrency = 1;
};

struct EndingResult {
    std::string_view name;
    std::size_t won = 0, played = 0;
};

struct LevelReport {
    int elo = 0;
    std::vector<Attempt> attempts;
    SolverFit solver;
    std::vector<EndingResult> endings;
    Conduct conduct;

    double solved() const;  // share of the puzzles
};

// Takes a while; `on_progress` hears of the units done (puzzles, endings, games) out of all. Ends early when told to stop, and
// the report is then of what was done.
LevelReport measure_level(
    int elo, const LevelSettings& settings, const std::atomic<bool>& stopping,
    const std::function<void(std::size_t done, std::size_t all)>& on_progress);

// The table for readers, line by line.
std::string level_heading();
std::string level_line(const LevelReport& report);
std::string level_csv(const std::vector<LevelReport>& reports);
// The share of puzzles solved by their rating, one curve for each level.
std::string solver_svg(const std::vector<LevelReport>& reports);

}  // namespace rokada::lab
