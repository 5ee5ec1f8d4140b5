// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/metrics.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "review/phases.hpp"

namespace rokada::review {
namespace {

using engine::Score;

TEST(WinPercent, FollowsThePublishedCurve) {
    EXPECT_DOUBLE_EQ(win_percent(Score::centipawns(0)), 50);
    EXPECT_NEAR(win_percent(Score::centipawns(100)), 59.1, 0.05);
    EXPECT_NEAR(win_percent(Score::centipawns(-300)), 24.9, 0.05);
    // Beyond ten pawns nothing changes any more, and a mate is as good as that.
    EXPECT_DOUBLE_EQ(win_percent(Score::centipawns(5000)), win_percent(Score::centipawns(1000)));
    EXPECT_DOUBLE_EQ(win_percent(Score::mate_in(3)), win_percent(Score::centipawns(1000)));
    EXPECT_DOUBLE_EQ(win_percent(Score::mated_in(0)), win_percent(Score::centipawns(-1000)));
}

TEST(MoveAccuracy, IsFullWithoutLossAndFallsWithIt) {
    EXPECT_DOUBLE_EQ(move_accuracy(50, 50), 100);
    EXPECT_DOUBLE_EQ(move_accuracy(50, 60), 100);
    EXPECT_NEAR(move_accuracy(60, 50), 64.6, 0.2);
    EXPECT_LT(move_accuracy(97, 3), 1);
    EXPECT_GE(move_accuracy(100, 0), 0);
}

TEST(GameAccuracy, NeedsFiveMoves) {
    const std::vector<double> wins(12, 50);
    std::vector<CountedMove> counted;
    for (std::size_t i = 0; i < 4; ++i) counted.push_back({i * 2, 100});
    EXPECT_FALSE(game_accuracy(wins, counted));
    counted.push_back({8, 100});
    EXPECT_DOUBLE_EQ(game_accuracy(wins, counted).value(), 100);
    // One bad move weighs more in the harmonic mean than in the plain one.
    counted.back().accuracy = 10;
    EXPECT_LT(game_accuracy(wins, counted).value(), 82);
    EXPECT_GT(game_accuracy(wins, counted).value(), 20);
}

TEST(Judgement, FollowsThePointsLost) {
    EXPECT_EQ(judge_loss(4.9), Judgement::Good);
    EXPECT_EQ(judge_loss(5), Judgement::Inaccuracy);
    EXPECT_EQ(judge_loss(10), Judgement::Mistake);
    EXPECT_EQ(judge_loss(15), Judgement::Blunder);
}

TEST(Judgement, KnowsMates) {
    const auto judge = [](Score best, Score played) {
        return judge_change(best, played, win_percent(best) - win_percent(played));
    };
    EXPECT_EQ(judge(Score::mate_in(2), Score::mate_in(7)), Judgement::Good);
    EXPECT_EQ(judge(Score::mated_in(7), Score::mated_in(1)), Judgement::Good);
    EXPECT_EQ(judge(Score::mate_in(2), Score::centipawns(100)), Judgement::Blunder);
    EXPECT_EQ(judge(Score::mate_in(2), Score::centipawns(800)), Judgement::Mistake);
    EXPECT_EQ(judge(Score::mate_in(2), Score::centipawns(1500)), Judgement::Inaccuracy);
    EXPECT_EQ(judge(Score::centipawns(0), Score::mated_in(5)), Judgement::Blunder);
    EXPECT_EQ(judge(Score::centipawns(-800), Score::mated_in(5)), Judgement::Mistake);
    EXPECT_EQ(judge(Score::centipawns(-1500), Score::mated_in(5)), Judgement::Inaccuracy);
    EXPECT_EQ(judge(Score::mate_in(1), Score::mated_in(1)), Judgement::Blunder);
}

TEST(Phases, CountPieces) {
    const auto phase = [](const char* fen) {
        return find_phases(Game(parse_position(fen).value())).at(0);
    };
    EXPECT_EQ(find_phases(Game()).at(0), Phase::Opening);
    EXPECT_EQ(phase("4k3/4q3/3rr3/8/8/3RR3/4Q3/4K3 w - - 0 1"), Phase::Endgame);
    EXPECT_EQ(phase("4k3/4q3/3rr3/8/8/3RR3/4Q2N/4K3 w - - 0 1"), Phase::Middlegame);
}

}  // namespace
}  // namespace rokada::review
