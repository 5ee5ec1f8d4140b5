// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "engine/network/format.hpp"
#include "lab/training/trainer.hpp"

namespace rokada::lab {
namespace {

// Random games with made-up scores that depend on the board, so that there is something to learn.
std::vector<Record> some_records(int wanted, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Record> records;
    while (static_cast<int>(records.size()) < wanted) {
        Position position;
        for (int ply = 0; ply < 120 && static_cast<int>(records.size()) < wanted; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
            constexpr int worth[] = {100, 300, 300, 500, 900, 0};
            int balance = 0;
            for (const Square s : position.occupied()) {
                const Piece p = position.at(s);
                balance += (color_of(p) == position.turn() ? 1 : -1) * worth[index(type_of(p))];
            }
            records.push_back(make_record(position, balance, static_cast<int>(random() % 3)));
        }
    }
    return records;
}

std::vector<const Record*> pointers(const std::vector<Record>& records) {
    std::vector<const Record*> all;
    for (const Record& r : records) all.push_back(&r);
    return all;
}

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

DataSet small_set() {
    DataSet set;
    set.training = some_records(20'000, 21);
    set.held_out = some_records(2'000, 22);
    return set;
}

TrainingPlan small_plan() {
    TrainingPlan plan;
    plan.hidden = 64;
    plan.batch = 512;
    plan.samples = 512 * 400;
    plan.report_every = 512 * 100;
    plan.target.result_share = 0;
    plan.rate = 5e-3;
    return plan;
}

TEST(Trainer, LearnsMaterialFromItsRecords) {
    const DataSet set = small_set();
    Trainer trainer(small_plan(), set);
    const double before = trainer.held_out_loss();
    EXPECT_EQ(trainer.run({}, [] { return true; }), "");
    EXPECT_LT(trainer.held_out_loss(), before / 2);
}

TEST(Trainer, StoppedAndResumedGivesTheSameNetwork) {
    const DataSet set = small_set();
    Trainer whole(small_plan(), set);
    ASSERT_EQ(whole.run({}, [] { return true; }), "");

    TrainingPlan plan = small_plan();
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

    plan.hidden = 128;
    Trainer other(plan, set);
    EXPECT_NE(other.resume().find("another plan"), std::string::npos);
    std::remove(plan.checkpoint.c_str());
}

TEST(Model, QuantisedNetworkAnswersAsTheFloatingOne) {
    const DataSet set = small_set();
    Trainer trainer(small_plan(), set);
    ASSERT_EQ(trainer.run({}, [] { return true; }), "");
    const Model& model = trainer.model();
    const auto file = model.quantise("test");
    ASSERT_EQ(file.size(), sizeof(engine::NetworkHeader) + engine::network_payload_size(64));
    const auto short_at = [&](std::size_t i) {
        std::int16_t value = 0;
        std::memcpy(&value, file.data() + sizeof(engine::NetworkHeader) + 2 * i, 2);
        return value;
    };
    double error = 0;
    int counted = 0;
    for (std::size_t r = 0; r < 500; ++r) {
        ActiveInputs in;
        active_inputs(set.held_out[r], in);
        const int bucket = engine::output_bucket(in.count);
        double exact = static_cast<double>(model.values[model.output_bias(bucket)]);
        std::int64_t sum = 0;
        for (int view = 0; view < 2; ++view) {
            for (std::size_t n = 0; n < 64; ++n) {
                double x = static_cast<double>(model.values[model.first_bias(0) + n]);
                int q = short_at(768 * 64 + n);
                for (int i = 0; i < in.count; ++i) {
                    const auto input = (view == 0 ? in.own : in.other)[static_cast<std::size_t>(i)];
                    x += static_cast<double>(model.values[model.first_layer(0, input) + n]);
                    q += short_at(static_cast<std::size_t>(input) * 64 + n);
                }
                x = std::clamp(x, 0.0, 1.0);
                q = std::clamp(q, 0, 255);
                exact +=
                    x * x * static_cast<double>(model.values[model.output(bucket, view, 0) + n]);
                sum += static_cast<std::int64_t>(q) * q *
                       short_at(769 * 64 + static_cast<std::size_t>(bucket * 2 + view) * 64 + n);
            }
        }
        std::int32_t bias = 0;
        std::memcpy(&bias,
                    file.data() + sizeof(engine::NetworkHeader) + 2 * (769 * 64 + 16 * 64) +
                        4 * static_cast<std::size_t>(bucket),
                    4);
        const double quantised = static_cast<double>((sum / 255 + bias) * 400 / (255 * 64));
        if (std::abs(400 * exact) < 1500) {
            error += std::abs(quantised - 400 * exact);
            ++counted;
            EXPECT_LT(std::abs(quantised - 400 * exact), 50);
        }
    }
    EXPECT_GT(counted, 100);
    // Few neurons mean large weights and coarse steps; a wrong scale would be off by far more.
    EXPECT_LT(error / counted, 10);
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
    bytes[3] = 3;
    EXPECT_EQ(read(bytes), "0" + path + ": byte 0: the result is not 0, 1 or 2");
    bytes = game;
    bytes[2] = 2;
    EXPECT_EQ(read(bytes), "0" + path + ": byte 0: the opening is longer than the game");
    EXPECT_EQ(read({0x28, 0xB5, 0x2F, 0xFD, 0, 0}).substr(0, 1), "0");
    EXPECT_NE(read({0x28, 0xB5, 0x2F, 0xFD, 0, 0}), "0");
    EXPECT_EQ(read_training_games("/nonexistent", {}), "/nonexistent: cannot be opened");
}

}  // namespace
}  // namespace rokada::lab
