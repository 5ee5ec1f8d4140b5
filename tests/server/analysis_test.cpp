// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as a service that runs for a while: analyses and reviews, their events, limits and end.
#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/app/engine_pool.hpp"
#include "server/web/machine.hpp"
#include "tests/server/bot_client.hpp"
#include "tests/server/eventually.hpp"

namespace rokada::server::test {
namespace {

// With a scripted engine that answers at once.
class Analyses : public SiteTest {};

TEST_F(Analyses, AreCreatedWithALocationAndTellTheirResult) {
    Visitor ana(*this);
    const Answer made = ana.post("/api/v1/analyses", R"({"moves":["e2e4"],"depth":1})");
    EXPECT_EQ(made.status, 201) << made.body;
    const std::string where(made.headers.get("Location"));
    EXPECT_EQ(where, "/api/v1/analyses/" + made.text("/id"));
    const Answer read = ana.get(where);
    EXPECT_EQ(read.text("/state"), "done");
    EXPECT_EQ(read.text("/bestmove"), "a7a5") << "the scripted engine";
    EXPECT_EQ(read.text("/lines/0/pv/0"), "a7a5");
    EXPECT_EQ(ana.get("/api/v1/analyses/none").status, 404);
}

TEST_F(Analyses, EventsComeAsTheReaderLikesThem) {
    Visitor ana(*this);
    const std::string where(ana.post("/api/v1/analyses", R"({"depth":1})").headers.get("Location"));
    ana.extra.set("Accept", "text/event-stream");
    const Answer events = ana.get(where + "/events");
    EXPECT_EQ(events.headers.get("Content-Type"), "text/event-stream; charset=utf-8");
    EXPECT_NE(events.body.find("id: 1\nevent: info\ndata: {\"line\":1"), std::string::npos)
        << events.body;
    EXPECT_NE(events.body.find("event: done\n"), std::string::npos);
    ana.extra.set("Last-Event-ID", "1");
    const Answer rest = ana.get(where + "/events");
    EXPECT_EQ(rest.body.find("event: info"), std::string::npos) << "heard before";
    EXPECT_NE(rest.body.find("id: 2\nevent: done"), std::string::npos);
    ana.extra.set("Accept", "application/x-ndjson");
    ana.extra.erase("Last-Event-ID");
    const Answer lines = ana.get(where + "/events");
    EXPECT_EQ(lines.headers.get("Content-Type"), "application/x-ndjson");
    EXPECT_EQ(lines.body.rfind(R"({"id":1,"type":"info","data":{)", 0), 0u) << lines.body;
    ana.extra.set("Accept", "image/png");
    EXPECT_EQ(ana.get(where + "/events").status, 406);
}

TEST_F(Analyses, AKeyMakesStartingIdempotent) {
    Visitor ana(*this);
    ana.extra.set("Idempotency-Key", "one");
    const std::string first = ana.post("/api/v1/analyses", R"({"depth":1})").text("/id");
    EXPECT_EQ(ana.post("/api/v1/analyses", R"({"depth":1})").text("/id"), first);
    EXPECT_EQ(ana.post("/api/v1/analyses", R"({"depth":2})").status, 422);
    ana.extra.set("Idempotency-Key", "two");
    EXPECT_NE(ana.post("/api/v1/analyses", R"({"depth":1})").text("/id"), first);
}

TEST_F(Analyses, WishesAreChecked) {
    Visitor ana(*this);
    const auto status = [&](const char* body) { return ana.post("/api/v1/analyses", body).status; };
    EXPECT_EQ(status(R"({"fen":"nonsense"})"), 422);
    EXPECT_EQ(status(R"({"moves":["e2e5"]})"), 422);
    EXPECT_EQ(status(R"({"lines":9})"), 422);
    EXPECT_EQ(status(R"({"nodes":99999999999})"), 422);
    EXPECT_EQ(status(R"({"movetime":9999999})"), 422);
    EXPECT_EQ(status(R"({"fen":"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"})"), 422) << "stalemate";
    EXPECT_EQ(status(R"({"kind":"review"})"), 422);
    EXPECT_EQ(status(R"({"kind":"review","game":"AAAAAAAAAA"})"), 404);
    EXPECT_EQ(status(R"({"kind":"review","pgn":"1. e4 e5 2. Ke3"})"), 422);
    EXPECT_EQ(status("[]"), 422);
}

// With the real engine on one thread.
class EngineService : public SiteTest {
  protected:
    void SetUp() override {
        options_.picker = nullptr;
        options_.engine_threads = 1;
        start();
    }
    LineReader events(const std::string& where, const std::string& after = "") {
        net::ClientRequest request;
        request.url = origin() + where + "/events";
        request.headers.set("Accept", "application/x-ndjson");
        if (!after.empty()) request.headers.set("Last-Event-ID", after);
        return LineReader(client_, std::move(request));
    }
    std::string await_state(Visitor& who, const std::string& where, const std::string& wanted,
                            int seconds) {
        std::string state;
        for (int i = 0; i < seconds * 20 && state != wanted; ++i) {
            if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
            state = who.get(where).text("/state");
        }
        return state;
    }
};

TEST_F(EngineService, ALiveAnalysisIsWatchedResumedAndEndsWhenNobodyWatches) {
    Visitor ana(*this);
    const std::string where(
        ana.post("/api/v1/analyses", R"({"movetime":60000,"lines":2})").headers.get("Location"));
    std::int64_t last = 0;
    {
        LineReader watching = events(where);
        for (int i = 0; i < 3; ++i) {
            const auto event = watching.next_of("info");
            ASSERT_FALSE(event.is_null());
            EXPECT_EQ(event.at("id").get_int64(), last + 1) << "numbered without gaps";
            last = event.at("id").get_int64();
        }
    }
    {
        LineReader again = events(where, std::to_string(last));
        EXPECT_EQ(again.next().at("id").get_int64(), last + 1) << "goes on where it was";
    }
    EXPECT_EQ(ana.get(where).text("/state"), "running");
    EXPECT_EQ(await_state(ana, where, "cancelled", 15), "cancelled");
}

TEST_F(EngineService, NobodyHasMoreThanThreeAndTheyCanBeEnded) {
    Visitor ana(*this);
    std::string where;
    for (int i = 0; i < 3; ++i)
        where = ana.post("/api/v1/analyses", R"({"movetime":60000})").headers.get("Location");
    const Answer fourth = ana.post("/api/v1/analyses", R"({"movetime":60000})");
    EXPECT_EQ(fourth.status, 429);
    EXPECT_FALSE(fourth.headers.get("Retry-After").empty());
    EXPECT_EQ(ana.send(net::Method::kDelete, where, "").text("/state"), "cancelled");
    EXPECT_EQ(ana.post("/api/v1/analyses", R"({"movetime":60000})").status, 201);
}

TEST_F(EngineService, ManyGuestsOfOneAddressHaveThreeTogetherAndUsersTheirOwn) {
    Visitor user(*this);
    user.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    int taken = 0;
    for (int i = 0; i < 5; ++i) {
        Visitor guest(*this);
        guest.new_game(R"({"opponent":"device"})");
        ASSERT_FALSE(guest.cookie.empty());
        taken += guest.post("/api/v1/analyses", R"({"movetime":60000})").status == 201 ? 1 : 0;
    }
    EXPECT_EQ(taken, 3);
    EXPECT_EQ(user.post("/api/v1/analyses", R"({"movetime":60000})").status, 201);
}

TEST_F(EngineService, SomebodyAtABoardComesFirst) {
    Visitor ana(*this), ion(*this);
    const std::string where(
        ana.post("/api/v1/analyses", R"({"movetime":60000,"live":false})").headers.get("Location"));
    EXPECT_EQ(await_state(ana, where, "running", 10), "running");
    const std::string game =
        ion.new_game(R"({"opponent":"computer","level":"Easy","color":"white"})");
    ion.move(game, 1, "e2e4");
    Answer after;
    for (int i = 0; i < 400 && after.number("/ply") < 2; ++i) {
        after = ion.get("/api/v1/games/" + game);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(after.number("/ply"), 2) << "the only engine was busy for a minute";
    EXPECT_EQ(await_state(ana, where, "running", 10), "running") << "and the analysis goes on";
}

TEST_F(EngineService, AFinishedGameIsReviewedOnceAndKept) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    const char* moves[] = {"e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"};
    int ply = 0;
    for (const char* uci : moves) ana.move(id, ++ply, uci);
    const std::string wish = R"({"kind":"review","nodes":2000,"game":")" + id + "\"}";
    EXPECT_EQ(ana.post("/api/v1/analyses", wish).status, 409) << "still going on";
    EXPECT_EQ(ana.get("/api/v1/games/" + id + "/review").status, 404);
    EXPECT_EQ(ana.move(id, ++ply, "h5f7").text("/reason"), "checkmate");
    const std::string where(ana.post("/api/v1/analyses", wish).headers.get("Location"));
    LineReader watching = events(where);
    const auto progress = watching.next_of("progress");
    ASSERT_FALSE(progress.is_null());
    EXPECT_GE(progress.at("data").at("all").to_number<int>(), 1);
    const auto done = watching.next_of("done");
    ASSERT_FALSE(done.is_null());
    EXPECT_EQ(done.at("data").at("review").at("moves").get_array().size(), 7u);
    EXPECT_TRUE(watching.ended());
    EXPECT_EQ(ana.get("/api/v1/games/" + id + "/review").status, 200);
    start();
    EXPECT_EQ(ana.get("/api/v1/games/" + id + "/review").status, 200) << "on disk";
}

TEST(EnginePoolTest, SearchesGiveWayToEverythingElseOnTheMachine) {
    std::promise<int> niceness;
    std::atomic<bool> told{false};
    EnginePool pool(EnginePoolOptions{});  // ends first: its threads know the two above
    PickRequest request;
    request.move_time = 200;
    request.on_thought = [&](const Thought&) {
        if (told.exchange(true)) return;
        // Here we are on the thread that searches.
        niceness.set_value(::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))));
    };
    const auto ticket = pool.pick(std::move(request), [](const PickedMove&) {});
    auto answer = niceness.get_future();
    ASSERT_EQ(answer.wait_for(kPatience), std::future_status::ready);
    EXPECT_GE(answer.get(), 10);
}

TEST_F(EngineService, OneCoreIsLeftToTheSiteHoweverMuchIsAsked) {
    options_.engine_threads = 0;  // as `rokada serve` does by itself
    start();
    const unsigned allowed = std::max(1u, cores() - 1);
    Visitor users[2] = {Visitor(*this), Visitor(*this)};
    std::vector<std::pair<Visitor*, std::string>> asked;
    for (Visitor& user : users) {
        const std::string name = &user == users ? "ana" : "ben";
        user.post("/api/v1/register",
                  R"({"username":")" + name + R"(","password":"three blue doors"})");
        for (int i = 0; i < 3; ++i)
            asked.emplace_back(&user,
                               user.post("/api/v1/analyses", R"({"movetime":60000,"live":false})")
                                   .headers.get("Location"));
    }
    if (allowed >= asked.size()) GTEST_SKIP() << "more cores than two people may ask for";
    const auto running = [&] {
        return std::count_if(asked.begin(), asked.end(), [](const auto& analysis) {
            return analysis.first->get(analysis.second).text("/state") == "running";
        });
    };
    EXPECT_TRUE(eventually([&] { return running() >= allowed; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(running(), allowed);
}

TEST_F(EngineService, APositionIsExplained) {
    Visitor ana(*this);
    const Answer after = ana.get(
        "/api/v1/position?fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/"
        "RNBQKBNR%20w%20KQkq%20-%200%202");
    EXPECT_EQ(after.text("/opening/eco"), "B20");
    EXPECT_EQ(after.text("/opening/name"), "Sicilian Defense");
    EXPECT_FALSE(after.text("/evaluation/terms/0/name").empty());
}

}  // namespace
}  // namespace rokada::server::test
