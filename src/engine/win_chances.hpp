// SPDX-License-Identifier: GPL-3.0-or-later
// From a score to the chances of winning, drawing and losing. The model is logistic: at `center` centipawns half of the
// games are won, and `spread` says how fast that changes; both are polynomials of the material on the board. Used for
// `UCI_ShowWDL`, the site and reviews; it does not steer the search.
#pragma once

#include <array>

#include "chess/position.hpp"
#include "engine/score.hpp"

namespace rokada::engine {

struct WinChances {
    int win = 0, draw = 1000, loss = 0;  // per mille, for the side to move
};

// Coefficients from the highest power down, of material / 58; with all men on the board the material is 78 (pawn 1,
// knight and bishop 3, rook 5, queen 9). Provisional, set by hand: `rokada lab wdl` fits them to games and prints both
// lines to replace these.
struct WinModel {
    std::array<double, 4> center{0.0, 0.0, -30.0, 210.0};
    std::array<double, 4> spread{0.0, 0.0, 10.0, 75.0};
};
inline constexpr WinModel kWinModel{};

WinChances win_chances(Score score, const Position& position, const WinModel& model = kWinModel);

}  // namespace rokada::engine
