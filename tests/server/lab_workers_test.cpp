// SPDX-License-Identifier: GPL-3.0-or-later
// The lab's long jobs done by workers: the same games as at home, each once, whichever worker is killed.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/jobs_table.hpp"
#include "server/store/store.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

class LabWorkers : public ::testing::Test {
  protected:
    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
        url_ = postgres->fresh_url();
        store_ = std::make_unique<Store>(StoreOptions{folder_.path() / "data", url_});
    }
    std::unique_ptr<WorkerProcess> worker(const std::string& kinds) {
        return std::make_unique<WorkerProcess>(
            std::vector<std::string>{"--db", url_, "--threads", "1", "--kinds", kinds});
    }
    // A command of the program to its end; the exit code.
    int run(const std::string& words, const std::string& output = "output") {
        const std::string line =
            "'" + std::string(ROKADA_BINARY) + "' " + words + " >'" + file(output) + "' 2>&1";
        const int status = std::system(line.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string workers() const { return " --workers '" + url_ + "'"; }
    // So many jobs are in work, at the same time.
    bool busy(std::int64_t jobs) {
        return store_->read([](Session& s) { return jobs_table::counts(s); }).running >= jobs;
    }
    std::vector<int> game_numbers(const std::string& pgn) const {
        std::vector<int> numbers;
        const std::string text = read_file(file(pgn));
        const std::regex tag("\\[GameNumber \"(\\d+)\"\\]");
        for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at)
            numbers.push_back(std::stoi((*at)[1]));
        return numbers;
    }
    std::string match(int games, const std::string& pgn) const {
        const std::string engine = "cmd=" + std::string(ROKADA_BINARY) + " ";
        return "match --engine '" + engine + "name=one' --engine '" + engine +
               "name=two' --each 'nodes=2000' --max-moves 30 --games " + std::to_string(games) +
               " --pgn '" + file(pgn) + "'";
    }

    TemporaryFolder folder_;
    std::string url_;
    std::unique_ptr<Store> store_;
};

TEST_F(LabWorkers, TrainingGamesAreTheSameAsAtHomeAlthoughAWorkerIsKilled) {
    const std::string plan = "lab datagen --games 40 --nodes 300 --seed 7 --out ";
    ASSERT_EQ(run(plan + "'" + file("home") + "' --threads 1"), 0) << read_file(file("output"));
    const auto first = worker("datagen");
    const auto second = worker("datagen,review");
    int code = -1;
    std::thread asking([&] { code = run(plan + "'" + file("away") + "'" + workers()); });
    EXPECT_TRUE(eventually([&] { return busy(2); }));
    first->kill();
    asking.join();
    EXPECT_EQ(code, 0) << read_file(file("output"));
    EXPECT_FALSE(read_file(file("home")).empty());
    EXPECT_EQ(read_file(file("home")), read_file(file("away")));
}

TEST_F(LabWorkers, NewScoresAreTheSameAsAtHomeAlthoughAWorkerIsKilled) {
    ASSERT_EQ(run("lab datagen --games 40 --nodes 20 --threads 1 --out '" + file("games") + "'"),
              0);
    const std::string plan = "lab data relabel '" + file("games") + "' --nodes 400 --out ";
    ASSERT_EQ(run(plan + "'" + file("home") + "' --threads 1"), 0) << read_file(file("output"));
    const auto first = worker("relabel");
    const auto second = worker("relabel");
    int code = -1;
    std::thread asking([&] { code = run(plan + "'" + file("away") + "'" + workers()); });
    EXPECT_TRUE(eventually([&] { return busy(2); }));
    first->kill();
    asking.join();
    EXPECT_EQ(code, 0) << read_file(file("output"));
    EXPECT_NE(read_file(file("home")), read_file(file("games")));
    EXPECT_EQ(read_file(file("home")), read_file(file("away")));
}

TEST_F(LabWorkers, AMatchHasEachGameOnceInOrderAlthoughAWorkerIsKilled) {
    const auto first = worker("match");
    const auto second = worker("match");
    int code = -1;
    std::thread asking([&] { code = run(match(8, "games.pgn") + workers()); });
    EXPECT_TRUE(eventually([&] { return busy(2); }));
    first->kill();
    asking.join();
    EXPECT_EQ(code, 0) << read_file(file("output"));
    EXPECT_THAT(game_numbers("games.pgn"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_THAT(read_file(file("output")), HasSubstr("Finished after 8 of 8 games."));
    EXPECT_EQ(run(match(12, "games.pgn") + " --resume" + workers()), 0)
        << read_file(file("output"));
    EXPECT_THAT(game_numbers("games.pgn"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    EXPECT_EQ(run(match(12, "games.pgn") + " --resume"), 0) << "also at home: the same file";
}

TEST_F(LabWorkers, AnEngineThatNobodyHasIsAClearFailureAndNoLostGame) {
    std::vector<std::unique_ptr<WorkerProcess>> all;
    for (int i = 0; i < 3; ++i) all.push_back(worker("match"));
    EXPECT_EQ(run("match --engine 'cmd=/nowhere/engine name=a' --engine 'cmd=/nowhere/else name=b' "
                  "--each nodes=10 --games 2 --pgn '" +
                  file("games.pgn") + "'" + workers()),
              2);
    EXPECT_THAT(read_file(file("output")), HasSubstr("no worker could do it"));
    EXPECT_THAT(read_file(file("output")), HasSubstr("/nowhere/engine"));
    EXPECT_TRUE(game_numbers("games.pgn").empty());
}

TEST_F(LabWorkers, EnginesAreOnlyStartedByWorkersThatWereToldTo) {
    const WorkerProcess usual(std::vector<std::string>{"--db", url_, "--threads", "1"});
    EXPECT_TRUE(eventually([&] {
        const auto all = store_->read([](Session& s) { return jobs_table::workers(s); });
        return all.size() == 1 && all[0].kinds == "analysis,datagen,relabel,review";
    }));
}

}  // namespace
}  // namespace rokada::server::test
