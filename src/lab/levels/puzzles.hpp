// SPDX-License-Identifier: GPL-3.0-or-later
// How well a level solves puzzles that people have rated: the only scale here that people stand behind.
#pragma once

#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/result.hpp"
#include "lab/levels/level_player.hpp"

namespace rokada::lab {

struct Puzzle {
    Position start;
    std::vector<Move>
        moves;  // the first is the opponent's, then the solver's and the replies in turn
    int rating = 0;
};

// Lines of comma separated values in the columns of the public lichess database: ..., FEN, moves, rating, ... A line in
// front of them and a column in front of the name of the puzzle are skipped.
Result<std::vector<Puzzle>, std::string> read_puzzles(const std::string& path);

// Every move of the solver right, or any mate.
bool solves(LevelPlayer& player, const Puzzle& puzzle, std::uint64_t seed);

struct Attempt {
    int rating = 0;  // of the puzzle
    bool solved = false;
};

// The rating at which half of the puzzles are solved, and how sharply the rate falls with the puzzles' rating: 1 as for people
// (a tenth of the odds per 400 points), much more for a player who sees everything up to some depth and nothing beyond.
struct SolverFit {
    double rating = 0;
    double error = 0;  // of the rating, 95 %
    double slope = 0;
};
SolverFit fit_solver(const std::vector<Attempt>& attempts);

}  // namespace rokada::lab
