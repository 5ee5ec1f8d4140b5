// SPDX-License-Identifier: GPL-3.0-or-later
// Work done elsewhere: what is asked for at a desk is done by a worker, heard of while it goes on, and
// has one result, whatever happens to the workers. Visitors of a server notice nothing of it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "chess/notation/uci_move.hpp"
#include "server/api/analysis_work.hpp"
#include "server/app/job_desk.hpp"
#include "server/app/job_worker.hpp"
#include "tests/server/bot_client.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/server_process.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Outcome = Result<std::string, std::string>;

// What a desk heard of a job.
struct Heard {
    std::mutex mutex;
    std::vector<std::string> progress, ends;

    JobDesk::Listener listener() {
        return [this](const JobRecord& job) {
            const std::lock_guard lock(mutex);
            if (job.state == JobState::Done) ends.push_back("done: " + job.result);
            if (job.state == JobState::Failed) ends.push_back("failed: " + job.result);
            if (!job.progress.empty() && job.state == JobState::Running)
                progress.push_back(job.progress);
        };
    }
    bool over() {
        const std::lock_guard lock(mutex);
        return !ends.empty();
    }
    bool told(const std::string& text) {
        const std::lock_guard lock(mutex);
        return std::find(progress.begin(), progress.end(), text) != progress.end();
    }
};

class Desks : public OnPostgres {
  protected:
    JobDeskOptions desk() {
        JobDeskOptions options;
        options.connect = [this] { return connect(); };
        options.id = "desk" + std::to_string(++made_);
        options.beat = 50;
        return options;
    }
    std::unique_ptr<JobWorker> worker(JobHandler handler, Millis lease = 1000,
                                      unsigned threads = 1) {
        JobWorkerOptions options;
        options.connect = [this] { return connect(); };
        options.id = "worker" + std::to_string(++made_);
        options.threads = threads;
        options.lease = lease;
        options.beat = 50;
        options.handlers["test"] = std::move(handler);
        return std::make_unique<JobWorker>(std::move(options));
    }
    static JobRecord job(const std::string& id, JobClass job_class = JobClass::User,
                         const std::string& owner = "ana") {
        JobRecord made;
        made.id = id;
        made.kind = "test";
        made.owner = owner;
        made.job_class = job_class;
        made.payload = "the payload of " + id;
        return made;
    }
    std::int64_t rows() {
        return store_->read([](Session& session) {
            const auto row = session.select("SELECT count(*) FROM jobs");
            return row->next() ? row->integer(0) : -1;
        });
    }
    // Works until it is told to end.
    static Outcome endless(JobTask& task) {
        while (task.go_on()) std::this_thread::sleep_for(5ms);
        return Error{std::string("given up")};
    }

    int made_ = 0;
};

TEST_F(Desks, HearOfProgressAndOfOneResult) {
    JobDesk desk(this->desk());
    Heard heard;
    std::atomic<bool> seen{false};
    const auto worker = this->worker([&](JobTask& task) -> Outcome {
        task.tell("half");
        while (!seen && task.go_on()) std::this_thread::sleep_for(5ms);
        return task.job().payload + " is done";
    });
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return heard.told("half"); })) << "while it goes on";
    seen = true;
    EXPECT_TRUE(eventually([&] { return heard.over(); }));
    EXPECT_THAT(heard.ends, ElementsAre("done: the payload of one is done"));
    EXPECT_TRUE(eventually([&] { return rows() == 0; })) << "nothing is left behind";
}

TEST_F(Desks, GetAResultAlthoughAWorkerHangs) {
    JobDesk desk(this->desk());
    Heard heard;
    std::atomic<int> begun{0};
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    // Has it, and says nothing more.
    const auto hung = connect();
    ASSERT_TRUE(
        eventually([&] { return jobs_table::take(*hung, "hung", "test", 300).has_value(); }));
    const auto worker = this->worker([&](JobTask& task) -> Outcome {
        ++begun;
        return "by " + task.job().worker;
    });
    EXPECT_TRUE(eventually([&] { return heard.over(); }));
    EXPECT_FALSE(jobs_table::finish(*hung, {"one", "hung", 1}, "too late"));
    EXPECT_THAT(heard.ends, ElementsAre("done: by worker2"));
    EXPECT_EQ(begun, 1);
}

TEST_F(Desks, HearWhyAJobCannotBeDone) {
    JobDesk desk(this->desk());
    Heard heard;
    std::atomic<int> tried{0};
    std::vector<std::unique_ptr<JobWorker>> workers;
    for (int i = 0; i < 3; ++i)
        workers.push_back(worker([&](JobTask&) -> Outcome {
            ++tried;
            return Error{std::string("there is no such engine")};
        }));
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return heard.over(); }));
    EXPECT_THAT(heard.ends, ElementsAre("failed: there is no such engine"));
    EXPECT_EQ(tried, 3);
}

TEST_F(Desks, HearWhenThreeWorkersVanished) {
    JobDesk desk(this->desk());
    Heard heard;
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    const auto session = connect();
    for (const char* name : {"a", "b", "c"})
        ASSERT_TRUE(
            eventually([&] { return jobs_table::take(*session, name, "test", 10).has_value(); }));
    EXPECT_TRUE(eventually([&] { return heard.over(); }));
    ASSERT_THAT(heard.ends, SizeIs(1));
    EXPECT_THAT(heard.ends[0], HasSubstr("vanished"));
}

TEST_F(Desks, LeaveUsersBeforeBatches) {
    JobDesk desk(this->desk());
    Heard heard;
    std::mutex mutex;
    std::vector<std::string> order;
    for (const char* id : {"batch1", "batch2"})
        ASSERT_TRUE(desk.submit(job(id, JobClass::Batch, "lab"), heard.listener()));
    for (const char* id : {"user1", "user2"}) ASSERT_TRUE(desk.submit(job(id), heard.listener()));
    const auto worker = this->worker([&](JobTask& task) -> Outcome {
        const std::lock_guard lock(mutex);
        order.push_back(task.job().id);
        return std::string("good");
    });
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return order.size() == 4;
    }));
    EXPECT_THAT(order, ElementsAre("user1", "user2", "batch1", "batch2"));
}

TEST_F(Desks, DoNotLetUsersWaitForBatchesThatRun) {
    JobDesk desk(this->desk());
    Heard batches, users;
    std::atomic<int> begun{0};
    std::atomic<bool> served{false};
    const auto worker = this->worker(
        [&](JobTask& task) -> Outcome {
            if (task.job().job_class == JobClass::User) return std::string("good");
            ++begun;
            while (!served && task.go_on()) std::this_thread::sleep_for(5ms);
            return task.go_on() ? Outcome(std::string("made")) : endless(task);
        },
        1000, 2);
    for (const char* id : {"batch1", "batch2"})
        ASSERT_TRUE(desk.submit(job(id, JobClass::Batch, "lab"), batches.listener()));
    ASSERT_TRUE(eventually([&] { return begun == 2; })) << "every thread has one";
    ASSERT_TRUE(desk.submit(job("user"), users.listener()));
    EXPECT_TRUE(eventually([&] { return users.over(); }));
    served = true;
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(batches.mutex);
        return batches.ends.size() == 2;
    })) << "what gave way is done later";
    EXPECT_THAT(batches.ends, ElementsAre("done: made", "done: made"));
    EXPECT_EQ(begun, 3) << "only one of them gave way";
}

TEST_F(Desks, DoWhatNobodyElseDoes) {
    std::mutex mutex;
    std::vector<std::string> here;
    JobDesk* self = nullptr;
    auto options = desk();
    options.patience = 1500;  // a worker on a busy machine may be late
    options.do_here = [&](const JobRecord& job) {
        const std::lock_guard lock(mutex);
        here.push_back(job.id);
        return true;
    };
    JobDesk desk(std::move(options));
    self = &desk;
    Heard heard;
    ASSERT_TRUE(desk.submit(job("alone"), heard.listener()));
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return here.size() == 1;
    }));
    self->drop("alone");
    std::atomic<int> begun{0};
    const auto worker = this->worker([&](JobTask& task) {
        ++begun;
        return endless(task);
    });
    EXPECT_TRUE(eventually([&] { return desk.workers() == 1; }));
    ASSERT_TRUE(desk.submit(job("helped"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return begun == 1; }));
    ASSERT_TRUE(desk.submit(job("waiting"), heard.listener()));
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return here.size() == 2;
    })) << "the only worker is busy";
    const std::lock_guard lock(mutex);
    EXPECT_THAT(here, ElementsAre("alone", "waiting"));
}

TEST_F(Desks, CountTheJobsOfAnOwnerEverywhere) {
    JobDesk one(desk()), two(desk());
    Heard heard;
    ASSERT_TRUE(one.submit(job("a"), heard.listener(), 2));
    ASSERT_TRUE(two.submit(job("b"), heard.listener(), 2));
    EXPECT_FALSE(one.submit(job("c"), heard.listener(), 2));
    EXPECT_TRUE(one.submit(job("d", JobClass::User, "ben"), heard.listener(), 2));
    two.drop("b");
    EXPECT_TRUE(eventually([&] { return one.submit(job("e"), heard.listener(), 2); }));
}

TEST_F(Desks, CountTheJobsOfAnOwnerThoughManyAskAtTheSameMoment) {
    constexpr int kDesks = 4, kEach = 6;
    constexpr std::int64_t kMost = 3;
    std::vector<std::unique_ptr<JobDesk>> desks;
    for (int i = 0; i < kDesks; ++i) desks.push_back(std::make_unique<JobDesk>(desk()));
    Heard heard;
    std::atomic<int> taken{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kDesks; ++i)
        threads.emplace_back([&, i] {
            for (int n = 0; n < kEach; ++n)
                taken += desks[static_cast<std::size_t>(i)]->submit(
                    job(std::to_string(i) + "-" + std::to_string(n)), heard.listener(), kMost);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(taken, kMost);
    EXPECT_EQ(rows(), kMost);
}

TEST_F(Desks, EndWhatTheyDropAndWhatTheyLeave) {
    std::atomic<int> running{0};
    const auto worker = this->worker(
        [&](JobTask& task) {
            ++running;
            auto outcome = endless(task);
            --running;
            return outcome;
        },
        60'000, 2);
    Heard heard;
    auto desk = std::make_unique<JobDesk>(this->desk());
    ASSERT_TRUE(desk->submit(job("one"), heard.listener()));
    ASSERT_TRUE(desk->submit(job("two"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return running == 2; }));
    desk->drop("one");
    EXPECT_TRUE(eventually([&] { return running == 1; }));
    desk.reset();
    EXPECT_TRUE(eventually([&] { return running == 0; }));
    EXPECT_FALSE(heard.over());
}

TEST_F(Desks, NoticeNothingOfAWorkerThatEndsInGoodOrder) {
    JobDesk desk(this->desk());
    Heard heard;
    std::atomic<bool> begun{false};
    auto first = worker(
        [&](JobTask& task) {
            begun = true;
            return endless(task);
        },
        60'000);
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return begun.load(); }));
    first->stop();
    const auto second =
        worker([](JobTask& task) -> Outcome { return "try " + std::to_string(task.job().tries); });
    EXPECT_TRUE(eventually([&] { return heard.over(); }, 10s)) << "handed back, not expired";
    EXPECT_THAT(heard.ends, ElementsAre("done: try 1"));
}

TEST_F(Desks, WaitForADatabaseThatRestarts) {
    JobDesk desk(this->desk());
    Heard heard;
    std::atomic<bool> begun{false}, back{false};
    const auto worker = this->worker(
        [&](JobTask&) -> Outcome {
            begun = true;
            while (!back) std::this_thread::sleep_for(5ms);
            return std::string("good");
        },
        20'000);
    ASSERT_TRUE(desk.submit(job("one"), heard.listener()));
    EXPECT_TRUE(eventually([&] { return begun.load(); }));
    PrivatePostgres::get()->restart();
    back = true;
    EXPECT_TRUE(eventually([&] { return heard.over(); }));
    EXPECT_THAT(heard.ends, ElementsAre("done: good"));
}

TEST(AnalysisPayload, CarriesTheWholeWish) {
    AnalysisRequest request;
    request.review = true;
    request.game = Game(Position(), DrawRule::Claim);
    request.nodes = 12345;
    for (int i = 0; i < 2; ++i)
        for (const char* uci : {"g1f3", "g8f6", "f3g1", "f6g8"})
            ASSERT_TRUE(request.game.play(*parse_uci_move(request.game.position(), uci)));
    ASSERT_TRUE(request.game.claim_draw());
    const auto read = from_payload(kReviewKind, to_payload(request));
    ASSERT_TRUE(read) << read.error();
    EXPECT_TRUE(read->review);
    EXPECT_EQ(read->game.plies().size(), 8u);
    EXPECT_EQ(read->game.outcome(), request.game.outcome()) << "a review needs to know";
    EXPECT_EQ(read->nodes, 12345u);
    EXPECT_FALSE(read->depth);
    EXPECT_FALSE(from_payload(kReviewKind, "nonsense"));
    EXPECT_FALSE(from_payload(kReviewKind, "{}"));
    EXPECT_FALSE(from_payload(kReviewKind, R"({"fen":"x","claim":true,"moves":[],"lines":1})"));
    EXPECT_FALSE(parse_analysis_news("[1]"));
    EXPECT_FALSE(parse_analysis_result("{\"n\":-1}"));
}

// Real programs: a server with one engine thread, and workers. With and without NATS.
class Workers : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr || !PrivateNats::installed())
            GTEST_SKIP() << "needs PostgreSQL and nats-server";
        shared_ = {"--db", postgres->fresh_url()};
        store_ = std::make_unique<Store>(StoreOptions{folder_.path() / "data", shared_[1]},
                                         StoreSharing::Shared);
        if (GetParam()) {
            nats_ = std::make_unique<PrivateNats>();
            shared_.insert(shared_.end(), {"--bus", nats_->url()});
        }
        auto words = shared_;
        words.insert(words.end(), {"--engine-threads", "1"});
        server_ = std::make_unique<ServerProcess>(folder_.path() / "site", words);
        ana_ = std::make_unique<Person>(client_, server_->origin());
    }
    std::unique_ptr<WorkerProcess> worker() {
        auto words = shared_;
        words.insert(words.end(), {"--threads", "1"});
        const std::size_t before = workers().size();
        auto made = std::make_unique<WorkerProcess>(words);
        EXPECT_TRUE(eventually([&] { return workers().size() > before; }));
        return made;
    }
    std::vector<WorkerRecord> workers() {
        return store_->read([](Session& session) { return jobs_table::workers(session); });
    }
    std::string start(const std::string& wish) {
        const auto made = ana_->send(net::Method::kPost, "/api/v1/analyses", wish);
        EXPECT_EQ(made.status, 201) << made.body;
        const auto json = net::parse_json(made.body, 64);
        return json ? std::string(json->at("id").get_string()) : "";
    }
    LineReader events(const std::string& id) {
        net::ClientRequest request;
        request.url = server_->origin() + "/api/v1/analyses/" + id + "/events";
        request.headers.set("Accept", "application/x-ndjson");
        return {client_, std::move(request)};
    }
    JobRecord row(const std::string& id) {
        return store_->read([&](Session& session) { return jobs_table::find(session, id); })
            .value_or(JobRecord{});
    }
    bool at_worker(const std::string& id) {
        const std::string who = row(id).worker;
        const auto all = workers();
        return std::any_of(all.begin(), all.end(),
                           [&](const WorkerRecord& worker) { return worker.id == who; });
    }
    // All events up to the end; `at_first` is called at the first of that type.
    std::vector<net::json::value> follow(LineReader& reader, const std::string& type,
                                         const std::function<void()>& at_first) {
        std::vector<net::json::value> all;
        bool first = true;
        for (;;) {
            auto event = reader.next();
            if (event.is_null()) {
                ADD_FAILURE() << "no more events";
                return all;
            }
            const std::string seen(event.at("type").get_string());
            all.push_back(std::move(event));
            if (seen == type && std::exchange(first, false)) at_first();
            if (seen == "done") return all;
        }
    }

    TemporaryFolder folder_;
    std::vector<std::string> shared_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<PrivateNats> nats_;
    std::unique_ptr<ServerProcess> server_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
    std::unique_ptr<Person> ana_;
};

INSTANTIATE_TEST_SUITE_P(Bus, Workers, ::testing::Values(false, true),
                         [](const auto& bus) { return bus.param ? "Nats" : "DatabaseOnly"; });

// The first of two workers has it and is killed in the middle.
TEST_P(Workers, AnAnalysisWhoseWorkerIsKilledIsDoneByAnother) {
    const auto first = worker();
    std::unique_ptr<WorkerProcess> second;
    const std::string id = start(R"({"movetime":5000,"lines":2,"live":false})");
    LineReader reader = events(id);
    const auto all = follow(reader, "info", [&] {
        EXPECT_TRUE(at_worker(id));
        second = worker();
        first->kill();
    });
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().at("data").at("state").get_string(), "done");
    EXPECT_FALSE(all.back().at("data").at("bestmove").get_string().empty());
    EXPECT_TRUE(reader.ended()) << "one end";
    std::int64_t number = 0;
    for (const auto& event : all)
        EXPECT_EQ(event.at("id").get_int64(), ++number) << "no gap and nothing twice";
    EXPECT_EQ(second->stop(), 0);
}

TEST_P(Workers, AReviewWhoseWorkerIsKilledIsDoneByAnotherAndKeptOnce) {
    const std::string game = ana_->new_game("null");
    Person ben(client_, server_->origin());
    ASSERT_EQ(ben.act(game, "join").status, 200);
    const char* moves[] = {"e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"};
    std::size_t ply = 0;
    for (const char* uci : moves) {
        ++ply;
        ASSERT_EQ((ply % 2 == 1 ? *ana_ : ben).move(game, ply, uci), 200) << ply;
    }
    const auto first = worker();
    const std::string id = start(R"({"kind":"review","nodes":20000,"game":")" + game + "\"}");
    LineReader reader = events(id);
    EXPECT_TRUE(eventually([&] { return at_worker(id); }));
    ::kill(first->pid(), SIGSTOP);  // it has begun, and does not end before it is killed
    const auto second = worker();
    EXPECT_EQ(row(id).tries, 1);
    first->kill();
    const auto all = follow(reader, "done", [] {});
    ASSERT_FALSE(all.empty());
    const auto& done = all.back().at("data");
    EXPECT_EQ(done.at("state").get_string(), "done");
    EXPECT_EQ(done.at("review").at("moves").get_array().size(), std::size(moves));
    std::vector<std::int64_t> scored;
    for (const auto& event : all)
        if (event.at("type").get_string() == "score")
            scored.push_back(event.at("data").at("ply").to_number<std::int64_t>());
    EXPECT_THAT(scored, ElementsAre(7, 6, 5, 4, 3, 2, 1, 0)) << "each position once, last first";
    EXPECT_EQ(ana_->send(net::Method::kGet, "/api/v1/games/" + game + "/review").status, 200);
}

TEST_P(Workers, WithoutAnyTheServerDoesItItself) {
    EXPECT_TRUE(workers().empty());
    const std::string id = start(R"({"depth":6})");
    LineReader reader = events(id);
    const auto done = reader.next_of("done");
    ASSERT_FALSE(done.is_null());
    EXPECT_EQ(done.at("data").at("state").get_string(), "done");
    // And when the only one is killed.
    const auto only = worker();
    const std::string next = start(R"({"movetime":3000,"live":false})");
    LineReader watching = events(next);
    ASSERT_FALSE(watching.next_of("info").is_null());
    EXPECT_TRUE(at_worker(next));
    only->kill();
    EXPECT_TRUE(eventually([&] { return !row(next).worker.empty() && !at_worker(next); }));
    EXPECT_FALSE(watching.next_of("done").is_null());
    EXPECT_TRUE(eventually([&] { return row(next).id.empty(); })) << "nothing is left behind";
}

TEST_P(Workers, AnEndedAnalysisIsEndedThere) {
    const auto only = worker();
    const std::string id = start(R"({"movetime":60000})");
    {
        LineReader reader = events(id);
        ASSERT_FALSE(reader.next_of("info").is_null());
        EXPECT_TRUE(at_worker(id));
    }
    const auto ended = ana_->send(net::Method::kDelete, "/api/v1/analyses/" + id);
    EXPECT_EQ(ended.status, 200);
    EXPECT_TRUE(eventually([&] { return row(id).id.empty(); }));
    const std::string next = start(R"({"depth":5})");
    LineReader reader = events(next);
    EXPECT_FALSE(reader.next_of("done").is_null()) << "its only thread is free again";
}

}  // namespace
}  // namespace rokada::server::test
