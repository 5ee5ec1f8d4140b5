// SPDX-License-Identifier: GPL-3.0-or-later
// Training games survive being made, interrupted, mixed, converted and scored anew.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "lab/data/datagen.hpp"
#include "lab/data/files.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

std::string temp(const std::string& name) { return testing::TempDir() + "rokada_data_" + name; }

std::vector<TrainingGame> games_of(const std::string& path) {
    std::vector<TrainingGame> games;
    EXPECT_EQ(read_training_games(path, [&](const TrainingGame& g) { games.push_back(g); }), "");
    return games;
}

bool same(const TrainingGame& a, const TrainingGame& b) {
    return a.opening == b.opening && a.result == b.result && a.moves == b.moves &&
           a.scores == b.scores;
}

DatagenPlan small_plan(const std::string& path, std::uint64_t games) {
    DatagenPlan plan;
    plan.output = path;
    plan.games = games;
    plan.nodes = 60;
    plan.threads = 2;
    plan.hash_megabytes = 1;
    plan.network = false;
    plan.adjudication.max_moves = 40;
    return plan;
}

std::string make_games(const std::string& name, std::uint64_t games) {
    const std::string path = temp(name);
    std::filesystem::remove(path);
    EXPECT_EQ(generate_games(small_plan(path, games), nullptr, [] { return true; }), "");
    return path;
}

TEST(Datagen, MakesLegalGamesAndGoesOnAfterABrokenEnd) {
    const std::string path = make_games("broken.bin", 6);
    const auto before = games_of(path);
    ASSERT_EQ(before.size(), 6u);
    // The machine went down in the middle of a game.
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
    DatagenReport last;
    EXPECT_EQ(generate_games(
                  small_plan(path, 9), [&](const DatagenReport& report) { last = report; },
                  [] { return true; }),
              "");
    const auto after = games_of(path);
    ASSERT_EQ(after.size(), 9u);
    EXPECT_EQ(last.new_games, 4u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(same(before[i], after[i]));
    for (std::size_t i = 0; i < after.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(after[i].moves, after[j].moves);
    DataCounts counts;
    EXPECT_EQ(check_data(path, counts), "");
    EXPECT_EQ(counts.games, 9u);
    EXPECT_EQ(counts.branches, 0u);
    EXPECT_GT(counts.positions, 9u * 10);
}

// How large it is depends on what else the machine does: that is a matter of measurements, not of tests.
TEST(Datagen, TheShareOfTheSpeedIsReported) {
    const std::string path = temp("share.bin");
    std::filesystem::remove(path);
    DatagenReport last;
    DatagenPlan plan = small_plan(path, 4);
    plan.nodes = 3000;
    EXPECT_EQ(generate_games(
                  plan, [&](const DatagenReport& report) { last = report; }, [] { return true; }),
              "");
    EXPECT_GT(last.raw_speed, 0);
    EXPECT_GT(last.speed, 0);
    EXPECT_DOUBLE_EQ(last.efficiency(), last.speed / last.raw_speed);
}

TEST(Datagen, DoesNotTouchAFileOfAnotherKind) {
    const std::string path = temp("other.bin");
    std::ofstream(path) << "This is a letter to my aunt, and none of it is chess.\n";
    EXPECT_THAT(generate_games(small_plan(path, 3), nullptr, [] { return true; }),
                HasSubstr("not a file of training games"));
    EXPECT_EQ(std::filesystem::file_size(path), 54u);
}

TEST(Datagen, StopsWhenAsked) {
    const std::string path = temp("stop.bin");
    std::filesystem::remove(path);
    EXPECT_EQ(generate_games(small_plan(path, 1'000'000), nullptr, [] { return false; }),
              "stopped");
}

TEST(Data, CheckNamesAnIllegalMoveAndACutFile) {
    const std::string path = temp("illegal.bin");
    TrainingGame game;
    game.moves = {encode_training_move(Move(Square::E2, Square::E4)),
                  encode_training_move(Move(Square::E7, Square::E3))};
    game.scores = {10, 20};
    std::vector<unsigned char> bytes;
    append_training_game(game, bytes);
    ASSERT_EQ(write_training_file(path, bytes), "");
    DataCounts counts;
    EXPECT_THAT(check_data(path, counts), HasSubstr("game 1, ply 2"));
    bytes.pop_back();
    ASSERT_EQ(write_training_file(path, bytes), "");
    EXPECT_THAT(check_data(path, counts), HasSubstr("cut off"));
}

TEST(Data, AFailedConversionLeavesWhatWasThere) {
    const std::string broken = temp("broken.bin"), epd = temp("kept.epd");
    std::ofstream(broken) << "no games";
    std::ofstream(epd) << "kept\n";
    ConvertCounts counts;
    EXPECT_NE(convert_data(broken, epd, counts), "");
    std::ifstream file(epd);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "kept");
    EXPECT_FALSE(std::ifstream(epd + ".part"));
}

TEST(Data, FoldersAndDevicesAreNoGames) {
    DataCounts counts;
    EXPECT_THAT(check_data(testing::TempDir(), counts), HasSubstr("is a folder"));
    EXPECT_THAT(check_data("/dev/zero", counts), HasSubstr("is a device"));
}

TEST(Data, ShufflingKeepsEveryGameAndPackingLosesNothing) {
    const std::string path = make_games("shuffle.bin", 8);
    const std::string mixed = temp("mixed.bin.zst");
    DataCounts counts;
    ASSERT_EQ(shuffle_data({path, path}, mixed, 3, counts), "");
    EXPECT_EQ(counts.games, 16u);
    const auto before = games_of(path), after = games_of(mixed);
    ASSERT_EQ(after.size(), 16u);
    for (const TrainingGame& game : before)
        EXPECT_EQ(std::count_if(after.begin(), after.end(),
                                [&](const TrainingGame& other) { return same(game, other); }),
                  2);
}

TEST(Data, PgnWithEvaluationsBecomesTrainingGames) {
    const std::string pgn = temp("games.pgn"), path = temp("games.bin");
    std::ofstream(pgn) << "[Result \"0-1\"]\n\n1. f3 {book} e5 {[%eval 0.90]} 2. g4 {[%eval #-1]} "
                          "Qh4# {[%eval #-1]} 0-1\n\n"
                          "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    ConvertCounts counts;
    ASSERT_EQ(convert_data(pgn, path, counts), "");
    EXPECT_EQ(counts.games, 1u);
    EXPECT_EQ(counts.left_out, 1u);
    const auto games = games_of(path);
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].result, 0);
    EXPECT_EQ(games[0].opening, 1);
    EXPECT_THAT(games[0].scores, testing::ElementsAre(-90, -29998, 29999));

    const std::string epd = temp("games.epd");
    ASSERT_EQ(convert_data(path, epd, counts), "");
    std::ifstream file(epd);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line,
              "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - hmvc 0; ce -90; c9 \"0-1\";");
    EXPECT_THAT(convert_data(path, temp("games.doc"), counts), HasSubstr("must end in"));
}

TEST(Data, RelabellingKeepsMovesAndCanBeResumed) {
    const std::string path = make_games("relabel.bin", 5);
    RelabelPlan plan;
    plan.input = path;
    plan.output = temp("relabelled.bin");
    plan.nodes = 100;
    plan.threads = 2;
    plan.network = false;
    plan.hash_megabytes = 1;
    std::filesystem::remove(plan.output);
    ASSERT_EQ(relabel_data(plan, nullptr, [] { return true; }), "");
    const auto before = games_of(path), after = games_of(plan.output);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].moves, before[i].moves);
        EXPECT_EQ(after[i].result, before[i].result);
    }
    // Half of it lost, the rest is made again and is the same.
    std::vector<unsigned char> half;
    append_training_game(after[0], half);
    append_training_game(after[1], half);
    ASSERT_EQ(write_training_file(plan.output, half), "");
    ASSERT_EQ(relabel_data(plan, nullptr, [] { return true; }), "");
    const auto again = games_of(plan.output);
    ASSERT_EQ(again.size(), after.size());
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_TRUE(same(after[i], again[i])) << i;
}

TEST(Data, StatsCountWhatIsThere) {
    const std::string path = make_games("stats.bin", 4);
    DataStats stats;
    ASSERT_EQ(data_stats(path, stats), "");
    EXPECT_EQ(stats.games, 4u);
    EXPECT_EQ(stats.results[0] + stats.results[1] + stats.results[2], 4u);
    std::uint64_t positions = 0, pieces = 0;
    for (const auto n : stats.scores) positions += n;
    for (const auto n : stats.pieces) pieces += n;
    EXPECT_EQ(positions, stats.positions);
    EXPECT_EQ(pieces, stats.positions);
    EXPECT_EQ(stats.bytes, std::filesystem::file_size(path));
}

}  // namespace
}  // namespace rokada::lab
