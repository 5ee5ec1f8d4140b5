// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "lab/evaluation/comparison.hpp"
#include "lab/training/records.hpp"

namespace rokada::lab {
namespace {

// Verdicts from -400 to 400, an evaluation in half the unit that is right, and one that is noise of the wrong sign.
std::vector<Judged> made_up() {
    std::vector<Judged> judged;
    for (int verdict = -400; verdict <= 400; verdict += 10) {
        Judged j;
        j.verdict = verdict;
        j.network = verdict / 2;
        j.classical = -verdict;
        judged.push_back(j);
    }
    return judged;
}

TEST(EvaluationComparison, UnitsDoNotMatterAndSidesDo) {
    const std::vector<Judged> judged = made_up();
    const Accuracy right = accuracy(judged, &Judged::network);
    EXPECT_NEAR(right.scale, kVerdictScale / 2, 2);
    EXPECT_LT(right.mean_error, 0.002);
    EXPECT_GT(right.correlation, 0.999);
    EXPECT_EQ(right.wrong_side, 0);
    EXPECT_EQ(right.clear, 62u);
    const Accuracy wrong = accuracy(judged, &Judged::classical);
    EXPECT_LT(wrong.correlation, -0.9);
    EXPECT_EQ(wrong.wrong_side, 1);
    EXPECT_EQ(wrong.errors.size(), judged.size());
}

TEST(EvaluationComparison, AskedAreGamesThatTrainingNeverSees) {
    // A game of quiet moves: knights out and back. Only its number decides.
    TrainingGame game;
    Position position;
    for (int i = 0; i < 24; ++i) {
        constexpr std::pair<Square, Square> kMoves[] = {{Square::G1, Square::F3},
                                                        {Square::G8, Square::F6},
                                                        {Square::F3, Square::G1},
                                                        {Square::F6, Square::G8}};
        const Move move(kMoves[i % 4].first, kMoves[i % 4].second);
        game.moves.push_back(encode_training_move(move));
        position.play(move);
    }
    game.scores.assign(game.moves.size(), 0);
    TrainingGame branch = game;
    branch.result = kNoResult;
    branch.opening = 23;
    branch.scores = {0};
    std::vector<unsigned char> bytes;
    std::size_t held_out = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        append_training_game(game, bytes);
        for (std::uint64_t n = 0; n < i % 3; ++n) append_training_game(branch, bytes);  // not asked
        held_out += is_held_out(i);
    }
    ASSERT_GT(held_out, 1u);
    const std::string path = testing::TempDir() + "rokada_evaluation.bin";
    ASSERT_EQ(write_training_file(path, bytes), "");
    const auto all = held_out_positions({path}, 100);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->size(), held_out);
    EXPECT_EQ(held_out_positions({path}, 1)->size(), 1u);
    EXPECT_FALSE(held_out_positions({"/nowhere"}, 1));
}

TEST(EvaluationComparison, BothAreAskedAndTheJudgeIsAnEngine) {
    auto judge = parse_engine_spec(
        "cmd='" + std::string(testing_support::program_path()) + " uci' name=judge", "nodes=2000");
    ASSERT_TRUE(judge);
    Position up = *parse_position("4k3/8/8/8/8/8/PPPP4/RNBQKBNR w KQ - 0 1");
    std::size_t told = 0;
    const std::atomic<bool> stopping{false};
    const auto judged = judge_positions({Position(), up}, *judge, 1, stopping,
                                        [&](std::size_t done) { told = done; });
    ASSERT_TRUE(judged) << judged.error();
    EXPECT_EQ(told, 2u);
    ASSERT_GE(judged->size(), 1u);
    EXPECT_LT(std::abs(judged->front().verdict), 100);
    EXPECT_LT(std::abs(judged->front().classical), 100);
    EXPECT_LT(std::abs(judged->front().network), 100);
    EXPECT_THAT(comparison_svg(*judged, accuracy(*judged, &Judged::classical),
                               accuracy(*judged, &Judged::network)),
                testing::HasSubstr("<svg"));
}

}  // namespace
}  // namespace rokada::lab
