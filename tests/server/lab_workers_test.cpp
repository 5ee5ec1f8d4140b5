// SPDX-License-Identifier: GPL-3.0-or-later
// The lab's long jobs done by workers: the same games as at home, each once, whichever worker is killed.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/app/job_desk.hpp"
#include "server/app/job_progress.hpp"
#include "server/store/jobs_table.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/server_process.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

class LabWorkers : public OnPostgres {
  protected:
    std::unique_ptr<WorkerProcess> worker(const std::string& kinds) {
        return std::make_unique<WorkerProcess>(
            std::vector<std::string>{"--db", options_.url, "--threads", "1", "--kinds", kinds});
    }
    // The same with two workers, the first of which is killed in the middle of its job.
    void run_with_a_killed_worker(const std::string& words, const std::string& kinds) {
        const auto first = worker(kinds);
        const auto second = worker(kinds);
        int code = -1;
        std::thread asking([&] { code = run(words + " --workers '" + options_.url + "'"); });
        EXPECT_TRUE(eventually([&] { return busy(2); }));
        first->kill();
        asking.join();
        EXPECT_EQ(code, 0) << read_file(file("output"));
    }
    // A command of the program to its end; the exit code.
    int run(const std::string& words, const std::string& output = "output") {
        const std::string line =
            "'" + std::string(ROKADA_BINARY) + "' " + words + " >'" + file(output) + "' 2>&1";
        const int status = std::system(line.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string workers() const { return " --workers '" + options_.url + "'"; }
    // So many jobs are in work, at the same time.
    bool busy(std::int64_t jobs) {
        return store_->read([](Session& s) { return jobs_table::counts(s); }).running >= jobs;
    }
    // At a terminal, where the command draws how far it is; to its end. `meanwhile` is true sooner or later.
    void watch(const std::string& words, const std::function<bool()>& meanwhile) {
        std::thread asking(
            [&] { run_at_terminal("'" + std::string(ROKADA_BINARY) + "' " + words + workers()); });
        EXPECT_TRUE(eventually(meanwhile, 60s));
        asking.join();
    }
    void run_at_terminal(const std::string& line) {
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        std::ofstream output(file("output"), std::ios::binary);
        char piece[4096];
        for (ssize_t got = 0; (got = ::read(terminal, piece, sizeof piece)) > 0;)
            output.write(piece, got);
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        output.close();
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << read_file(file("output"));
    }
    // Of the job a worker has, if it has told.
    std::optional<JobProgress> progress_of(const std::string& kind) {
        for (const JobRecord& job : store_->read([](Session& s) { return jobs_table::in_work(s); }))
            if (job.kind == kind)
                if (const auto progress = read_progress(job.progress)) return progress;
        return std::nullopt;
    }
    std::string cluster_status() {
        run("cluster status --db '" + options_.url + "'", "status");
        return read_file(file("status"));
    }
    std::vector<int> game_numbers(const std::string& pgn) const {
        std::vector<int> numbers;
        const std::string text = read_file(file(pgn));
        const std::regex tag("\\[GameNumber \"(\\d+)\"\\]");
        for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at)
            numbers.push_back(std::stoi((*at)[1]));
        return numbers;
    }
    std::string match(int games, const std::string& pgn, int nodes = 2000) const {
        const std::string engine = "cmd=" + std::string(ROKADA_BINARY) + " ";
        return "match --engine '" + engine + "name=one' --engine '" + engine +
               "name=two' --each 'nodes=" + std::to_string(nodes) + "' --max-moves 30 --games " +
               std::to_string(games) + " --pgn '" + file(pgn) + "'";
    }
};

TEST_F(LabWorkers, TrainingGamesAreTheSameAsAtHomeAlthoughAWorkerIsKilled) {
    const std::string plan = "lab datagen --games 40 --nodes 300 --seed 7 --branches 0.3 --out ";
    ASSERT_EQ(run(plan + "'" + file("home") + "' --threads 1"), 0) << read_file(file("output"));
    run_with_a_killed_worker(plan + "'" + file("away") + "'", "datagen,review");
    EXPECT_FALSE(read_file(file("home")).empty());
    EXPECT_EQ(read_file(file("home")), read_file(file("away")));
}

TEST_F(LabWorkers, NewScoresAreTheSameAsAtHomeAlthoughAWorkerIsKilled) {
    ASSERT_EQ(run("lab datagen --games 40 --nodes 20 --threads 1 --out '" + file("games") + "'"),
              0);
    const std::string plan = "lab data relabel '" + file("games") + "' --nodes 400 --out ";
    ASSERT_EQ(run(plan + "'" + file("home") + "' --threads 1"), 0) << read_file(file("output"));
    run_with_a_killed_worker(plan + "'" + file("away") + "'", "relabel");
    EXPECT_NE(read_file(file("home")), read_file(file("games")));
    EXPECT_EQ(read_file(file("home")), read_file(file("away")));
}

TEST_F(LabWorkers, AMatchHasEachGameOnceInOrderAlthoughAWorkerIsKilled) {
    run_with_a_killed_worker(match(8, "games.pgn"), "match");
    const auto another = worker("match");
    EXPECT_THAT(game_numbers("games.pgn"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_THAT(read_file(file("output")), HasSubstr("Finished after 8 of 8 games."));
    EXPECT_EQ(run(match(12, "games.pgn") + " --resume" + workers()), 0)
        << read_file(file("output"));
    EXPECT_THAT(game_numbers("games.pgn"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    EXPECT_EQ(run(match(12, "games.pgn") + " --resume"), 0) << "also at home: the same file";
}

TEST_F(LabWorkers, ACalibrationCountsEachGameOnceAlthoughAWorkerIsKilled) {
    // Ourselves in place of the usual reference, with the option that it has.
    const std::string reference = file("reference");
    std::ofstream(reference) << "#!/bin/sh\nsed -u '/^setoption name Skill Level/d' | '"
                             << ROKADA_BINARY
                             << "' uci | sed -u 's/^uciok/option name Skill Level type spin "
                                "default 20 min 0 max 20\\nuciok/'\n";
    std::filesystem::permissions(reference, std::filesystem::perms::owner_all);
    run_with_a_killed_worker("lab calibrate --reference '" + reference +
                                 "' --dials 500 --from 1400 --games 8 --rounds 1 --results '" +
                                 file("levels.txt") + "'",
                             "match");
    EXPECT_THAT(read_file(file("levels.txt")),
                ::testing::MatchesRegex("dial 500 skill [0-9]+ 8 [0-9.]+\n"));
}

TEST_F(LabWorkers, AWorkerTellsHowFarABlockOfGamesIs) {
    const auto only = worker("datagen,relabel");
    const auto half_way = [this](const std::string& kind) {
        const auto progress = progress_of(kind);
        return progress && progress->done > 0 && progress->done < progress->all &&
               cluster_status().find(" of 16 games") != std::string::npos;
    };
    watch("lab datagen --games 16 --nodes 700 --out '" + file("games") + "'",
          [&] { return half_way("datagen"); });
    EXPECT_THAT(read_file(file("output")), ContainsRegex("1 worker: [1-9][0-9]* of [0-9]+ games"));
    watch("lab data relabel '" + file("games") + "' --nodes 1500 --out '" + file("scored") + "'",
          [&] { return half_way("relabel"); });
    EXPECT_THAT(read_file(file("output")), ContainsRegex("1 worker: [1-9][0-9]* of 16 games"));
    EXPECT_THAT(cluster_status(), Not(HasSubstr(" of 16 games")));
}

TEST_F(LabWorkers, AWorkerTellsHowFarAMatchIs) {
    const auto only = worker("match");
    std::string seen;
    watch(match(2, "games.pgn", 50'000), [&] {
        const auto progress = progress_of("match");
        seen = cluster_status();
        return progress && progress->done == 1 && progress->all == 2 &&
               seen.find("1 of 2 games, move ") != std::string::npos;
    });
    EXPECT_THAT(read_file(file("output")), HasSubstr("1 worker: 1 of 2 games")) << seen;
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

TEST_F(LabWorkers, AWorkerThatPlaysOtherwiseMakesNoTrainingGames) {
    const auto only = worker("datagen");
    JobDeskOptions options;
    options.connect = [this] { return connect(); };
    options.id = "lab";
    JobDesk desk(std::move(options));
    JobRecord job;
    job.id = "block";
    job.kind = "datagen";
    job.job_class = JobClass::Batch;
    job.owner = "lab";
    // As `lab datagen` asks, with the sign of a program that does not exist.
    job.payload =
        R"({"salt":1,"first":0,"count":1,"nodes":20,"seed":1,"random_plies":8,"opening_limit":200,)"
        R"("random_moves":0.0,"branches":0.0,"branch_nodes":0,"network":true,"plays":1,"hash":1})";
    ASSERT_TRUE(desk.submit(std::move(job), [](const JobRecord&) {}));
    EXPECT_TRUE(eventually([&] {
        const auto found = store_->read([](Session& s) { return jobs_table::find(s, "block"); });
        return found && found->result.find("plays otherwise") != std::string::npos;
    }));
}

TEST_F(LabWorkers, EnginesAreOnlyStartedByWorkersThatWereToldTo) {
    const WorkerProcess usual(std::vector<std::string>{"--db", options_.url, "--threads", "1"});
    EXPECT_TRUE(eventually([&] {
        const auto all = store_->read([](Session& s) { return jobs_table::workers(s); });
        return all.size() == 1 && all[0].kinds == "analysis,datagen,relabel,review";
    }));
}

}  // namespace
}  // namespace rokada::server::test
