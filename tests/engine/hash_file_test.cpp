// SPDX-License-Identifier: GPL-3.0-or-later
// What was searched can be kept in a file and taken back; whatever is wrong with a file, it is refused with the reason
// and nothing changes.
#include "engine/search/hash_file.hpp"

#include <algorithm>
#include <filesystem>
#include <random>

#include "tests/chess/shared_data.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

namespace fs = std::filesystem;

class HashFile : public testing::Test {
  protected:
    void SetUp() override {
        folder =
            fs::temp_directory_path() / ("rokada-hash-" + std::to_string(std::random_device{}()));
        fs::create_directories(folder);
        path = (folder / "analysis.hash").string();
    }
    void TearDown() override { fs::remove_all(folder); }

    fs::path folder;
    std::string path;
};

TEST_F(HashFile, AnalysisGoesOnAfterARestart) {
    constexpr const char* fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    Recorder first;
    first.engine.set_option("Hash", "4");
    first.think(fen, depth(12));
    first.engine.set_option("HashFile", path);
    first.engine.set_option("SaveHash", "");
    first.engine.wait();
    EXPECT_THAT(first.messages, testing::ElementsAre(path + " is saved"));

    Recorder fresh, second;
    for (Recorder* r : {&fresh, &second}) r->engine.set_option("Hash", "4");
    second.engine.set_option("HashFile", path);
    second.engine.set_option("LoadHash", "");
    second.engine.wait();
    EXPECT_THAT(second.messages, testing::ElementsAre(path + " is loaded"));
    fresh.think(fen, depth(12));
    second.think(fen, depth(12));
    // What is known need not be searched again.
    EXPECT_LT(second.infos.back().nodes * 2, fresh.infos.back().nodes);
}

TEST_F(HashFile, EveryDifferenceIsNamed) {
    TranspositionTable table, other;
    ASSERT_TRUE(table.resize(1));
    ASSERT_TRUE(other.resize(2));
    TableEntry entry;
    entry.value = 33;
    entry.depth = 5;
    entry.bound = TableBound::Exact;
    table.store(mix_bits(7), 0, entry);
    EXPECT_THAT(load_table(table, "a", path).value_or(""), testing::HasSubstr("cannot open"));
    ASSERT_FALSE(save_table(table, "a", path));

    EXPECT_THAT(load_table(other, "a", path).value_or(""), testing::HasSubstr("a Hash of 1 MB"));
    EXPECT_THAT(load_table(table, "b", path).value_or(""), testing::HasSubstr("evaluation"));
    TranspositionTable empty;
    ASSERT_TRUE(empty.resize(1));
    TableEntry found;
    ASSERT_FALSE(load_table(empty, "a", path));
    ASSERT_TRUE(empty.probe(mix_bits(7), 0, found));
    EXPECT_EQ(found.value, 33);

    const std::string good = testing_support::read_file(path);
    const auto reason = [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        TranspositionTable target;
        target.resize(1);
        const auto problem = load_table(target, "a", path);
        TableEntry any;
        EXPECT_FALSE(target.probe(mix_bits(7), 0, any));
        return problem.value_or("none");
    };
    std::string bytes = good;
    bytes[0] = 'X';
    EXPECT_THAT(reason(bytes), testing::HasSubstr("no hash file"));
    bytes = good;
    bytes[8] = 2;
    EXPECT_THAT(reason(bytes), testing::HasSubstr("another version"));
    bytes = good;
    std::reverse(bytes.begin() + 12, bytes.begin() + 16);
    EXPECT_THAT(reason(bytes), testing::HasSubstr("another kind of machine"));
    bytes = good;
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    EXPECT_THAT(reason(bytes), testing::HasSubstr("damaged"));
    EXPECT_THAT(reason(good.substr(0, good.size() - 1)), testing::HasSubstr("too short"));
    EXPECT_THAT(reason(good.substr(0, 20)), testing::HasSubstr("too short"));
    EXPECT_THAT(reason(""), testing::HasSubstr("too short"));
    EXPECT_THAT(reason(good + "x"), testing::HasSubstr("too long"));
}

TEST_F(HashFile, CannotBeWrittenEverywhere) {
    Recorder recorder;
    recorder.engine.set_option("SaveHash", "");
    recorder.engine.wait();
    EXPECT_THAT(recorder.messages.back(), testing::HasSubstr("HashFile"));
    recorder.engine.set_option("HashFile", "/no such folder/file");
    recorder.engine.set_option("SaveHash", "");
    recorder.engine.wait();
    EXPECT_THAT(recorder.messages.back(), testing::HasSubstr("cannot write"));
}

}  // namespace
}  // namespace rokada::engine
