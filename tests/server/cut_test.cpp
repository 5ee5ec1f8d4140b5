// SPDX-License-Identifier: GPL-3.0-or-later
// What happens when a way between two machines is cut without a word: nobody waits for ever, nothing is
// acknowledged that is not there, and a server that the others cannot hear leaves its games to them.
#include <atomic>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/cluster_node.hpp"
#include "server/store/games_table.hpp"
#include "tests/server/cable.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::optional<StoreFault> fault_of(const std::function<void()>& act) {
    try {
        act();
        return std::nullopt;
    } catch (const StoreError& error) {
        return error.fault();
    }
}

class CutFromPostgres : public OnPostgres {
  protected:
    void SetUp() override {
        OnPostgres::SetUp();
        if (IsSkipped()) return;
        cable_ = std::make_unique<Cable>(postgres_->socket());
        url_ = postgres_->by_way_of(options_.url, cable_->port());
    }
    std::optional<std::string> fact(const char* name) {
        return store_->read([name](Session& s) { return games_table::fact(s, name); });
    }

    std::unique_ptr<Cable> cable_;
    std::string url_;
};

TEST_F(CutFromPostgres, ASilentConnectionIsGivenUpInTimeAndReplaced) {
    const auto session = open_postgres(url_, 500ms);
    const auto ask = [&session] { games_table::fact(*session, "a"); };
    EXPECT_EQ(fault_of(ask), std::nullopt);
    cable_->cut();
    const auto begun = Clock::now();
    EXPECT_EQ(fault_of(ask), StoreFault::ConnectionLost);
    EXPECT_LT(Clock::now() - begun, 5s);
    EXPECT_EQ(fault_of(ask), StoreFault::ConnectionLost) << "nor does a new one come about";
    EXPECT_LT(Clock::now() - begun, 10s);
    cable_->join();
    EXPECT_TRUE(eventually([&] { return !fault_of(ask); }));
}

TEST_F(CutFromPostgres, AStatementThatTakesTooLongIsEndedThereAndTheConnectionStays) {
    const auto session = open_postgres(url_, 300ms);
    EXPECT_EQ(fault_of([&session] { session->select("SELECT pg_sleep(20)"); }), StoreFault::Busy);
    const auto before = session->select("SELECT pg_backend_pid()");
    ASSERT_TRUE(before->next());
    EXPECT_EQ(fault_of([&session] { games_table::fact(*session, "a"); }), std::nullopt);
    const auto after = session->select("SELECT pg_backend_pid()");
    ASSERT_TRUE(after->next());
    EXPECT_EQ(before->integer(0), after->integer(0));
}

TEST_F(CutFromPostgres, WhatWasNotAcknowledgedIsNotThereWhenTheRestArrivesLate) {
    Store far(StoreOptions{folder_.path() / "far", url_});
    far.write([](Session& s) { games_table::set_fact(s, "a", "1"); });
    cable_->cut();
    const auto begun = Clock::now();
    EXPECT_EQ(
        fault_of([&far] { far.write([](Session& s) { games_table::set_fact(s, "a", "2"); }); }),
        StoreFault::ConnectionLost);
    EXPECT_LT(Clock::now() - begun, 10s);
    // Others need not wait for it.
    store_->write([](Session& s) { games_table::set_fact(s, "b", "1"); });
    cable_->join();
    EXPECT_TRUE(eventually([&far] {
        return !fault_of(
            [&far] { far.write([](Session& s) { games_table::set_fact(s, "c", "1"); }); });
    }));
    EXPECT_EQ(fact("a"), "1");
    EXPECT_EQ(fact("c"), "1");
}

TEST_F(CutFromPostgres, MovesDoNotWaitForTheWritesOfOthers) {
    GameRecord game;
    game.id = "game";
    game.settings.initial_fen = game.fen = "fen";
    game.status = GameStatus::Playing;
    store_->write([&game](Session& s) { games_table::insert(s, game, {}); });
    const auto other = connect();
    other->begin_write();
    games_table::set_fact(*other, "a", "1");
    auto turn = std::make_shared<TurnRecord>();
    turn->game_id = "game";
    turn->version = turn->ply = 1;
    turn->move.uci = "e2e4";
    turn->fen = "fen2";
    turn->message = "{}";
    std::promise<WriteOutcome> moved;
    store_->writer().submit_turn(
        turn, [&moved](const WriteOutcome& outcome) { moved.set_value(outcome); });
    auto outcome = moved.get_future();
    ASSERT_EQ(outcome.wait_for(1s), std::future_status::ready);
    EXPECT_FALSE(outcome.get().has_value());
    // What looks first and writes then has to be alone.
    std::promise<void> written;
    store_->writer().submit([](Session& s) { games_table::set_fact(s, "b", "1"); },
                            [&written](const WriteOutcome&) { written.set_value(); });
    auto later = written.get_future();
    EXPECT_EQ(later.wait_for(200ms), std::future_status::timeout);
    other->commit();
    EXPECT_EQ(later.wait_for(5s), std::future_status::ready);
    EXPECT_EQ(fact("b"), "1");
}

// Two nodes, and how well each hears the other.
class CutFromOthers : public OnPostgres {
  protected:
    static constexpr Millis kSilence = 5000;
    struct Node {
        std::atomic<std::int64_t> hears{3};
        std::atomic<int> orphans{0}, left{0};
        std::atomic<Millis> given_back_at{0};
        std::unique_ptr<ClusterNode> node;
    };
    void SetUp() override {
        OnPostgres::SetUp();
        if (IsSkipped()) return;
        GameRecord game;
        game.id = "game";
        game.settings.initial_fen = game.fen = "fen";
        game.settings.clock = ClockMode::Increment;
        game.status = GameStatus::Playing;
        store_->write([&game](Session& s) { games_table::insert(s, game, {}); });
        start("a", a_);
        start("b", b_);
        EXPECT_EQ(a_.node->claim("game")->owner, "a");
        std::this_thread::sleep_for(500ms);
    }
    void start(const std::string& id, Node& node) {
        ClusterNodeOptions options;
        options.store = store_.get();
        options.connect = [this] { return connect(); };
        options.id = options.name = id;
        options.beat = 50;
        options.hears = [&node](const auto&) { return node.hears.load(); };
        options.silence = [](const auto&) { return kSilence; };
        options.on_orphans = [&node](const auto& games) {
            node.given_back_at = games.front().owned.given_back_at;
            ++node.orphans;
        };
        options.on_aside = [&node](bool aside) { node.left += aside ? 1 : 0; };
        node.node = std::make_unique<ClusterNode>(std::move(options));
        node.node->start();
    }
    std::string owner() {
        return store_->read([](Session& s) { return games_table::find(s, "game")->owner; });
    }

    Node a_, b_;
};

TEST_F(CutFromOthers, ANodeThatHearsLessStepsAsideAndComesBack) {
    EXPECT_EQ(owner(), "a");
    a_.hears = 0;
    EXPECT_TRUE(eventually([this] { return a_.node->aside(); }, 2s));
    EXPECT_TRUE(eventually([this] { return a_.left == 1; }));
    EXPECT_TRUE(a_.node->holds_lease()) << "it lives";
    EXPECT_FALSE(a_.node->serves());
    EXPECT_TRUE(eventually([this] { return b_.orphans > 0; })) << "somebody has to look after it";
    EXPECT_TRUE(eventually([this] { return a_.node->claim("game")->owner == "b"; }))
        << "and it is not taken back";
    EXPECT_EQ(b_.node->claim("game")->owner, "b");
    const Millis now = store_->read([](Session& s) { return cluster_table::now(s); });
    EXPECT_LE(b_.given_back_at, now - kSilence) << "nobody is charged for the time it was cut off";
    EXPECT_GE(b_.given_back_at, now - kSilence - 20'000);
    a_.hears = 3;
    EXPECT_TRUE(eventually([this] { return a_.node->serves(); }));
    EXPECT_EQ(a_.node->claim("game")->owner, "b");
    EXPECT_EQ(b_.left, 0);
}

TEST_F(CutFromOthers, WhenNobodyHearsAnybodyEverythingStaysWhereItIs) {
    a_.hears = b_.hears = 0;
    std::this_thread::sleep_for(1s);
    EXPECT_FALSE(a_.node->aside());
    EXPECT_FALSE(b_.node->aside());
    EXPECT_EQ(owner(), "a");
}

}  // namespace
}  // namespace rokada::server::test
