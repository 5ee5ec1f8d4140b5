// SPDX-License-Identifier: GPL-3.0-or-later
// The values and the three curves that levels need, as integer tables, so that every CPU and the browser play the same move.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "chess/types.hpp"

namespace rokada::engine {

// What the men are worth to a player, centipawns.
inline constexpr PerPieceType<int> kManValue{{100, 310, 325, 500, 940, 0}};

// 65536 / (1 + e^-x), x in quarter steps from -8 to 8.
inline constexpr std::array<int, 65> kLogistic{
    22,    28,    36,    47,    60,    77,    98,    126,   162,   208,   267,   342,   439,
    562,   720,   922,   1179,  1506,  1921,  2446,  3108,  3938,  4971,  6249,  7812,  9702,
    11955, 14595, 17625, 21025, 24743, 28693, 32768, 36843, 40793, 44511, 47911, 50941, 53581,
    55834, 57724, 59287, 60565, 61598, 62428, 63090, 63615, 64030, 64357, 64614, 64816, 64974,
    65097, 65194, 65269, 65328, 65374, 65410, 65438, 65459, 65476, 65489, 65500, 65508, 65514};

// Chance to win in 1/100 percent, by centipawns in steps of 50 from 0.
inline constexpr std::array<int, 31> kWinChance{
    5000, 5459, 5910, 6347, 6762, 7151, 7511, 7839, 8135, 8398, 8631, 8834, 9011, 9163, 9294, 9406,
    9501, 9581, 9649, 9706, 9754, 9795, 9829, 9857, 9881, 9901, 9917, 9931, 9943, 9952, 9960};

// 65536 * e^-x, x in steps of 1/8 from 0.
inline constexpr std::array<int, 65> kDecay{
    65536, 57835, 51039, 45042, 39750, 35079, 30957, 27319, 24109, 21276, 18776, 16570, 14623,
    12905, 11388, 10050, 8869,  7827,  6907,  6096,  5380,  4747,  4190,  3697,  3263,  2879,
    2541,  2243,  1979,  1746,  1541,  1360,  1200,  1059,  935,   825,   728,   642,   567,
    500,   442,   390,   344,   303,   268,   236,   209,   184,   162,   143,   127,   112,
    99,    87,    77,    68,    60,    53,    47,    41,    36,    32,    28,    25,    22};

// x in 1/100; between two entries along a straight line.
constexpr int logistic_16(int x) {
    const int at = std::clamp(x + 800, 0, 1600);
    const auto i = static_cast<std::size_t>(std::min(at / 25, 63));
    return kLogistic[i] + (kLogistic[i + 1] - kLogistic[i]) * (at - 25 * static_cast<int>(i)) / 25;
}

constexpr int win_chance(int centipawns) {
    const int size = std::min(centipawns < 0 ? -centipawns : centipawns, 1500);
    const auto i = static_cast<std::size_t>(std::min(size / 50, 29));
    const int chance = kWinChance[i] +
                       (kWinChance[i + 1] - kWinChance[i]) * (size - 50 * static_cast<int>(i)) / 50;
    return centipawns < 0 ? 10000 - chance : chance;
}

// e^-(loss / temperature) in 16 bits.
constexpr int decay_16(int loss, int temperature) {
    if (temperature <= 0) return loss <= 0 ? 65536 : 0;
    const int at = std::clamp(loss, 0, 100000) * 8 / temperature;
    return at > 64 ? 0 : kDecay[static_cast<std::size_t>(at)];
}

}  // namespace rokada::engine
