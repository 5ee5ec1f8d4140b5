// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/win_chances.hpp"

#include <algorithm>
#include <cmath>

namespace rokada::engine {

namespace {

double material_of(const Position& position) {
    const auto count = [&](PieceType type) { return position.pieces(type).count(); };
    const int sum = count(PieceType::Pawn) +
                    3 * (count(PieceType::Knight) + count(PieceType::Bishop)) +
                    5 * count(PieceType::Rook) + 9 * count(PieceType::Queen);
    // Outside of what games show, a polynomial may do anything.
    return std::clamp(sum, 17, 78) / 58.0;
}

double at(const std::array<double, 4>& coefficients, double x) {
    double value = 0;
    for (const double c : coefficients) value = value * x + c;
    return value;
}

}  // namespace

WinChances win_chances(Score score, const Position& position, const WinModel& model) {
    if (score.is_mate())
        return score.moves_to_mate() > 0 ? WinChances{1000, 0, 0} : WinChances{0, 0, 1000};
    const double material = material_of(position);
    const double center = at(model.center, material),
                 spread = std::max(at(model.spread, material), 1.0);
    const auto chance = [&](int centipawns) {
        return static_cast<int>(std::lround(1000 / (1 + std::exp((center - centipawns) / spread))));
    };
    WinChances result;
    result.win = chance(score.centipawns());
    result.loss = std::min(chance(-score.centipawns()), 1000 - result.win);
    result.draw = 1000 - result.win - result.loss;
    return result;
}

}  // namespace rokada::engine
