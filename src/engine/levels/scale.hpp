// SPDX-License-Identifier: GPL-3.0-or-later
// The measured strength of the dials, as `rokada lab calibrate` writes it; see docs/levels.md.
#pragma once

#include <array>

namespace rokada::engine {

struct ScalePoint {
    int dial, elo;
};

// clang-format off
inline constexpr std::array kScale{
    ScalePoint{0, 400}, ScalePoint{150, 800}, ScalePoint{300, 1200}, ScalePoint{420, 1600},
    ScalePoint{520, 1900}, ScalePoint{600, 2000}, ScalePoint{700, 2400}, ScalePoint{800, 2700},
    ScalePoint{1000, 3200},
};
// clang-format on

}  // namespace rokada::engine
