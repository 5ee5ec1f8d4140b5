// SPDX-License-Identifier: GPL-3.0-or-later
// Both evaluations beside the verdict of a deep search: how far each is off, and where it errs most. The positions come
// from games that no network was trained on. Used by `rokada lab evaluation`.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/result.hpp"
#include "lab/match/engine_spec.hpp"

namespace rokada::lab {

// A position and what is said about it, in centipawns of the side to move.
struct Judged {
    Position position;
    int verdict = 0;
    int classical = 0;
    int network = 0;
};

// Quiet positions of training games, one of each game that training holds out, as many as asked for or there are.
Result<std::vector<Position>, std::string> held_out_positions(const std::vector<std::string>& files,
                                                              std::size_t most);

// Both evaluations of every position and the engine's verdict, searched as its terms say. Positions that the engine calls
// a mate are left out: no evaluation claims to see those.
Result<std::vector<Judged>, std::string> judge_positions(
    const std::vector<Position>& positions, const EngineSpec& engine, int concurrency,
    const std::atomic<bool>& stopping, const std::function<void(std::size_t done)>& on_progress);

// How well an evaluation follows the verdict. Both are turned into expected points first, each with the scale that suits it,
// so that no one is punished for a different unit.
struct Accuracy {
    double scale = 0;        // centipawns that mean 73 % of the points
    double mean_error = 0;   // expected points, 0 to 1
    double correlation = 0;  // of expected points
    double wrong_side =
        0;  // of the clear verdicts (a pawn or more), those where it favours the other side
    std::size_t clear = 0;       // how many verdicts were clear
    std::vector<double> errors;  // of each position
};
// The verdict's own scale: centipawns that mean 73 % of the points.
inline constexpr double kVerdictScale = 250;
Accuracy accuracy(const std::vector<Judged>& judged, int Judged::* evaluation);

// Mean error by the number of men on the board, and where the errors lie, as SVG.
std::string comparison_svg(const std::vector<Judged>& judged, const Accuracy& classical,
                           const Accuracy& network);

}  // namespace rokada::lab
