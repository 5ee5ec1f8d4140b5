// SPDX-License-Identifier: GPL-3.0-or-later
// Every instruction set gives the same integers, so that the engine plays the same moves on every machine.
#if defined(__x86_64__)

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "engine/network/accumulator.hpp"
#include "tests/chess/shared_data.hpp"
#include "tests/engine/kernels/backend.hpp"

namespace rokada::engine {
namespace {

struct Candidate {
    const Backend& backend;
    bool usable;
};

class Kernels : public testing::TestWithParam<Candidate> {
  protected:
    void SetUp() override {
        if (!GetParam().usable) GTEST_SKIP() << "this processor cannot run it";
    }
    const Backend& backend = GetParam().backend;
};

std::vector<Candidate> candidates() {
    return {
        {kPlain, true},
        {kSse2, true},
        {kAvx2, static_cast<bool>(__builtin_cpu_supports("avx2"))},
        {kAvx512, static_cast<bool>(__builtin_cpu_supports("avx512bw"))},
        {kAvx512Vnni, __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni")}};
}

INSTANTIATE_TEST_SUITE_P(Every, Kernels, testing::ValuesIn(candidates()),
                         [](const auto& parameter) { return parameter.param.backend.name; });

std::mt19937 random_numbers(12);

HiddenLayer random_layer(int lowest, int highest) {
    std::uniform_int_distribution<int> value(lowest, highest);
    HiddenLayer layer;
    for (std::int16_t& v : layer.values) v = static_cast<std::int16_t>(value(random_numbers));
    return layer;
}

bool same(const HiddenLayer& a, const HiddenLayer& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// What the words say, value by value; sums wrap around as they do in vectors.
template <class Formula>
HiddenLayer by_value(Formula formula) {
    HiddenLayer layer;
    for (int i = 0; i < kHiddenNeurons; ++i)
        layer.values[i] = static_cast<std::int16_t>(formula(i));
    return layer;
}

TEST_P(Kernels, AddAndSubtractRowsToTheLastBit) {
    for (int round = 0; round < 200; ++round) {
        // Now and then over the whole range: whatever happens then must happen everywhere.
        const int most = round % 4 == 0 ? 32767 : 4000;
        const HiddenLayer old = random_layer(-most, most), a = random_layer(-most, most),
                          b = random_layer(-most, most), c = random_layer(-most, most),
                          d = random_layer(-most, most);
        HiddenLayer sums = old;
        backend.add_row(sums.values, a.values);
        EXPECT_TRUE(same(sums, by_value([&](int i) { return old.values[i] + a.values[i]; })));
        backend.subtract_row(sums.values, a.values);
        EXPECT_TRUE(same(sums, old));
        backend.move_one(sums.values, old.values, a.values, b.values);
        EXPECT_TRUE(
            same(sums, by_value([&](int i) { return old.values[i] + a.values[i] - b.values[i]; })));
        backend.move_and_take(sums.values, old.values, a.values, b.values, c.values);
        EXPECT_TRUE(same(sums, by_value([&](int i) {
                             return old.values[i] + a.values[i] - b.values[i] - c.values[i];
                         })));
        backend.move_two(sums.values, old.values, a.values, b.values, c.values, d.values);
        EXPECT_TRUE(same(sums, by_value([&](int i) {
                             return old.values[i] + a.values[i] + b.values[i] - c.values[i] -
                                    d.values[i];
                         })));
    }
}

TEST_P(Kernels, WeighToTheLastBit) {
    const auto exact = [](const HiddenLayer& sums, const HiddenLayer& weights) {
        std::int64_t total = 0;
        for (int i = 0; i < kHiddenNeurons; ++i) {
            const std::int64_t x = std::clamp<int>(sums.values[i], 0, 255);
            total += x * x * weights.values[i];
        }
        return total;
    };
    const int largest = static_cast<int>(kLargestWeight * kOutputScale);
    for (int round = 0; round < 200; ++round) {
        HiddenLayer own = random_layer(-300, 600), other = random_layer(-32768, 32767),
                    own_weights = random_layer(-largest, largest),
                    other_weights = random_layer(-largest, largest);
        // The largest sums there can be.
        if (round == 0)
            own = other = random_layer(255, 255),
            own_weights = other_weights = random_layer(largest, largest);
        if (round == 1) own_weights = other_weights = random_layer(-largest, -largest);
        EXPECT_EQ(backend.weigh(own.values, other.values, own_weights.values, other_weights.values),
                  exact(own, own_weights) + exact(other, other_weights));
    }
}

TEST_P(Kernels, JudgeRealPositionsAsTheProgramDoes) {
    const auto network = Network::embedded();
    const std::string file = testing_support::read_file(std::string(ROKADA_SOURCE_DIR) +
                                                        "/src/engine/network/default.nn");
    NetworkHeader header;
    ASSERT_GT(file.size(), sizeof header);
    std::memcpy(&header, file.data(), sizeof header);
    if (!network || network->checksum() != header.checksum)
        GTEST_SKIP() << "this build has another network";
    const char* at =
        file.data() + sizeof(NetworkHeader) + (kNetworkInputs + 1) * sizeof(HiddenLayer);
    HiddenLayer outputs[kOutputBuckets][2];
    std::int32_t biases[kOutputBuckets];
    std::memcpy(outputs, at, sizeof outputs);
    std::memcpy(biases, at + sizeof outputs, sizeof biases);
    std::mt19937 random(3);
    for (int game = 0; game < 20; ++game) {
        Position position;
        for (int ply = 0; ply < 120; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
            PerColor<HiddenLayer> sums;
            for (const Color side : kColors) {
                const View view(side, position.king(side));
                sums[side] = network->biases();
                for (const Square s : position.occupied())
                    backend.add_row(sums[side].values,
                                    network->weights(view.feature(position.at(s), s)).values);
            }
            const int men = position.occupied().count(), bucket = output_bucket(men);
            const std::int64_t sum =
                backend.weigh(sums[position.turn()].values, sums[~position.turn()].values,
                              outputs[bucket][0].values, outputs[bucket][1].values) /
                    kFirstLayerScale +
                biases[bucket];
            ASSERT_EQ(sum * kCentipawnScale / (kFirstLayerScale * kOutputScale),
                      AccumulatorStack::evaluate_from_scratch(*network, position));
        }
    }
}

}  // namespace
}  // namespace rokada::engine

#endif
