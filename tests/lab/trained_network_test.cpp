// SPDX-License-Identifier: GPL-3.0-or-later
// What is trained in floating point is what the engine plays with: the same judgements, but for the rounding of its
// integers.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/network/accumulator.hpp"
#include "tests/lab/training_helpers.hpp"

namespace rokada::lab {
namespace {

double floating_evaluation(const Model& model, const Position& position) {
    ActiveInputs in;
    active_inputs(make_record(position, 0, 1), in);
    const int bucket = engine::output_bucket(in.count);
    const auto at = [&](std::size_t i) { return static_cast<double>(model.values[i]); };
    double sum = at(model.output_bias(bucket));
    for (int view = 0; view < 2; ++view)
        for (int n = 0; n < model.hidden; ++n) {
            const int tile = n / kTile;
            const auto lane = static_cast<std::size_t>(n % kTile);
            double x = at(model.first_bias(tile) + lane);
            for (int i = 0; i < in.count; ++i)
                x += at(model.first_layer(
                            tile, (view == 0 ? in.own : in.other)[static_cast<std::size_t>(i)]) +
                        lane);
            x = std::clamp(x, 0.0, 1.0);
            sum += x * x * at(model.output(bucket, view, tile) + lane);
        }
    return engine::kCentipawnScale * sum;
}

struct Difference {
    double mean = 0, shift = 0, largest = 0;
};

// Between the engine with the model's file and the model itself, over positions of random games that are not yet decided.
Difference difference(const Model& model) {
    const auto file = model.quantise("test");
    const auto network = engine::Network::load(file.data(), file.size());
    if (!network) {
        ADD_FAILURE() << network.error();
        return {};
    }
    EXPECT_EQ((*network)->name(), "test");
    std::mt19937 random(31);
    Difference result;
    int counted = 0;
    while (counted < 3000) {
        Position position;
        for (int ply = 0; ply < 120; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
            if (ply % 4 != 0) continue;
            const double exact = floating_evaluation(model, position);
            if (std::abs(exact) >= 1500) continue;
            const double off =
                engine::AccumulatorStack::evaluate_from_scratch(**network, position) - exact;
            result.mean += std::abs(off);
            result.shift += off;
            result.largest = std::max(result.largest, std::abs(off));
            ++counted;
        }
    }
    result.mean /= counted;
    result.shift /= counted;
    return result;
}

// Weights that integers can hold leave nothing to round but the answer, which is cut to whole centipawns.
TEST(Model, TheEngineAnswersToTheCentipawnWhereNothingIsRounded) {
    Model model(engine::kHiddenNeurons);
    model.initialise(9);
    const auto snap = [&](std::size_t from, std::size_t to, int scale) {
        const auto steps = static_cast<float>(scale);
        for (std::size_t i = from; i < to; ++i)
            model.values[i] = std::round(model.values[i] * steps) / steps;
    };
    const std::size_t output = model.output(0, 0, 0), bias = model.output_bias(0);
    snap(0, output, engine::kFirstLayerScale);
    snap(output, bias, engine::kOutputScale);
    for (int bucket = 0; bucket < engine::kOutputBuckets; ++bucket)
        model.values[model.output_bias(bucket)] = static_cast<float>(bucket) / 16;
    const Difference off = difference(model);
    EXPECT_LT(off.mean, 0.6);
    EXPECT_LT(off.largest, 1.1);
}

// A network that has hardly been trained is full of small weights of no meaning, which round by as much as they weigh, and
// every neuron is half on. The sum of 512 such errors has a deviation of about 15 centipawns.
TEST(Model, TheEngineJudgesWithItsFileAsTheTrainerDid) {
    const DataSet set = small_set();
    TrainingPlan plan = small_training_plan();
    plan.hidden = engine::kHiddenNeurons;
    Trainer trainer(plan, set);
    ASSERT_EQ(trainer.run({}, [] { return true; }), "");
    const Difference off = difference(trainer.model());
    EXPECT_LT(off.mean, 15);
    EXPECT_LT(std::abs(off.shift), 10);
    EXPECT_LT(off.largest, 75);
}

}  // namespace
}  // namespace rokada::lab
