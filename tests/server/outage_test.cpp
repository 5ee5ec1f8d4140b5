// SPDX-License-Identifier: GPL-3.0-or-later
// Nobody pays for servers that cannot reach each other: neither a player who is not told of the opponent's
// move, nor one whose own server is cut off or dead. And nobody gets time for what he does himself.
#include <thread>

#include <gtest/gtest.h>

#include "server/app/live_game.hpp"
#include "server/store/store.hpp"
#include "tests/server/cable.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kAna = "ana0000000";
constexpr const char* kBen = "ben0000000";

class Excused : public ::testing::Test {
  protected:
    void SetUp() override {
        GameRecord record;
        record.id = "game000000";
        record.status = GameStatus::Playing;
        record.settings.initial_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        record.settings.clock = ClockMode::Increment;
        record.settings.white_clock = record.settings.black_clock = {60'000, 0};
        record.white = {SeatKind::User, kAna, "ana", false};
        record.black = {SeatKind::User, kBen, "ben", false};
        game_.emplace(std::move(record), now_);
        for (int ply = 1; ply <= 3; ++ply) play(ply);
    }
    void play(int ply) {
        ASSERT_TRUE(game_->play(ply % 2 == 1 ? kAna : kBen, ply,
                                kMoves[static_cast<std::size_t>(ply) - 1], false, now_, 0));
        game_->committed(now_);
    }
    void wait(Millis time) {
        now_.steady += time;
        now_.wall += time;
    }
    Millis left() const { return game_->clock().left(Color::Black, now_.steady); }

    Moment now_{1'000'000, 1'700'000'000'000};
    std::optional<LiveGame> game_;
};

TEST_F(Excused, WhatLiesInTheTurnIsNotChargedAndIsTold) {
    const Millis silent_from = now_.steady - 800;  // before his turn began
    wait(4'000);
    const Step step = game_->excuse(kBen, silent_from, now_.steady - 1'000, now_);
    ASSERT_EQ(step.events.size(), 1u);
    EXPECT_EQ(step.events[0].kind, GameEvent::Kind::Clock);
    EXPECT_EQ(step.events[0].reason, "outage");
    EXPECT_EQ(step.events[0].clocks->black_ms, 59'000);
    EXPECT_EQ(left(), 59'000);
    wait(500);
    EXPECT_EQ(left(), 58'500) << "and goes on";
    // As any other server that reads it counts.
    GameRecord row = game_->record();
    row.moves = game_->moves();
    EXPECT_EQ(LiveGame::view(std::move(row), now_)->clock().left(Color::Black, now_.steady),
              58'500);
}

TEST_F(Excused, TheSameSilenceCountsOnceHoweverOftenItIsTold) {
    const Millis from = now_.steady + 1'000;
    wait(3'000);
    game_->excuse(kBen, from, now_.steady, now_);
    EXPECT_TRUE(game_->excuse(kBen, from, now_.steady, now_).empty());
    wait(2'000);
    game_->excuse(kBen, from, now_.steady, now_);
    EXPECT_EQ(left(), 59'000);
}

TEST_F(Excused, OnlyThePlayerToMoveIs) {
    wait(4'000);
    EXPECT_TRUE(game_->excuse(kAna, now_.steady - 4'000, now_.steady, now_).empty());
    EXPECT_TRUE(game_->excuse("somebody00", now_.steady - 4'000, now_.steady, now_).empty());
    EXPECT_EQ(left(), 56'000);
}

TEST_F(Excused, WhatCameAfterTheMoveHadBeenSentIsNotGivenOnTop) {
    wait(10'000);
    const Moment sent = now_;  // his server kept it until the others could be reached
    wait(4'000);
    game_->excuse(kBen, sent.steady - 1'000, now_.steady, now_);
    ASSERT_TRUE(game_->play(kBen, 4, kMoves[3], false, sent, 0));
    EXPECT_EQ(game_->clock().stored(Color::Black), 60'000 - 9'000);
}

// Two servers, each on a cable of its own to one NATS. Ana is at the one that runs the game, Ben at the other.
class Outage : public ::testing::Test {
  protected:
    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr || !PrivateNats::installed())
            GTEST_SKIP() << "needs PostgreSQL and nats-server";
        nats_ = std::make_unique<PrivateNats>();
        const std::string database = postgres->fresh_url();
        {
            const Store store(StoreOptions{folder_.path() / "setup", database});
        }
        for (const char* name : {"one", "two"}) {
            cables_.push_back(std::make_unique<Cable>(nats_->port(0)));
            servers_.push_back(std::make_unique<ServerProcess>(
                folder_.path() / name,
                std::vector<std::string>{
                    "--db", database, "--bus",
                    "nats://127.0.0.1:" + std::to_string(cables_.back()->port()), "--node-name",
                    name}));
        }
        ana_ = std::make_unique<Person>(client_, servers_[0]->origin());
        ben_ = std::make_unique<Person>(client_, servers_[1]->origin());
    }
    // Up to this ply, with Ben's socket at his server.
    void begin(std::size_t plies, int initial = 600) {
        game_ = ana_->new_game("{\"initial\":" + std::to_string(initial) + ",\"increment\":0}");
        ASSERT_EQ(ben_->act(game_, "join").status, 200);
        at_ana_ = std::make_unique<Follower>(client_, *ana_, game_);
        at_ben_ = std::make_unique<Follower>(client_, *ben_, game_);
        for (std::size_t ply = 1; ply <= plies; ++ply)
            ASSERT_EQ((ply % 2 == 1 ? *ana_ : *ben_).move(game_, ply, kMoves[ply - 1]), 200);
        ASSERT_TRUE(eventually([&] {
            return at_ben_->moves().size() == plies && at_ana_->sees(true, true);
        })) << "and the owner knows where he is";
    }
    void move(std::size_t ply) {
        at_ben_->move(ply, kMoves[ply - 1]);
        ASSERT_TRUE(eventually([&] { return at_ben_->answer_to(std::to_string(ply)) == "ack"; }))
            << at_ben_->heard();
    }
    void go_to_the_other() {
        ben_->origin = servers_[0]->origin();
        at_ben_->connect();
    }
    // On Ben's clock, which stands still.
    Millis charged(int initial = 600) {
        return initial * 1000 - ana_->look(game_).at("clocks").at("black_ms").to_number<Millis>();
    }

    TemporaryFolder folder_;
    std::unique_ptr<PrivateNats> nats_;
    std::vector<std::unique_ptr<Cable>> cables_;
    std::vector<std::unique_ptr<ServerProcess>> servers_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
    std::unique_ptr<Person> ana_, ben_;
    std::unique_ptr<Follower> at_ana_, at_ben_;
    std::string game_;
};

constexpr Millis kAtMost =
    1500;  // the way to the server on busy processors, as in the other trials

TEST_F(Outage, WhoIsNotToldOfAMoveBecauseNatsIsAwayIsNotChargedForTheWait) {
    begin(2);
    nats_->kill(0);
    ASSERT_EQ(ana_->move(game_, 3, kMoves[2]), 200) << "at the owner the game goes on";
    std::this_thread::sleep_for(9s);  // longer than anybody is excused whose own server is dead
    nats_->start(0);
    ASSERT_TRUE(eventually([&] { return at_ben_->moves().size() == 3; }));
    move(4);
    EXPECT_LE(charged(), kAtMost);
    EXPECT_NE(at_ben_->heard().find("\"outage\""), std::string::npos) << "and is told so";
    EXPECT_EQ(at_ben_->complaint(), "");
}

TEST_F(Outage, WhoseServerIsCutOffIsNotChargedUntilHeIsAtAnother) {
    begin(3);
    cables_[1]->cut();
    std::this_thread::sleep_for(4s);
    go_to_the_other();
    move(4);
    EXPECT_LE(charged(), kAtMost);
    cables_[1]->join();
}

TEST_F(Outage, WhoseServerIsDeadIsExcusedForAsLongAsItTakesToFindAnother) {
    begin(3);
    servers_[1]->kill();
    std::this_thread::sleep_for(10s);
    go_to_the_other();
    move(4);
    EXPECT_GE(charged(), 3'000) << "not for ever";
    EXPECT_LE(charged(), 4'000 + kAtMost);
}

TEST_F(Outage, NobodyLosesOnTimeWhileHisServerCannotBeReached) {
    constexpr int kInitial = 4;
    begin(3, kInitial);
    cables_[1]->cut();
    std::this_thread::sleep_for(8s);
    cables_[1]->join();
    ASSERT_TRUE(
        eventually([&] { return at_ben_->heard().find("\"outage\"") != std::string::npos; }));
    move(4);
    EXPECT_EQ(ana_->look(game_).at("status").get_string(), "playing");
    EXPECT_LT(charged(kInitial), kInitial * 1000);
}

TEST_F(Outage, WhoOnlyClosesHisSocketGetsNothing) {
    begin(3);
    at_ben_->say(R"({"t":"leave","game":")" + game_ + "\"}");
    std::this_thread::sleep_for(3s);
    go_to_the_other();
    std::this_thread::sleep_for(1s);
    move(4);
    EXPECT_GE(charged(), 3'900);
    EXPECT_EQ(at_ben_->heard().find("\"outage\""), std::string::npos);
}

}  // namespace
}  // namespace rokada::server::test
