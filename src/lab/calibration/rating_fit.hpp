// SPDX-License-Identifier: GPL-3.0-or-later
// One Elo scale for many players from the games between them: a joint Bradley-Terry fit with prior
// knowledge about some of them, and a rising curve through points that must rise. Pure arithmetic.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rokada::lab {

struct Rated {
    std::optional<double> prior;  // what is known already
    double prior_error = 60;      // standard deviation of that knowledge
    double elo = 1500;            // in: where to begin; out: the fit
    double error = 0;             // out: half of the 95 % interval
    double games = 0;             // out
};

struct PairScore {
    std::size_t first = 0, second = 0;
    double games = 0, points = 0;  // of the first
};

// Most likely ratings; players without games and without prior keep where they began.
void fit_ratings(std::vector<Rated>& players, const std::vector<PairScore>& scores);

// The nearest values that never fall, by weighted least squares (pool adjacent violators).
std::vector<double> rising(const std::vector<double>& values, const std::vector<double>& weights);

}  // namespace rokada::lab
