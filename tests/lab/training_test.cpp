// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "tests/lab/training_helpers.hpp"

namespace rokada::lab {
namespace {

TEST(Records, ShowTheNetworkWhatTheEngineShowsIt) {
    std::mt19937 random(3);
    Position position;
    for (int ply = 0; ply < 150; ++ply) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        position.play(moves[random() % moves.size()]);
        ActiveInputs in;
        active_inputs(make_record(position, 0, 1), in);
        ASSERT_EQ(in.count, position.occupied().count());
        for (const bool own : {true, false}) {
            const Color side = own ? position.turn() : ~position.turn();
            const engine::View view(side, position.king(side));
            std::vector<int> expected, found;
            for (const Square s : position.occupied())
                expected.push_back(view.feature(position.at(s), s));
            for (int i = 0; i < in.count; ++i)
                found.push_back((own ? in.own : in.other)[static_cast<std::size_t>(i)]);
            std::sort(expected.begin(), expected.end());
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected) << to_fen(position);
        }
    }
}

TEST(Gradient, EqualsTheSlopeOfTheLoss) {
    Model model(64);
    model.initialise(5);
    const auto records = some_records(150, 11);
    const auto batch = pointers(records);
    GradientWorker worker(64);
    Target target;
    std::vector<float> gradient(model.values.size());
    worker.run(model, batch.data(), batch.size(), target, gradient.data());

    std::mt19937 random(17);
    const auto loss = [&] {
        return worker.run(model, batch.data(), batch.size(), target, nullptr);
    };
    const auto check = [&](std::size_t i) {
        const float kept = model.values[i], step = 2e-3f;
        model.values[i] = kept + step;
        const double above = loss();
        model.values[i] = kept - step;
        const double below = loss();
        model.values[i] = kept;
        const double slope = (above - below) / (2.0 * static_cast<double>(step));
        EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 2e-3 + 2e-2 * std::abs(slope))
            << "parameter " << i;
    };
    for (int i = 0; i < 300; ++i) check(random() % model.first_bias(0));
    for (int i = 0; i < 64; ++i) check(model.first_bias(0) + static_cast<std::size_t>(i));
    for (int bucket = 0; bucket < engine::kOutputBuckets; ++bucket) {
        for (int view = 0; view < 2; ++view) check(model.output(bucket, view, 0) + random() % 64);
        check(model.output_bias(bucket));
    }
}

TEST(Target, WithoutAResultIsTheScoreWhateverTheShare) {
    auto records = some_records(300, 12);
    for (Record& r : records) r.result = kNoResult;
    const auto batch = pointers(records);
    Model model(64);
    model.initialise(5);
    GradientWorker worker(64);
    Target score_only;
    score_only.result_share = 0;
    std::vector<float> expected(model.values.size());
    const double loss = worker.run(model, batch.data(), batch.size(), score_only, expected.data());
    for (const float share : {0.15f, 0.5f, 1.0f}) {
        Target target;
        target.result_share = share;
        EXPECT_EQ(target(records[0]), score_only(records[0]));
        std::vector<float> gradient(model.values.size());
        EXPECT_EQ(worker.run(model, batch.data(), batch.size(), target, gradient.data()), loss);
        EXPECT_EQ(gradient, expected);
    }
    // With a result it is another one.
    records[0].result = 2;
    Target target;
    target.result_share = 1;
    EXPECT_EQ(target(records[0]), 1.0f);
}

TEST(Trainer, LearnsMaterialFromItsRecords) {
    const DataSet set = small_set();
    Trainer trainer(small_training_plan(), set);
    const double before = trainer.held_out_loss();
    EXPECT_EQ(trainer.run({}, [] { return true; }), "");
    EXPECT_LT(trainer.held_out_loss(), before / 2);
}

TEST(Trainer, StoppedAndResumedGivesTheSameNetwork) {
    const DataSet set = small_set();
    Trainer whole(small_training_plan(), set);
    ASSERT_EQ(whole.run({}, [] { return true; }), "");

    TrainingPlan plan = small_training_plan();
    plan.checkpoint = testing::TempDir() + "rokada_training_checkpoint";
    std::remove(plan.checkpoint.c_str());
    int steps = 0;
    {
        Trainer first(plan, set);
        ASSERT_EQ(first.resume(), "");
        ASSERT_EQ(first.run({}, [&] { return ++steps < 150; }), "stopped");
    }
    Trainer second(plan, set);
    ASSERT_EQ(second.resume(), "");
    ASSERT_EQ(second.run({}, [] { return true; }), "");
    EXPECT_EQ(second.model().values, whole.model().values);

    std::remove(plan.checkpoint.c_str());
}

TEST(Trainer, ResumesOnlyThePlanThatWasBegun) {
    const DataSet set = small_set();
    TrainingPlan plan = small_training_plan();
    plan.checkpoint = testing::TempDir() + "rokada_training_plan";
    std::remove(plan.checkpoint.c_str());
    ASSERT_EQ(Trainer(plan, set).run({}, [] { return false; }), "stopped");
    ASSERT_EQ(Trainer(plan, set).resume(), "");
    const auto refused = [&](const char* what, auto change) {
        TrainingPlan other = plan;
        change(other);
        EXPECT_EQ(Trainer(other, set).resume(),
                  plan.checkpoint + ": belongs to another plan (different: " + what + ")");
    };
    refused("width", [](TrainingPlan& p) { p.hidden = 128; });
    refused("samples", [](TrainingPlan& p) { p.samples *= 2; });
    refused("batch", [](TrainingPlan& p) { p.batch = 256; });
    refused("seed", [](TrainingPlan& p) { p.seed = 2; });
    // Sums are added up thread by thread: another number of them rounds otherwise.
    refused("threads", [](TrainingPlan& p) { p.threads = 1; });
    refused("rate", [](TrainingPlan& p) { p.rate = 1e-3; });
    refused("final rate", [](TrainingPlan& p) { p.final_rate = 0; });
    refused("result share", [](TrainingPlan& p) { p.target.result_share = 0.5f; });
    refused("rate, score scale", [](TrainingPlan& p) {
        p.rate = 2e-3;
        p.target.score_scale = 300;
    });
    DataSet fewer = set;
    fewer.training.pop_back();
    EXPECT_EQ(Trainer(plan, fewer).resume(),
              plan.checkpoint + ": belongs to another plan (different: data)");
    std::ofstream(plan.checkpoint, std::ios::binary) << "something else";
    EXPECT_EQ(Trainer(plan, set).resume(),
              plan.checkpoint + ": not a training checkpoint of this version");
    std::remove(plan.checkpoint.c_str());
}

TEST(TrainingGames, MovesSurviveTheRoundTrip) {
    std::mt19937 random(4);
    for (int game = 0; game < 40; ++game) {
        Position position;
        for (int ply = 0; ply < 200; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            for (const Move move : moves)
                EXPECT_EQ(decode_training_move(position, encode_training_move(move)), move)
                    << to_fen(position);
            position.play(moves[random() % moves.size()]);
        }
    }
}

TEST(TrainingGames, AnyStoredMoveIsSafeToRead) {
    const Position position;
    for (unsigned stored = 0; stored < 65536; ++stored) {
        const Move move = decode_training_move(position, static_cast<std::uint16_t>(stored));
        EXPECT_TRUE(move.none() || position.is_legal(move));
    }
}

TEST(TrainingGames, DamagedFilesAreReportedWithTheByte) {
    const std::string path = testing::TempDir() + "rokada_training_games";
    const auto read = [&](const std::vector<unsigned char>& bytes) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        int games = 0;
        const std::string problem =
            read_training_games(path, [&](const TrainingGame&) { ++games; });
        std::remove(path.c_str());
        return std::to_string(games) + problem;
    };
    const std::vector<unsigned char> game{1,    0,    0,  2,
                                          0x0C, 0x07, 10, 0};  // 1. e4, score 10, White won
    EXPECT_EQ(read({}), "0");
    EXPECT_EQ(read(game), "1");
    auto bytes = game;
    bytes.insert(bytes.end(), game.begin(), game.end() - 1);
    EXPECT_EQ(read(bytes), "1" + path + ": byte 8: a game is cut off");
    bytes = game;
    bytes[3] = 3;  // a branch from the start position
    EXPECT_EQ(read(bytes), "1");
    bytes[3] = 4;
    EXPECT_EQ(read(bytes), "0" + path + ": byte 0: the result is not 0, 1, 2 or 3");
    EXPECT_EQ(read({1, 0, 1, 3, 0x0C, 0x07}),
              "0" + path + ": byte 0: a game without a result has not one score");
    EXPECT_EQ(read({2, 0, 0, 3, 0x0C, 0x07, 0x34, 0x09, 10, 0, 10, 0}),
              "0" + path + ": byte 0: a game without a result has not one score");
    bytes = game;
    bytes[2] = 2;
    EXPECT_EQ(read(bytes), "0" + path + ": byte 0: the opening is longer than the game");
    EXPECT_EQ(read({0x28, 0xB5, 0x2F, 0xFD, 0, 0}).substr(0, 1), "0");
    EXPECT_NE(read({0x28, 0xB5, 0x2F, 0xFD, 0, 0}), "0");
    EXPECT_EQ(read_training_games("/nonexistent", {}), "/nonexistent: cannot be opened");
}

}  // namespace
}  // namespace rokada::lab
