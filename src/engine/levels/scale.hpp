// SPDX-License-Identifier: GPL-3.0-or-later
// The measured strength of the dials, as `rokada lab calibrate` writes it; see docs/levels.md.
#pragma once

#include <array>

namespace rokada::engine {

struct ScalePoint {
    int dial, elo;
};

// From 3379 games.
inline constexpr std::array kScale{
    ScalePoint{0, 412},
    ScalePoint{40, 672},
    ScalePoint{80, 693},
    ScalePoint{120, 820},
    ScalePoint{160, 979},
    ScalePoint{200, 1010},
    ScalePoint{240, 1051},
    ScalePoint{280, 1149},
    ScalePoint{320, 1197},
    ScalePoint{360, 1325},
    ScalePoint{400, 1435},
    ScalePoint{440, 1526},
    ScalePoint{480, 1651},
    ScalePoint{520, 1742},
    ScalePoint{560, 1833},
    ScalePoint{599, 1974},
    ScalePoint{640, 2089},
    ScalePoint{680, 2230},
    ScalePoint{720, 2292},
    ScalePoint{760, 2526},
    ScalePoint{799, 2573},
    // Not measured yet: from the nodes of the network.
    ScalePoint{800, 2590},
    ScalePoint{1000, 3200},
};

}  // namespace rokada::engine
