// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of matches against results that other projects have published.
#include "lab/match/statistics.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace rokada::lab {
namespace {

TEST(Elo, FollowsTheLogisticCurve) {
    EXPECT_NEAR(elo_from_score(0.75), 190.85, 0.01);
    EXPECT_NEAR(elo_from_score(0.5), 0, 1e-12);
    EXPECT_NEAR(score_from_elo(400), 10.0 / 11, 1e-12);
    EXPECT_TRUE(std::isinf(elo_from_score(1)));
    EXPECT_TRUE(std::isinf(elo_from_score(0)));
}

// cutechess/cutechess issue 543: 880 - 759 - 1863, Elo difference 12.0 +/- 7.9, LOS 99.9 %, llr
// 2.95 for elo0 0, elo1 5.
TEST(Elo, AgreesWithCutechessOnSingleGames) {
    const WinsDrawsLosses games{880, 1863, 759};
    const Estimate e = estimate(games);
    EXPECT_NEAR(e.elo, 12.0, 0.05);
    EXPECT_NEAR(e.margin(), 7.9, 0.05);
    EXPECT_NEAR(e.los, 0.999, 0.0005);
    EXPECT_NEAR(log_likelihood_ratio({0, 5, 0.05, 0.05, EloModel::Logistic}, games), 2.95, 0.01);
}

struct Published {
    const char* where;
    PairCounts pairs;
    double elo, margin, elo0, elo1, llr;
};

// Tests of engines on OpenBench instances, from the pull requests named. Its bounds are in
// normalised Elo.
const Published kPublished[] = {
    {"liamt19/Lizard 68", {126, 3369, 7449, 3572, 147}, 2.90, 2.08, 0, 3, 2.95},
    {"mcthouacbb/Sirius 194 STC", {118, 1026, 2079, 1138, 143}, 6.25, 4.28, 0, 5, 2.97},
    {"mcthouacbb/Sirius 194 LTC", {7, 197, 531, 285, 22}, 19.69, 7.94, 0, 5, 2.97},
    {"mcthouacbb/Sirius 250 STC", {279, 2625, 5205, 2810, 316}, 4.00, 2.68, 0, 3, 2.95},
    {"mcthouacbb/Sirius 250 LTC", {15, 497, 1180, 660, 30}, 14.08, 5.21, 0, 3, 2.97},
    {"codedeliveryservice/Reckless 290 STC", {60, 1646, 3313, 1603, 50}, -1.64, 3.10, 0, 4, -2.26},
    {"codedeliveryservice/Reckless 290 LTC", {2, 448, 1137, 573, 8}, 10.98, 5.11, 0, 4, 2.91},
    {"ProgramciDusunur/Potential 140", {152, 382, 700, 400, 203}, 11.35, 8.70, 0, 10, 2.95},
    {"liamt19/Lizard 103", {117, 4099, 8771, 4344, 123}, 2.56, 1.89, 0, 3, 2.97},
};

TEST(Elo, AgreesWithOpenBenchOnPairs) {
    for (const Published& p : kPublished) {
        const Estimate e = estimate(p.pairs);
        EXPECT_NEAR(e.elo, p.elo, 0.01) << p.where;
        EXPECT_NEAR(e.margin(), p.margin, 0.02) << p.where;
    }
}

TEST(Sprt, AgreesWithOpenBenchOnPairs) {
    for (const Published& p : kPublished)
        EXPECT_NEAR(
            log_likelihood_ratio({p.elo0, p.elo1, 0.05, 0.05, EloModel::Normalized}, p.pairs),
            p.llr, 0.02)
            << p.where;
}

TEST(Sprt, BoundsAreThoseOfWald) {
    const SprtSettings settings{0, 2, 0.05, 0.05, EloModel::Logistic};
    EXPECT_NEAR(settings.upper_bound(), 2.944, 0.001);
    EXPECT_NEAR(settings.lower_bound(), -2.944, 0.001);
    EXPECT_EQ(verdict(settings, 2.95), SprtVerdict::H1);
    EXPECT_EQ(verdict(settings, -2.95), SprtVerdict::H0);
    EXPECT_EQ(verdict(settings, 2.9), SprtVerdict::Undecided);
}

TEST(Sprt, NothingPlayedProvesNothing) {
    for (const EloModel model : {EloModel::Logistic, EloModel::Normalized}) {
        const SprtSettings settings{0, 5, 0.05, 0.05, model};
        EXPECT_NEAR(log_likelihood_ratio(settings, PairCounts{}), 0, 0.01);
        EXPECT_EQ(verdict(settings, log_likelihood_ratio(settings, PairCounts{0, 0, 3, 0, 0})),
                  SprtVerdict::Undecided);
        EXPECT_TRUE(std::isfinite(log_likelihood_ratio(settings, PairCounts{0, 0, 0, 0, 500})));
        EXPECT_GT(log_likelihood_ratio(settings, PairCounts{0, 0, 10, 0, 90}), 0);
        EXPECT_LT(log_likelihood_ratio(settings, PairCounts{90, 0, 10, 0, 0}), 0);
    }
}

TEST(Elo, AllWonStillHasALowerEnd) {
    const Estimate e = estimate(WinsDrawsLosses{20, 0, 0});
    EXPECT_TRUE(std::isinf(e.elo));
    // Wilson: 20 / (20 + 3.84) = 0.839.
    EXPECT_NEAR(e.score_low, 0.839, 0.001);
    EXPECT_NEAR(estimate(WinsDrawsLosses{0, 0, 20}).score_high, 0.161, 0.001);
}

TEST(Elo, NothingButDrawsProvesLittle) {
    const Estimate e = estimate(WinsDrawsLosses{0, 20, 0});
    EXPECT_EQ(e.elo, 0);
    EXPECT_LT(e.low, -50);
    EXPECT_GT(e.high, 50);
}

TEST(Elo, WithoutGamesNothingIsKnown) {
    const Estimate e = estimate(WinsDrawsLosses{});
    EXPECT_TRUE(std::isinf(e.low) && std::isinf(e.high));
    EXPECT_EQ(e.los, 0.5);
}

}  // namespace
}  // namespace rokada::lab
