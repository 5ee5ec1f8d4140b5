// SPDX-License-Identifier: GPL-3.0-or-later
// The measured strength of the dials, as `rokada lab calibrate` writes it; see docs/levels.md.
#pragma once

#include <array>

namespace rokada::engine {

struct ScalePoint {
    int dial, elo;
};

// From 8322 games, and 1600 for the dials from 641 to 799.
// clang-format off
inline constexpr std::array kScale{
    ScalePoint{0, 400},
    ScalePoint{20, 514},
    ScalePoint{40, 591},
    ScalePoint{60, 668},
    ScalePoint{80, 731},
    ScalePoint{120, 890},
    ScalePoint{160, 1012},
    ScalePoint{200, 1051},
    ScalePoint{240, 1139},
    ScalePoint{280, 1190},
    ScalePoint{320, 1322},
    ScalePoint{360, 1349},
    ScalePoint{400, 1474},
    ScalePoint{440, 1536},
    ScalePoint{480, 1657},
    ScalePoint{520, 1797},
    ScalePoint{560, 1892},
    ScalePoint{599, 2088},
    ScalePoint{641, 2195},
    ScalePoint{694, 2314},
    ScalePoint{747, 2496},
    ScalePoint{799, 2624},
    ScalePoint{840, 2702},
    ScalePoint{880, 2804},
    ScalePoint{920, 2877},
    ScalePoint{960, 3053},
    ScalePoint{1000, 3293},
};
// clang-format on

}  // namespace rokada::engine
