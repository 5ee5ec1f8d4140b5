// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rokada::lab {

namespace {

// The two-sided 95 % point of the normal distribution.
constexpr double kZ95 = 1.959963984540054;
// One unit of normalised Elo in standard deviations per game.
const double kNormalizedUnit = 800 / std::log(10.0);

struct Outcome {
    double value;  // points, 0 to 1
    double probability;
};
using Distribution = std::vector<Outcome>;

struct Moments {
    double mean = 0, variance = 0;
};

Moments moments(const Distribution& distribution) {
    Moments m;
    for (const Outcome& o : distribution) m.mean += o.value * o.probability;
    for (const Outcome& o : distribution)
        m.variance += (o.value - m.mean) * (o.value - m.mean) * o.probability;
    return m;
}

template <class Counts>
Distribution distribution_of(const Counts& counts, double floor, double& total) {
    total = 0;
    Distribution distribution;
    const double step = 1.0 / static_cast<double>(counts.size() - 1);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double count = std::max(static_cast<double>(counts[i]), floor);
        distribution.push_back({static_cast<double>(i) * step, count});
        total += count;
    }
    for (Outcome& o : distribution) o.probability = total > 0 ? o.probability / total : 0;
    return distribution;
}

// The x with sum p v / (1 + x v) = 0, between the poles where the sum falls from plus to minus
// infinity.
double secular_root(const Distribution& distribution) {
    double lowest = 0, highest = 0;
    for (const Outcome& o : distribution) {
        lowest = std::min(lowest, o.value);
        highest = std::max(highest, o.value);
    }
    if (lowest >= 0 || highest <= 0) return 0;  // no distribution on these values has mean zero
    double left = -1 / highest, right = -1 / lowest;
    for (int i = 0; i < 200 && right - left > 1e-14 * (std::abs(left) + std::abs(right)); ++i) {
        const double x = (left + right) / 2;
        double sum = 0;
        for (const Outcome& o : distribution) sum += o.probability * o.value / (1 + x * o.value);
        (sum > 0 ? left : right) = x;
    }
    return (left + right) / 2;
}

// The most likely distribution behind the observed one, among those with this mean.
Distribution fit_mean(const Distribution& observed, double mean) {
    Distribution shifted = observed;
    for (Outcome& o : shifted) o.value -= mean;
    const double x = secular_root(shifted);
    Distribution fitted = observed;
    for (std::size_t i = 0; i < fitted.size(); ++i)
        fitted[i].probability /= 1 + x * shifted[i].value;
    return fitted;
}

// The same among those whose mean lies `t` standard deviations above one half. The condition is not
// linear; it is replaced by its tangent at the last fit until that stands still.
Distribution fit_t_value(const Distribution& observed, double t) {
    Distribution fitted = observed;
    for (Outcome& o : fitted) o.probability = 1.0 / static_cast<double>(fitted.size());
    for (int i = 0; i < 50; ++i) {
        const Moments m = moments(fitted);
        const double sigma = std::sqrt(m.variance);
        Distribution tangent = observed;
        for (Outcome& o : tangent) {
            const double z = (m.mean - o.value) / sigma;
            o.value = o.value - 0.5 - t * sigma * (1 + z * z) / 2;
        }
        const double x = secular_root(tangent);
        double change = 0;
        for (std::size_t k = 0; k < fitted.size(); ++k) {
            const double probability = observed[k].probability / (1 + x * tangent[k].value);
            change = std::max(change, std::abs(probability - fitted[k].probability));
            fitted[k].probability = probability;
        }
        if (change < 1e-10) break;
    }
    return fitted;
}

template <class Counts>
double ratio(const SprtSettings& settings, const Counts& counts) {
    double total = 0;
    // An outcome never seen yet is taken as a thousandth of a game, which keeps all logarithms
    // finite.
    const Distribution observed = distribution_of(counts, 1e-3, total);
    Distribution fit0, fit1;
    if (settings.model == EloModel::Logistic) {
        fit0 = fit_mean(observed, score_from_elo(settings.elo0));
        fit1 = fit_mean(observed, score_from_elo(settings.elo1));
    } else {
        // A pair has twice the games, so its standard deviation in points per game is smaller.
        const double pair = counts.size() == 5 ? std::sqrt(2.0) : 1.0;
        fit0 = fit_t_value(observed, settings.elo0 / kNormalizedUnit * pair);
        fit1 = fit_t_value(observed, settings.elo1 / kNormalizedUnit * pair);
    }
    double sum = 0;
    for (std::size_t i = 0; i < observed.size(); ++i)
        sum += observed[i].probability * std::log(fit1[i].probability / fit0[i].probability);
    return total * sum;
}

// When everything ended alike: the chance that a coin which fell n times on one side prefers it.
double los_without_spread(bool won, double n) {
    const double against = std::pow(0.5, n + 1);
    return won ? 1 - against : against;
}

template <class Counts>
Estimate estimate_counts(const Counts& counts) {
    double total = 0;
    const Distribution observed = distribution_of(counts, 0, total);
    Estimate e;
    if (total <= 0) {
        e.low = -std::numeric_limits<double>::infinity();
        e.high = -e.low;
        return e;
    }
    Moments m = moments(observed);
    // All alike, and neither won nor lost: a spread that was not seen yet may be as large as any.
    if (m.variance == 0 && m.mean > 0 && m.mean < 1) m.variance = m.mean * (1 - m.mean);
    const double deviation = std::sqrt(m.variance / total);
    e.score = m.mean;
    e.score_low = std::clamp(m.mean - kZ95 * deviation, 0.0, 1.0);
    e.score_high = std::clamp(m.mean + kZ95 * deviation, 0.0, 1.0);
    // All won or all lost has no spread to measure; Wilson's interval still knows how far that
    // carries.
    if (m.mean >= 1) e.score_low = total / (total + kZ95 * kZ95);
    if (m.mean <= 0) e.score_high = kZ95 * kZ95 / (total + kZ95 * kZ95);
    e.elo = elo_from_score(m.mean);
    e.low = elo_from_score(e.score_low);
    e.high = elo_from_score(e.score_high);
    if (deviation > 0)
        e.los = 0.5 * std::erfc(-(m.mean - 0.5) / (deviation * std::sqrt(2.0)));
    else if (m.mean != 0.5)
        e.los = los_without_spread(m.mean > 0.5, total);
    const double per_game = std::sqrt(m.variance * (counts.size() == 5 ? 2 : 1));
    if (per_game > 0) e.normalized_elo = (m.mean - 0.5) / per_game * kNormalizedUnit;
    return e;
}

std::array<std::int64_t, 3> as_counts(const WinsDrawsLosses& games) {
    return {games.losses, games.draws, games.wins};
}

}  // namespace

double WinsDrawsLosses::score() const {
    if (games() == 0) return 0.5;
    return (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
           static_cast<double>(games());
}

double elo_from_score(double score) {
    if (score <= 0) return -std::numeric_limits<double>::infinity();
    if (score >= 1) return std::numeric_limits<double>::infinity();
    return 400 * std::log10(score / (1 - score));
}

double score_from_elo(double elo) { return 1 / (1 + std::pow(10.0, -elo / 400)); }

Estimate estimate(const WinsDrawsLosses& games) { return estimate_counts(as_counts(games)); }
Estimate estimate(const PairCounts& pairs) { return estimate_counts(pairs); }

double SprtSettings::lower_bound() const { return std::log(beta / (1 - alpha)); }
double SprtSettings::upper_bound() const { return std::log((1 - beta) / alpha); }

double log_likelihood_ratio(const SprtSettings& settings, const PairCounts& pairs) {
    return ratio(settings, pairs);
}
double log_likelihood_ratio(const SprtSettings& settings, const WinsDrawsLosses& games) {
    return ratio(settings, as_counts(games));
}

SprtVerdict verdict(const SprtSettings& settings, double llr) {
    if (llr <= settings.lower_bound()) return SprtVerdict::H0;
    if (llr >= settings.upper_bound()) return SprtVerdict::H1;
    return SprtVerdict::Undecided;
}

}  // namespace rokada::lab
