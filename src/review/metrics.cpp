// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/metrics.hpp"

#include <algorithm>
#include <cmath>

namespace rokada::review {

namespace {

constexpr int kMostCentipawns = 1000;
constexpr std::size_t kFewestMoves = 5;  // below, a number would mislead

double mean(const std::vector<double>& values, std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += values[i];
    return sum / static_cast<double>(to - from);
}

double deviation(const std::vector<double>& values, std::size_t from, std::size_t to) {
    const double middle = mean(values, from, to);
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += (values[i] - middle) * (values[i] - middle);
    return std::sqrt(sum / static_cast<double>(to - from));
}

}  // namespace

int clamped_centipawns(engine::Score score) {
    if (score.is_mate()) return score.moves_to_mate() > 0 ? kMostCentipawns : -kMostCentipawns;
    return std::clamp(score.centipawns(), -kMostCentipawns, kMostCentipawns);
}

double win_percent(engine::Score score) {
    return 100.0 / (1.0 + std::exp(-0.00368208 * clamped_centipawns(score)));
}

double move_accuracy(double win_before, double win_after) {
    if (win_after >= win_before) return 100;
    const double loss = win_before - win_after;
    return std::clamp(103.1668 * std::exp(-0.04354 * loss) - 3.1669 + 1, 0.0, 100.0);
}

std::optional<double> game_accuracy(const std::vector<double>& wins,
                                    const std::vector<CountedMove>& counted) {
    if (counted.size() < kFewestMoves) return std::nullopt;
    const std::size_t window = std::clamp<std::size_t>((wins.size() - 1) / 10, 2, 8);
    double weighted = 0, weights = 0, inverse = 0;
    for (const CountedMove& move : counted) {
        // The window ends with the position after the move; the first ones share one.
        const std::size_t end = std::min(wins.size(), std::max(move.ply + 2, window));
        const double weight = std::clamp(deviation(wins, end - window, end), 0.5, 12.0);
        weighted += weight * move.accuracy;
        weights += weight;
        inverse += 1.0 / std::max(move.accuracy, 1.0);
    }
    return (weighted / weights + static_cast<double>(counted.size()) / inverse) / 2;
}

Judgement judge_loss(double loss) {
    if (loss >= 15) return Judgement::Blunder;
    if (loss >= 10) return Judgement::Mistake;
    if (loss >= 5) return Judgement::Inaccuracy;
    return Judgement::Good;
}

Judgement judge_change(engine::Score best, engine::Score played, double loss) {
    const bool was_mating = best.is_mate() && best.moves_to_mate() > 0;
    const bool is_mating = played.is_mate() && played.moves_to_mate() > 0;
    const bool was_mated = best.is_mate() && !was_mating;
    const bool is_mated = played.is_mate() && !is_mating;
    // A longer way to the same mate is no mistake, nor a shorter one to being mated.
    if ((was_mating && is_mating) || (was_mated && is_mated)) return Judgement::Good;
    if (was_mating) {
        if (is_mated) return Judgement::Blunder;
        if (played.centipawns() > 999) return Judgement::Inaccuracy;
        if (played.centipawns() > 700) return Judgement::Mistake;
        return Judgement::Blunder;
    }
    if (is_mated) {
        if (best.centipawns() < -999) return Judgement::Inaccuracy;
        if (best.centipawns() < -700) return Judgement::Mistake;
        return Judgement::Blunder;
    }
    return judge_loss(loss);
}

}  // namespace rokada::review
