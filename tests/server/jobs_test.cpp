// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of jobs, on both databases: everybody gets another one, users come before batches, an
// attempt that was given away changes nothing, and three are enough.
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/cluster_table.hpp"
#include "server/store/jobs_table.hpp"
#include "tests/server/databases.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using jobs_table::Attempt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Millis kLong = 60'000, kNone = -1;

class Jobs : public OnBothDatabases {
  protected:
    void SetUp() override {
        OnBothDatabases::SetUp();
        if (!IsSkipped()) attend("site");
    }
    // As the store does it: on SQLite by the only writer.
    template <class F>
    auto with(F&& work) {
        std::optional<decltype(work(std::declval<Session&>()))> result;
        store_->write([&](Session& session) { result = work(session); });
        return *result;
    }
    void attend(const std::string& asker, Millis lease = kLong) {
        store_->write([&](Session& s) { jobs_table::attend(s, asker, "a " + asker, lease); });
    }
    void add(const std::string& id, const std::string& owner = "ana",
             JobClass job_class = JobClass::User, const std::string& kind = "review",
             const std::string& asker = "site") {
        JobRecord job;
        job.id = id;
        job.asker = asker;
        job.number = ++number_;
        job.kind = kind;
        job.job_class = job_class;
        job.owner = owner;
        job.payload = "do " + id;
        store_->write([&](Session& s) { jobs_table::insert(s, job); });
    }
    std::optional<JobRecord> take(const std::string& worker, Millis lease = kLong,
                                  const std::string& kinds = "analysis,review") {
        return with([&](Session& s) { return jobs_table::take(s, worker, kinds, lease); });
    }
    std::string taken(const std::string& worker, Millis lease = kLong) {
        const auto job = take(worker, lease);
        return job ? job->id : "";
    }
    JobRecord look(const std::string& id) {
        return store_->read([&](Session& s) { return jobs_table::find(s, id); })
            .value_or(JobRecord{});
    }
    bool finish(const JobRecord& job, const std::string& result) {
        return with(
            [&](Session& s) { return jobs_table::finish(s, jobs_table::attempt_of(job), result); });
    }

    std::int64_t number_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Engines, Jobs, kBothDatabases, engine_name);

TEST_P(Jobs, AreTakenOnceWorkedOnAndCollected) {
    add("one");
    const auto job = take("w1");
    ASSERT_TRUE(job);
    EXPECT_EQ(job->payload, "do one");
    EXPECT_EQ(job->kind, "review");
    EXPECT_EQ(job->worker, "w1");
    EXPECT_EQ(job->tries, 1);
    EXPECT_EQ(taken("w2"), "") << "it is being worked on";
    const Attempt attempt = jobs_table::attempt_of(*job);
    EXPECT_TRUE(with([&](Session& s) { return jobs_table::renew(s, attempt, kLong, "half"); }));
    EXPECT_EQ(look("one").progress, "half");
    EXPECT_GT(look("one").changes, job->changes);
    EXPECT_TRUE(finish(*job, "good"));
    EXPECT_EQ(look("one").state, JobState::Done);
    EXPECT_EQ(look("one").result, "good");
    EXPECT_FALSE(finish(*job, "again")) << "there is one result";
    EXPECT_EQ(look("one").result, "good");
    EXPECT_EQ(taken("w2"), "");
}

TEST_P(Jobs, GoUsersFirstThenByTurnsThenByAge) {
    add("batch", "match", JobClass::Batch);
    add("ana1", "ana");
    add("ana2", "ana");
    add("ben1", "ben");
    std::vector<std::string> order;
    for (int i = 0; i < 4; ++i) order.push_back(taken("w"));
    EXPECT_THAT(order, ElementsAre("ana1", "ben1", "ana2", "batch"));
}

TEST_P(Jobs, AreTakenOnlyByThoseWhoCan) {
    add("one", "ana", JobClass::User, "datagen");
    EXPECT_FALSE(take("w", kLong, "analysis,review"));
    EXPECT_FALSE(take("w", kLong, "data"));
    EXPECT_TRUE(take("w", kLong, "match,datagen"));
}

TEST_P(Jobs, OfAWorkerThatVanishedGoToAnotherAndItsLateResultChangesNothing) {
    add("one");
    const auto lost = take("w1", kNone);
    ASSERT_TRUE(lost);
    const auto again = take("w2");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->tries, 2);
    EXPECT_EQ(again->progress, "") << "it begins anew";
    const Attempt late = jobs_table::attempt_of(*lost);
    EXPECT_FALSE(with([&](Session& s) { return jobs_table::renew(s, late, kLong); }));
    EXPECT_FALSE(with([&](Session& s) { return jobs_table::renew(s, late, kLong, "mine"); }));
    EXPECT_FALSE(with([&](Session& s) { return jobs_table::fail(s, late, "mine"); }));
    EXPECT_FALSE(with([&](Session& s) { return jobs_table::hand_back(s, late); }));
    EXPECT_FALSE(finish(*lost, "late"));
    EXPECT_EQ(look("one").state, JobState::Running);
    EXPECT_TRUE(finish(*again, "good"));
    EXPECT_FALSE(finish(*lost, "late"));
    EXPECT_EQ(look("one").result, "good");
}

TEST_P(Jobs, AreKeptByRenewing) {
    add("one");
    const auto job = take("w1", kNone);
    EXPECT_TRUE(with([&](Session& s) {
        return jobs_table::renew(s, jobs_table::attempt_of(*job), kLong);
    })) << "late, but nobody else had it";
    EXPECT_EQ(taken("w2"), "");
}

TEST_P(Jobs, AreTriedThreeTimesAndThenFailWithTheReason) {
    add("one");
    for (const char* worker : {"w1", "w2", "w3"}) {
        const auto job = take(worker);
        ASSERT_TRUE(job) << worker;
        EXPECT_EQ(taken(worker), "") << worker;
        EXPECT_TRUE(with([&](Session& s) {
            return jobs_table::fail(s, jobs_table::attempt_of(*job),
                                    "no engine on " + std::string(worker));
        }));
        EXPECT_EQ(taken(worker), "") << "not again at once by the one that failed";
    }
    EXPECT_EQ(look("one").state, JobState::Failed);
    EXPECT_EQ(look("one").result, "no engine on w3");
    EXPECT_EQ(taken("w4"), "");

    add("two");
    for (const char* worker : {"w1", "w2", "w3"}) ASSERT_TRUE(take(worker, kNone)) << worker;
    EXPECT_EQ(taken("w4"), "");
    store_->write([](Session& s) { jobs_table::expire(s); });
    EXPECT_EQ(look("two").state, JobState::Failed);
    EXPECT_THAT(look("two").result, HasSubstr("vanished"));
}

TEST_P(Jobs, HandedBackAreAsIfNotBegun) {
    add("one");
    for (int i = 0; i < 5; ++i) {
        const auto job = take("w1");
        ASSERT_TRUE(job) << i;
        EXPECT_EQ(job->tries, 1);
        EXPECT_TRUE(with(
            [&](Session& s) { return jobs_table::hand_back(s, jobs_table::attempt_of(*job)); }));
    }
}

TEST_P(Jobs, NobodyWaitsForAreNotBegunAndEndAndAreForgotten) {
    attend("gone", kNone);
    add("lost", "ben", JobClass::User, "review", "gone");
    EXPECT_EQ(taken("w"), "");
    EXPECT_EQ(store_->read([](Session& s) { return jobs_table::open_of_owner(s, "ben"); }), 0);
    attend("gone");
    EXPECT_EQ(store_->read([](Session& s) { return jobs_table::open_of_owner(s, "ben"); }), 1);
    const auto job = take("w");
    ASSERT_TRUE(job);
    attend("gone", -1000);
    EXPECT_FALSE(with([&](Session& s) {
        return jobs_table::renew(s, jobs_table::attempt_of(*job), kLong);
    })) << "the worker notices";
    store_->write([](Session& s) { jobs_table::forget_absent(s, 100); });
    EXPECT_EQ(look("lost").id, "");
    EXPECT_FALSE(finish(*job, "useless"));

    add("mine");
    store_->write([](Session& s) { jobs_table::depart(s, "site"); });
    EXPECT_EQ(look("mine").id, "") << "with whoever asked";
}

TEST_P(Jobs, AreSeenByWhoeverAskedInItsOrder) {
    attend("other");
    add("b");
    add("a");
    add("c", "x", JobClass::User, "review", "other");
    take("w", kNone);
    const auto seen = store_->read([](Session& s) { return jobs_table::of_asker(s, "site"); });
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].id, "b");
    EXPECT_EQ(seen[0].state, JobState::Running);
    EXPECT_TRUE(seen[0].free) << "its lease ran out";
    EXPECT_EQ(seen[1].id, "a");
    EXPECT_TRUE(seen[1].free);
    EXPECT_TRUE(with([](Session& s) { return jobs_table::take_this(s, "a", "site", kLong); }));
    EXPECT_FALSE(with([](Session& s) { return jobs_table::take_this(s, "a", "w", kLong); }));
    const auto counts = store_->read([](Session& s) { return jobs_table::counts(s); });
    EXPECT_EQ(counts.waiting, 2);
    EXPECT_EQ(counts.running, 1);
}

TEST_P(Jobs, HaveWorkersThatAreKnown) {
    WorkerRecord worker;
    worker.id = "w1";
    worker.name = "cellar";
    worker.kinds = "review";
    worker.threads = 4;
    store_->write([&](Session& s) { jobs_table::enlist(s, worker, kLong); });
    worker.id = "w2";
    store_->write([&](Session& s) { jobs_table::enlist(s, worker, kNone); });
    add("one");
    take("w1");
    const auto all = store_->read([](Session& s) { return jobs_table::workers(s); });
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].alive);
    EXPECT_EQ(all[0].jobs, 1);
    EXPECT_EQ(all[0].threads, 4);
    EXPECT_FALSE(all[1].alive);
    store_->write([](Session& s) { jobs_table::discharge(s, "w1"); });
    EXPECT_EQ(store_->read([](Session& s) { return jobs_table::workers(s); }).size(), 1u);
}

TEST_P(Jobs, AreGivenToOneOfManyWhoAskAtTheSameMoment) {
    constexpr int kJobs = 60, kWorkers = 6;
    for (int i = 0; i < kJobs; ++i) add("job" + std::to_string(i), "o" + std::to_string(i % 7));
    std::mutex mutex;
    std::set<std::string> seen;
    std::atomic<int> twice{0};
    std::vector<std::thread> threads;
    for (int w = 0; w < kWorkers; ++w)
        threads.emplace_back([&, w] {
            const std::string name = "w" + std::to_string(w);
            // On PostgreSQL each has a connection of its own, as real ones do.
            const auto session = options_.url.empty() ? nullptr : open_postgres(options_.url);
            for (int idle = 0; idle < 3;) {
                const auto job = session ? jobs_table::take(*session, name, "review", kLong)
                                         : take(name, kLong, "review");
                if (!job) {
                    ++idle;  // others may have looked at the same row
                    continue;
                }
                const std::lock_guard lock(mutex);
                if (!seen.insert(job->id).second) ++twice;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(twice, 0);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kJobs));
}

}  // namespace
}  // namespace rokada::server::test
