// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation as a table that a user can read: which term gives which side how much. Used by
// `rokada eval`, the terminal and the server.
#pragma once

#include <string>
#include <vector>

#include "chess/position.hpp"

namespace rokada::engine {

struct Centipawns {
    int middlegame = 0;
    int endgame = 0;
};

struct ExplainedTerm {
    std::string group;  // "pawns", "king", ...
    std::string name;   // "isolated pawn", ...
    PerColor<Centipawns> value;
    PerColor<int> count;  // how often it applies; 0 for terms that are not counted
};

struct Explanation {
    std::vector<ExplainedTerm> terms;  // only those that apply to somebody
    Centipawns sum;                    // for White
    int phase_percent = 0;             // 100 = all pieces on the board
    int scale_percent = 100;  // how much of an endgame advantage is believed to be winnable
    bool special = false;     // an ending with an evaluation of its own; the terms do not count
    int centipawns = 0;       // the result, for White
};

Explanation explain(const Position& position);

}  // namespace rokada::engine
