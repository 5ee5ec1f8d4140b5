// SPDX-License-Identifier: GPL-3.0-or-later
// Labelled positions for the tuner, from training games or from lines of EPD with a result.
#pragma once

#include <string>

#include "lab/tuning/features.hpp"

namespace rokada::lab {

struct LabelSettings {
    int every = 12;  // of the quiet positions of a game, one in so many
    int first_ply = 12;
    int largest_score = 2000;   // centipawns; beyond that nothing is left to judge
    float result_share = 0.1f;  // weight of the game's result against the score, if there is one
    float score_scale = 250;    // centipawns of the labels that mean 73 % of the points
    std::size_t most = 100'000'000;
};

struct LabelledSets {
    TuningSet training, held_out;  // one game, or line, in fifty is held out
    std::uint64_t seen = 0;        // positions in the files
};

// Appends a file's positions; its first bytes tell which kind it is. The text is empty if all is well.
// Lines hold a FEN or EPD and the result for White: 1-0, 0-1, 1/2-1/2, or [1.0], [0.5], [0.0] and any
// other share of the points.
std::string load_positions(const std::string& path, const LabelSettings& settings,
                           LabelledSets& sets);

}  // namespace rokada::lab
