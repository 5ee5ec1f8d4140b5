// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner's arithmetic is the evaluation's, its slopes are true, and what it learns can be
// compiled in.
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "engine/evaluation/classical.hpp"
#include "lab/perft/perft_diff.hpp"
#include "lab/training/game_file.hpp"
#include "lab/tuning/tuner.hpp"
#include "lab/tuning/weights_file.hpp"

namespace rokada::lab {
namespace {

std::vector<Position> positions(std::size_t count) {
    std::vector<Position> out;
    for (const Position& p : random_positions(count, 77, false))
        if (!p.in_check()) out.push_back(p);
    return out;
}

double value_for_white(const Position& position) {
    engine::Trace trace;
    return engine::trace_classical(position, trace).value;
}

TEST(Tuning, FeaturesAndPresentWeightsGiveTheEvaluation) {
    TuningSet set;
    const TunedValues values = current_values();
    int compared = 0;
    for (const Position& position : positions(2000)) {
        if (!set.add(position, 0.5f)) continue;
        // Whole numbers are cut at several places.
        ASSERT_NEAR(set.evaluate(set.size() - 1, values), value_for_white(position), 4)
            << to_fen(position);
        ++compared;
    }
    EXPECT_GT(compared, 1000);
}

TEST(Tuning, TheGradientIsTheSlope) {
    TuningSet set;
    for (const Position& position : positions(60)) set.add(position, 0.5f);
    TunedValues values = current_values();
    // Off the whole numbers, so that no clamp sits exactly at its edge.
    for (std::size_t n = 0; n < values.size(); ++n)
        values[n] += 0.37f + 0.01f * static_cast<float>(n % 13);
    int checked = 0;
    for (std::size_t i = 0; i < set.size(); i += 3) {
        std::vector<float> gradient(kTunedCount);
        set.accumulate(i, values, [](float, float) { return 1.0f; }, gradient);
        for (std::size_t n = 0; n < kTunedCount; ++n) {
            if (gradient[n] == 0) continue;
            TunedValues up = values, down = values;
            up[n] += 0.25f;
            down[n] -= 0.25f;
            const double slope = (set.evaluate(i, up) - set.evaluate(i, down)) / 0.5;
            ASSERT_NEAR(static_cast<double>(gradient[n]), slope, 0.02 + 0.02 * std::abs(slope))
                << i << ' ' << n;
            ++checked;
        }
    }
    EXPECT_GT(checked, 500);
}

// Labels made by an evaluation with dearer knights: the tuner finds them dearer, and little else.
TEST(Tuning, FindsTheWeightsThatMadeTheLabels) {
    TunedValues truth = current_values();
    const std::size_t knight = offsetof(engine::Weights, material) / sizeof(engine::Tapered) + 1;
    truth[2 * knight] += 60;
    truth[2 * knight + 1] += 60;
    TuningSet probe;
    LabelledSets sets;
    for (const Position& position : positions(6000)) {
        if (!probe.add(position, 0)) continue;
        const double value = probe.evaluate(probe.size() - 1, truth);
        const auto label = static_cast<float>(1 / (1 + std::exp(-value / 200)));
        (probe.size() % 20 == 0 ? sets.held_out : sets.training).add(position, label);
    }
    TuningPlan plan;
    plan.epochs = 60;
    plan.batch = 512;
    plan.rate = 2;
    Tuner tuner(plan, sets);
    const double before = tuner.error(sets.held_out, tuner.values());
    EXPECT_EQ(tuner.run(nullptr, [] { return true; }), "");
    EXPECT_LT(tuner.error(sets.held_out, tuner.values()), before / 4);
    EXPECT_GT(tuner.values()[2 * knight], current_values()[2 * knight] + 15);
}

TEST(Tuning, StoppedAndResumedItEndsWithTheSameWeights) {
    LabelledSets sets;
    for (const Position& position : positions(600))
        sets.training.add(position, position.turn() == Color::White ? 0.7f : 0.2f);
    TuningPlan plan;
    plan.epochs = 6;
    plan.batch = 128;
    Tuner whole(plan, sets);
    EXPECT_EQ(whole.run(nullptr, [] { return true; }), "");
    plan.checkpoint = testing::TempDir() + "rokada_tune_test.checkpoint";
    std::remove(plan.checkpoint.c_str());
    {
        Tuner first(plan, sets);
        int epochs = 0;
        EXPECT_EQ(first.run([&](const TuningReport&) { ++epochs; }, [&] { return epochs < 3; }),
                  "stopped");
    }
    Tuner second(plan, sets);
    EXPECT_EQ(second.resume(), "");
    EXPECT_EQ(second.run(nullptr, [] { return true; }), "");
    EXPECT_EQ(second.values(), whole.values());
    plan.seed = 2;
    EXPECT_THAT(Tuner(plan, sets).resume(), testing::HasSubstr("another plan"));
    std::remove(plan.checkpoint.c_str());
}

TEST(Tuning, TheHeaderIsRewrittenInItsOwnForm) {
    std::ifstream file(std::string(ROKADA_SOURCE_DIR) + "/src/engine/evaluation/weights.hpp");
    const std::string header{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(header.empty());
    const auto same = with_values(header, current_values());
    ASSERT_TRUE(same) << same.error();
    EXPECT_EQ(*same, header);
    TunedValues values = current_values();
    values[0] = 91.4f;
    values[kDangerBegin + 1] = -7.6f;
    const auto changed = with_values(header, values);
    ASSERT_TRUE(changed) << changed.error();
    EXPECT_THAT(*changed, testing::HasSubstr("material{S{91, "));
    EXPECT_THAT(*changed, testing::HasSubstr("bishop_attacker = -8"));
    EXPECT_FALSE(with_values("struct Weights {};", values));
}

TEST(Tuning, BranchesAreLabelledByTheirScoreAndHeldOutWithTheirGames) {
    // Knights out and back; White, said to be even, wins.
    TrainingGame game;
    Position position;
    constexpr std::pair<Square, Square> kMoves[] = {{Square::G1, Square::F3},
                                                    {Square::G8, Square::F6},
                                                    {Square::F3, Square::G1},
                                                    {Square::F6, Square::G8}};
    for (int i = 0; i < 4; ++i) {
        const Move move(kMoves[i].first, kMoves[i].second);
        game.moves.push_back(encode_training_move(move));
        position.play(move);
    }
    game.opening = 3;
    game.scores = {0};
    game.result = 2;
    TrainingGame branch = game;
    branch.result = kNoResult;
    std::vector<unsigned char> bytes;
    for (int i = 0; i < 100; ++i) {
        append_training_game(game, bytes);
        append_training_game(branch, bytes);
        append_training_game(branch, bytes);
    }
    const std::string path = testing::TempDir() + "rokada_tune_branches.bin";
    ASSERT_EQ(write_training_file(path, bytes), "");
    LabelSettings settings;
    settings.every = 1;
    settings.first_ply = 0;
    settings.result_share = 0.4f;
    LabelledSets sets;
    ASSERT_EQ(load_positions(path, settings, sets), "");
    // Games 50 and 100.
    ASSERT_EQ(sets.held_out.size(), 6u);
    ASSERT_EQ(sets.training.size(), 294u);
    for (const TuningSet* set : {&sets.held_out, &sets.training})
        for (std::size_t i = 0; i < set->size(); ++i)
            EXPECT_FLOAT_EQ((*set)[i].score, i % 3 == 0 ? 0.7f : 0.5f) << i;
    std::remove(path.c_str());
}

TEST(Tuning, LinesWithResultsAreReadAndBadOnesNamed) {
    const std::string path = testing::TempDir() + "rokada_tune_test.epd";
    const auto load = [&](const std::string& text, LabelledSets& sets) {
        std::ofstream(path) << text;
        return load_positions(path, {}, sets);
    };
    LabelledSets sets;
    EXPECT_EQ(load("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - c9 \"1-0\";\n"
                   "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 [0.5]\n"
                   "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3;0-1\n",
                   sets),
              "");
    ASSERT_EQ(sets.training.size(), 3u);
    EXPECT_EQ(sets.training[0].score, 1.0f);
    EXPECT_EQ(sets.training[1].score, 0.5f);
    EXPECT_EQ(sets.training[2].score, 0.0f);
    EXPECT_THAT(load("8/8/8/8/8/8/8/K1k5 w - - \n", sets), testing::HasSubstr("line 1"));
    EXPECT_THAT(load("nonsense [1.0]\n", sets), testing::HasSubstr("line 1"));
    EXPECT_THAT(load_positions("/nowhere/x", {}, sets), testing::HasSubstr("cannot be opened"));
    std::remove(path.c_str());
}

}  // namespace
}  // namespace rokada::lab
