// SPDX-License-Identifier: GPL-3.0-or-later
// The options Evaluation and EvalFile choose who judges. Nothing that one evaluation thought may reach the search of
// another, and a file that cannot be used changes nothing.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "engine/evaluation/weights_checksum.hpp"
#include "engine/network/network.hpp"
#include "tests/chess/shared_data.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

class EvaluatorSwitch : public testing::Test {
  protected:
    void SetUp() override {
        folder = fs::temp_directory_path() /
                 ("rokada-evaluator-" + std::to_string(std::random_device{}()));
        fs::create_directories(folder);
        good = testing_support::read_file(std::string(ROKADA_SOURCE_DIR) +
                                          "/src/engine/network/default.nn");
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string write(const char* name, const std::string& bytes) const {
        const std::string path = (folder / name).string();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    // A network of the same name that judges otherwise: the last values of the payload are the biases of the output.
    std::string another_network() const {
        std::string bytes = good;
        auto* const all = reinterpret_cast<unsigned char*>(bytes.data());
        NetworkHeader header;
        std::memcpy(&header, all, sizeof header);
        const std::size_t first_bias =
            sizeof header +
            2 * (kNetworkInputs + 1 + 2 * kOutputBuckets) * std::size_t{kHiddenNeurons};
        for (std::size_t bucket = 0; bucket < kOutputBuckets; ++bucket) {
            std::int32_t bias;
            std::memcpy(&bias, all + first_bias + 4 * bucket, 4);
            bias += kFirstLayerScale * kOutputScale;
            std::memcpy(all + first_bias + 4 * bucket, &bias, 4);
        }
        header.checksum = network_checksum(all + sizeof header, header.payload);
        std::memcpy(all, &header, sizeof header);
        return write("another.nn", bytes);
    }

    fs::path folder;
    std::string good;
};

std::vector<std::string> lines_of(Recorder& recorder) {
    recorder.infos.clear();
    recorder.think(kFen, depth(9));
    std::vector<std::string> lines;
    for (const Info& info : recorder.infos) lines.push_back(text(info));
    return lines;
}

std::string value_of(const Engine& engine, const std::string& name) {
    for (const Option& option : engine.options())
        if (option.name == name) return option.value;
    return "";
}

TEST_F(EvaluatorSwitch, AnotherEvaluationStartsWithoutTheJudgementsOfTheFirst) {
    Recorder fresh, used;
    ASSERT_FALSE(fresh.engine.set_option("Evaluation", "classical"));
    const auto expected = lines_of(fresh);
    lines_of(used);
    ASSERT_FALSE(used.engine.set_option("Evaluation", "classical"));
    EXPECT_EQ(lines_of(used), expected);
    ASSERT_FALSE(used.engine.set_option("Evaluation", "network"));
    Recorder network;
    EXPECT_EQ(lines_of(used), lines_of(network));
}

TEST_F(EvaluatorSwitch, AnotherNetworkStartsWithoutTheJudgementsOfTheFirst) {
    const std::string other = another_network();
    Recorder fresh, used;
    ASSERT_FALSE(fresh.engine.set_option("EvalFile", other));
    const auto expected = lines_of(fresh);
    EXPECT_NE(lines_of(used), expected);
    ASSERT_FALSE(used.engine.set_option("EvalFile", other));
    EXPECT_EQ(lines_of(used), expected);
    EXPECT_EQ(value_of(used.engine, "EvalFile"), other);
}

TEST_F(EvaluatorSwitch, WhatIsKnownStaysWhereTheEvaluationStays) {
    Recorder recorder;
    lines_of(recorder);
    ASSERT_FALSE(recorder.engine.set_option("Evaluation", "network"));
    ASSERT_FALSE(recorder.engine.set_option("EvalFile", write("copy.nn", good)));
    lines_of(recorder);
    Recorder fresh;
    lines_of(fresh);
    EXPECT_LT(recorder.infos.back().nodes * 2, fresh.infos.back().nodes);
}

TEST_F(EvaluatorSwitch, AWrongFileIsRefusedWithTheReasonAndNothingChanges) {
    Recorder recorder;
    const std::string copy = write("copy.nn", good);
    ASSERT_FALSE(recorder.engine.set_option("EvalFile", copy));
    lines_of(recorder);
    std::string damaged = good;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
    const auto reason = [&](const std::string& path) {
        return recorder.engine.set_option("EvalFile", path).value_or("none");
    };
    EXPECT_THAT(reason(write("damaged.nn", damaged)), testing::HasSubstr("checksum"));
    EXPECT_THAT(reason(write("short.nn", good.substr(0, 50))), testing::HasSubstr("too short"));
    EXPECT_THAT(reason(write("text.nn", std::string(500, 'x'))),
                testing::HasSubstr("no Rokada network"));
    EXPECT_THAT(reason((folder / "missing.nn").string()), testing::HasSubstr("cannot be opened"));
    EXPECT_EQ(value_of(recorder.engine, "EvalFile"), copy);
    // Neither the network nor what it has found so far.
    Recorder untouched;
    lines_of(untouched);
    EXPECT_EQ(lines_of(recorder), lines_of(untouched));
}

TEST_F(EvaluatorSwitch, AnUnknownEvaluationIsRefused) {
    Recorder recorder;
    EXPECT_THAT(recorder.engine.set_option("Evaluation", "tossing a coin").value_or("none"),
                testing::HasSubstr("network, classical"));
    EXPECT_EQ(value_of(recorder.engine, "Evaluation"), "network");
}

TEST_F(EvaluatorSwitch, ATableOfAnotherEvaluationIsNotLoaded) {
    const std::string path = (folder / "analysis.hash").string();
    Recorder first;
    first.engine.set_option("HashFile", path);
    lines_of(first);
    first.engine.set_option("SaveHash", "");
    first.engine.wait();
    ASSERT_THAT(first.messages, testing::ElementsAre(path + " is saved"));

    const auto answer = [&](const char* option, const std::string& value) {
        Recorder second;
        EXPECT_FALSE(second.engine.set_option(option, value));
        second.engine.set_option("HashFile", path);
        second.engine.set_option("LoadHash", "");
        second.engine.wait();
        return second.messages.empty() ? "" : second.messages.back();
    };
    const std::string refused = path + " is not loaded: it was made with another evaluation";
    EXPECT_EQ(answer("EvalFile", another_network()), refused);
    EXPECT_EQ(answer("Evaluation", "classical"), refused);
    EXPECT_EQ(answer("EvalFile", write("copy.nn", good)), path + " is loaded");
}

TEST_F(EvaluatorSwitch, EveryWeightOfTheClassicalEvaluationTellsTablesApart) {
    const std::uint64_t ours = weights_checksum(kWeights, kDanger);
    Weights weights = kWeights;
    weights.complexity_base += Tapered(0, 1);
    EXPECT_NE(weights_checksum(weights, kDanger), ours);
    weights = kWeights;
    weights.material[0] += Tapered(1, 0);
    EXPECT_NE(weights_checksum(weights, kDanger), ours);
    DangerWeights danger = kDanger;
    ++danger.base;
    EXPECT_NE(weights_checksum(kWeights, danger), ours);
    EXPECT_EQ(weights_checksum(Weights{}, DangerWeights{}), ours);
}

TEST_F(EvaluatorSwitch, BytesOfANetworkCountAsAFileDoes) {
    const std::string bytes = testing_support::read_file(another_network());
    Recorder fresh, used;
    const auto load = [&](Recorder& recorder) {
        return recorder.engine.load_network(reinterpret_cast<const unsigned char*>(bytes.data()),
                                            bytes.size());
    };
    ASSERT_FALSE(load(fresh));
    lines_of(used);
    ASSERT_FALSE(load(used));
    EXPECT_EQ(lines_of(used), lines_of(fresh));
}

}  // namespace
}  // namespace rokada::engine
