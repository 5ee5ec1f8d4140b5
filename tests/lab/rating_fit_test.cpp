// SPDX-License-Identifier: GPL-3.0-or-later
// The joint fit of a rating list, and curves that rise.
#include "lab/calibration/rating_fit.hpp"

#include <gtest/gtest.h>

#include "lab/match/statistics.hpp"

namespace rokada::lab {
namespace {

TEST(RatingFit, RecoversTheRatingsBehindExactScores) {
    const double truth[] = {1200, 1350, 1600, 1700};
    std::vector<Rated> players(4);  // begin at 1500
    players[2].prior = 1600;
    players[2].prior_error = 1;
    std::vector<PairScore> scores;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = i + 1; k < 4; ++k)
            scores.push_back({i, k, 10000, 10000 * score_from_elo(truth[i] - truth[k])});
    fit_ratings(players, scores);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(players[i].elo, truth[i], 1) << i;
        EXPECT_EQ(players[i].games, 30000);
    }
}

TEST(RatingFit, FewGamesLeaveWideErrorsAndPriorsWeigh) {
    std::vector<Rated> players(2);
    players[0].prior = 1500;
    std::vector<PairScore> scores{{0, 1, 10, 5}};
    fit_ratings(players, scores);
    EXPECT_NEAR(players[1].elo, 1500, 1);
    const double few = players[1].error;
    scores[0] = {0, 1, 1000, 500};
    fit_ratings(players, scores);
    EXPECT_LT(players[1].error, few);
    EXPECT_GT(players[1].error, 1.96 * 60 * 0.9);  // never surer than the anchor itself
}

TEST(RatingFit, SurvivesPerfectScores) {
    std::vector<Rated> players(2);
    players[0].prior = 1500;
    fit_ratings(players, {{0, 1, 20, 20}});
    EXPECT_LT(players[1].elo, 1000);
    EXPECT_GT(players[1].elo, -4000);
}

TEST(RatingFit, RisingPoolsWhatFalls) {
    EXPECT_EQ(rising({1, 3, 2, 4}, {1, 1, 1, 1}), (std::vector<double>{1, 2.5, 2.5, 4}));
    EXPECT_EQ(rising({3, 1}, {3, 1}), (std::vector<double>{2.5, 2.5}));
    EXPECT_EQ(rising({1, 2, 3}, {1, 1, 1}), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace rokada::lab
