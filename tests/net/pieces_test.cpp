// SPDX-License-Identifier: GPL-3.0-or-later
// Rate limits, assets, event formatting, loops, timers and worker pools.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <stdexcept>

#include <gtest/gtest.h>

#include "net/asset.hpp"
#include "net/loop.hpp"
#include "net/rate_limiter.hpp"
#include "net/responder.hpp"
#include "tests/net/support.hpp"

namespace rokada::net {
namespace {

using namespace std::chrono_literals;
using test::eventually;

TEST(RateLimiter, GivesABurstThenTheRate) {
    RateLimiter limiter({.burst = 3, .period = 30s});
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.take("a", 1, start).allowed);
    const RateLimiter::Verdict refused = limiter.take("a", 1, start);
    EXPECT_FALSE(refused.allowed);
    EXPECT_NEAR(std::chrono::duration<double>(refused.retry_after).count(), 10, 0.01);
    EXPECT_TRUE(limiter.take("b", 1, start).allowed) << "another key has its own bucket";
    EXPECT_FALSE(limiter.take("a", 1, start + 9s).allowed);
    EXPECT_TRUE(limiter.take("a", 1, start + 10s).allowed);
    EXPECT_FALSE(limiter.take("a", 1, start + 10s).allowed);
    EXPECT_TRUE(limiter.take("a", 3, start + 100s).allowed)
        << "never more than the burst, but all of it";
    EXPECT_FALSE(limiter.take("a", 1, start + 100s).allowed);
}

TEST(RateLimiter, RefusedTriesCostNothingAndForgetRefills) {
    RateLimiter limiter({.burst = 2, .period = 20s});
    const Clock::time_point start = Clock::now();
    EXPECT_FALSE(limiter.take("a", 3, start).allowed);
    EXPECT_TRUE(limiter.peek("a", 2, start).allowed);
    EXPECT_TRUE(limiter.take("a", 2, start).allowed);
    EXPECT_FALSE(limiter.peek("a", 1, start).allowed);
    limiter.forget("a");
    EXPECT_TRUE(limiter.peek("a", 2, start).allowed);
    EXPECT_EQ(limiter.size(), 0u);
}

TEST(RateLimiter, ForgetsTheLongestUnusedWhenFull) {
    RateLimiter limiter({.burst = 1, .period = 1h}, 100);
    const Clock::time_point now = Clock::now();
    EXPECT_TRUE(limiter.take("victim", 1, now).allowed);
    for (int i = 0; i < 10'000; ++i) {
        limiter.take("attacker" + std::to_string(i), 1, now);
        EXPECT_FALSE(limiter.take("victim", 1, now).allowed) << "keys in use stay";
    }
    EXPECT_EQ(limiter.size(), 100u);
    EXPECT_TRUE(limiter.take("attacker0", 1, now).allowed);
}

TEST(Assets, AreServedInTheBestEncodingTheClientKnows) {
    AssetStore store;
    store.add("/app.js", {.identity = share("plain"), .brotli = share("BR"), .gzip = share("GZ")});
    const Asset* asset = store.find("/app.js");
    ASSERT_TRUE(asset);
    Request request;
    const auto served = [&](const char* accept) {
        request.headers.set("Accept-Encoding", accept);
        return asset_response(request, *asset);
    };
    EXPECT_EQ(*served("gzip, deflate, br").body, "BR");
    EXPECT_EQ(served("br").headers.get("Content-Encoding"), "br");
    EXPECT_EQ(*served("gzip").body, "GZ");
    EXPECT_EQ(*served("br;q=0.1, gzip;q=0.9").body, "GZ");
    EXPECT_EQ(*served("br;q=0, gzip;q=0").body, "plain");
    EXPECT_EQ(*served("").body, "plain");
    EXPECT_FALSE(served("").headers.has("Content-Encoding"));
    EXPECT_EQ(served("").headers.get("Vary"), "Accept-Encoding");
    EXPECT_EQ(served("").headers.get("Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_NE(served("br").headers.get("ETag"), served("gzip").headers.get("ETag"));
}

TEST(Assets, AreNotSentTwice) {
    AssetStore store;
    store.add("/a.css", {.identity = share("x"), .gzip = share("y")});
    Request request;
    const std::string etag(asset_response(request, *store.find("/a.css")).headers.get("ETag"));
    request.headers.set("If-None-Match", "W/" + etag);
    const Response response = asset_response(request, *store.find("/a.css"));
    EXPECT_EQ(response.status, 304);
    EXPECT_FALSE(response.body);
    EXPECT_EQ(response.headers.get("ETag"), etag);
    request.headers.set("If-None-Match", "\"other\"");
    EXPECT_EQ(asset_response(request, *store.find("/a.css")).status, 200);
}

TEST(Assets, ComeFromAFolderWithTheirVariants) {
    const test::TestCertificate folder;  // any temporary folder will do
    const std::filesystem::path root = std::filesystem::path(folder.folder()) / "web";
    std::filesystem::create_directories(root / "assets");
    for (const auto& [name, text] : {std::pair{"index.html", "page"},
                                     {"assets/app-1a2b3c4d.js", "code"},
                                     {"assets/app-1a2b3c4d.js.br", "brotli"},
                                     {"lonely.gz", "zip"}})
        std::ofstream(root / name) << text;
    AssetStore store;
    const auto count = store.add_folder(root.string(), "/");
    ASSERT_TRUE(count);
    EXPECT_EQ(*count, 3u);
    ASSERT_TRUE(store.find("/assets/app-1a2b3c4d.js"));
    EXPECT_EQ(*store.find("/assets/app-1a2b3c4d.js")->brotli, "brotli");
    EXPECT_NE(store.find("/assets/app-1a2b3c4d.js")->cache_control.find("immutable"),
              std::string::npos);
    EXPECT_EQ(store.find("/index.html")->cache_control, "no-cache");
    EXPECT_TRUE(store.find("/lonely.gz"));
    EXPECT_FALSE(store.find("/../etc/passwd"));
    EXPECT_FALSE(store.add_folder("/does/not/exist", "/"));
}

TEST(Events, AreFormattedLineByLine) {
    EXPECT_EQ(sse_event("{}"), "data: {}\n\n");
    EXPECT_EQ(sse_event("a\nb\r\nc\rd", "move", "7"),
              "id: 7\nevent: move\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
}

TEST(Loops, RunTasksOfOneStrandInOrder) {
    Loops loops(3);
    std::vector<int> seen;
    std::promise<void> done;
    const Strand strand = loops.strand_for(42);
    std::vector<std::thread> threads;
    for (int i = 0; i < 1000; ++i)
        strand.post([&seen, &strand, i] {
            EXPECT_TRUE(strand.on_this_thread());
            seen.push_back(i);
        });
    strand.post([&done] { done.set_value(); });
    done.get_future().get();
    ASSERT_EQ(seen.size(), 1000u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(Loops, SurviveExceptionsAndReportThem) {
    std::atomic<int> reported{0};
    Loops loops(1, [&](const std::string& what) {
        if (what.find("boom") != what.npos) ++reported;
    });
    std::promise<void> done;
    loops.next().post([] { throw std::runtime_error("boom"); });
    loops.next().post([&done] { done.set_value(); });
    done.get_future().get();
    EXPECT_EQ(reported, 1);
}

TEST(Loops, RunWhatWasPostedTogetherThoughOneOfThemFails) {
    std::atomic<int> reported{0};
    Loops loops(0, [&](const std::string&) { ++reported; });
    std::vector<int> order;
    for (int i = 0; i < 5; ++i)
        loops.executor(0).post([&order, i] {
            order.push_back(i);
            if (i % 2 == 1) throw std::runtime_error("oops");
        });
    loops.poll();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(reported, 2);
}

TEST(Loops, DropTasksAfterTheStop) {
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> weak = held;
    Executor executor;
    {
        Loops loops(1);
        executor = loops.next();
        loops.stop();
        // A task that holds its own executor would keep both alive for ever.
        executor.post([executor, held] { ADD_FAILURE() << "must not run"; });
        held.reset();
    }
    EXPECT_TRUE(weak.expired());
    executor.post([] { ADD_FAILURE() << "must not run"; });
}

TEST(Loops, MeasureTheirLag) {
    Loops loops(1);
    loops.next().post([] { std::this_thread::sleep_for(600ms); });
    EXPECT_TRUE(eventually([&] { return loops.take_worst_lag() > 200ms; }));
}

TEST(Timer, RunsOnceAndCanBeReplaced) {
    Loops loops(1);
    std::atomic<int> first{0};
    std::atomic<int> second{0};
    Timer timer(loops.next());
    timer.start(20ms, [&] { ++first; });
    timer.start(30ms, [&] { ++second; });
    EXPECT_TRUE(eventually([&] { return second == 1; }));
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(first, 0);
    EXPECT_EQ(second, 1);
}

TEST(Timer, CancelledOnItsStrandNeverRuns) {
    Loops loops(1);
    const Executor executor = loops.next();
    std::atomic<int> ran{0};
    std::promise<void> done;
    auto timer = std::make_shared<Timer>(executor);
    executor.post([&, timer] {
        timer->start(0ms, [&] { ++ran; });
        std::this_thread::sleep_for(20ms);  // it is due by now
        timer->cancel();
        executor.post([&done] { done.set_value(); });
    });
    done.get_future().get();
    EXPECT_EQ(ran, 0);
}

TEST(Timer, MayOutliveItsLoops) {
    std::unique_ptr<Timer> timer;
    {
        Loops loops(1);
        timer = std::make_unique<Timer>(loops.next());
        timer->start(1h, [] {});
    }
    timer->cancel();
    timer.reset();
}

TEST(WorkerPool, RefusesWhenFullAndFinishesWhatItTook) {
    std::promise<void> gate;
    std::shared_future<void> opened = gate.get_future().share();
    std::atomic<int> ran{0};
    std::atomic<int> errors{0};
    WorkerPool pool("test", 1, 3, [&](const std::string&) { ++errors; });
    ASSERT_TRUE(pool.try_post([opened] { opened.wait(); }));
    ASSERT_TRUE(eventually([&] { return pool.queued() == 0; }));
    EXPECT_TRUE(pool.try_post([&] { ++ran; }));
    EXPECT_TRUE(pool.try_post([] { throw std::runtime_error("x"); }));
    EXPECT_TRUE(pool.try_post([&] { ++ran; }));
    EXPECT_FALSE(pool.try_post([&] { ++ran; }));
    gate.set_value();
    pool.stop();
    EXPECT_EQ(ran, 2);
    EXPECT_EQ(errors, 1);
    EXPECT_FALSE(pool.try_post([] {}));
}

}  // namespace
}  // namespace rokada::net
