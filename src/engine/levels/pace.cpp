// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/pace.hpp"

#include <algorithm>
#include <cmath>

#include "chess/movegen.hpp"

namespace rokada::engine {

namespace {

// The median share of the time left (and forty increments to come) that blitz players spend.
double usual_share(int fullmove) {
    if (fullmove <= 1) return 0.002;
    if (fullmove <= 5) return 0.0056;
    if (fullmove <= 10) return 0.0100;
    if (fullmove <= 15) return 0.0154;
    if (fullmove <= 30) return 0.0167;
    if (fullmove <= 40) return 0.0140;
    return 0.0110;
}

// Nearly normal, between -3.5 and 3.5: the sum of four dice.
double deviation(std::uint64_t bits) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>((bits >> (16 * i)) & 0xFFFF) / 65535.0;
    return (sum - 2) * std::sqrt(3.0);
}

}  // namespace

Milliseconds human_pace(const PaceQuestion& question, Move answer) {
    const Position& position = question.position;
    const double z = deviation(mix_bits(position.key() ^ mix_bits(question.seed ^ 0x70616365)));
    double ease = 1;
    if (question.last && answer.to() == question.last.to()) ease = 0.5;
    if (legal_moves(position).size() == 1) ease = 0.4;
    if (!question.clock) {
        const double opening = position.fullmove_number() <= 5 ? 0.5 : 1;
        const double wanted = 1200 * opening * ease * std::exp(0.5 * z);
        return Milliseconds(std::lround(std::clamp(wanted, 250.0, 4000.0)));
    }
    const Color us = position.turn();
    const auto left = static_cast<double>(question.clock->left[us].count());
    const auto increment = static_cast<double>(question.clock->increment[us].count());
    const double wanted = (left + 40 * increment) * usual_share(position.fullmove_number()) * ease *
                          std::exp(1.05 * z);
    // Short clocks are answered at once.
    const double most = std::min(left * 0.12, left - 2000);
    if (most < 100) return Milliseconds{0};
    return Milliseconds(std::lround(std::clamp(wanted, std::min(300.0, most), most)));
}

}  // namespace rokada::engine
