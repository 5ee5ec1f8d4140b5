// SPDX-License-Identifier: GPL-3.0-or-later
// What game results prove: Elo with error bars, likelihood of superiority, and the sequential test
// (SPRT) over pairs of games with swapped colours. Pure arithmetic; checked against published
// results in the tests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace rokada::lab {

struct WinsDrawsLosses {
    std::int64_t wins = 0, draws = 0, losses = 0;
    std::int64_t games() const { return wins + draws + losses; }
    double score() const;  // between 0 and 1; one half without games
};

// Pairs by the points they brought: 0, 1/2, 1, 3/2, 2.
using PairCounts = std::array<std::int64_t, 5>;

double elo_from_score(double score);  // infinite at 0 and 1
double score_from_elo(double elo);

struct Estimate {
    double elo = 0;
    double low = 0, high = 0;  // of the 95 % interval
    double score = 0.5;        // between 0 and 1
    double score_low = 0, score_high = 1;
    double los = 0.5;  // likelihood that the first is the stronger one
    double normalized_elo = 0;
    double margin() const { return (high - low) / 2; }
};

Estimate estimate(const WinsDrawsLosses& games);
// Better: pairs share an opening, so their games are not independent.
Estimate estimate(const PairCounts& pairs);

enum class EloModel { Logistic, Normalized };

struct SprtSettings {
    double elo0 = 0, elo1 = 2;
    double alpha = 0.05, beta = 0.05;
    EloModel model = EloModel::Logistic;
    double lower_bound() const;
    double upper_bound() const;
};

enum class SprtVerdict { Undecided, H0, H1 };

// The log-likelihood ratio of elo1 against elo0 (generalised, by maximum likelihood).
double log_likelihood_ratio(const SprtSettings& settings, const PairCounts& pairs);
double log_likelihood_ratio(const SprtSettings& settings, const WinsDrawsLosses& games);
SprtVerdict verdict(const SprtSettings& settings, double llr);

}  // namespace rokada::lab
