// SPDX-License-Identifier: GPL-3.0-or-later
// One number for all weights of the classical evaluation: what was judged with other weights must not be taken for its own.
#pragma once

#include <bit>
#include <cstdint>

#include "chess/zobrist.hpp"
#include "engine/evaluation/weights.hpp"

namespace rokada::engine {

constexpr std::uint64_t weights_checksum(const Weights& weights, const DangerWeights& danger) {
    std::uint64_t sum = 1;
    const auto add = [&sum](int value) { sum = mix_bits(sum ^ static_cast<std::uint32_t>(value)); };
    for (const Tapered weight : std::bit_cast<std::array<Tapered, kWeightCount>>(weights)) {
        add(weight.middlegame());
        add(weight.endgame());
    }
    for (const int units : std::bit_cast<std::array<int, kDangerCount>>(danger)) add(units);
    for (const int number :
         {kDangerThreshold, kDangerMost, kDangerSquareDivisor, kDangerEndgameDivisor})
        add(number);
    return sum;
}

}  // namespace rokada::engine
