// SPDX-License-Identifier: GPL-3.0-or-later
// Those who watch a game and those who play it, while the disk is slow.
#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "server/app/game_actor.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class StrandHere final : public GameStrand {
  public:
    void post(std::function<void()> task) override { task(); }
    bool here() const override { return true; }
    void set_alarm(Millis, std::function<void()>) override {}
    void cancel_alarm() override {}
};

// Keeps everything until it is told that the disk has it.
class SlowDisk final : public GameStore {
  public:
    void save(GameChange, std::shared_ptr<const GameRecord>, Done done) override {
        pending = std::move(done);
    }
    void save_turn(std::shared_ptr<const TurnRecord>, Done done) override {
        pending = std::move(done);
    }
    void finish(const WriteOutcome& outcome = std::nullopt) {
        const Done done = std::exchange(pending, {});
        done(outcome);
    }
    Done pending;
};

class Actor : public ::testing::Test {
  protected:
    Actor() {
        GameRecord record;
        record.id = "game000001";
        record.settings.kind = GameKind::Device;
        record.settings.initial_fen = std::string(kStartFen);
        record.white = record.black = {SeatKind::Device, "ana0000000", "", false};
        record.status = GameStatus::Playing;
        services_.time = &time_;
        services_.store = &disk_;
        services_.bus = &bus_;
        services_.picker = &picker_;
        services_.encode_event = [](const GameEvent&, const GameRecord&) { return "{}"; };
        services_.encode_presence = [](const LiveGame&, Millis, int) { return "{}"; };
        services_.forget = [](const std::string&) {};
        actor_ = std::make_shared<GameActor>(LiveGame(std::move(record), time_.now()),
                                             std::make_unique<StrandHere>(), services_);
    }
    void move(int ply, const char* uci, const char* answers = nullptr) {
        actor_->act(
            [ply, uci](LiveGame& game, Moment now) {
                return game.play("ana0000000", ply, uci, false, now, 0);
            },
            [this](const LiveGame&, const std::optional<Refusal>& refusal) {
                answers_.push_back(refusal ? refusal->code : "played");
            },
            answers == nullptr ? nullptr : std::make_shared<const std::string>(answers));
    }
    // So many spectators ask for the game.
    void crowd(int size) {
        for (int i = 0; i < size; ++i)
            actor_->look([this](const LiveGame& game) { seen_.push_back(game.ply()); },
                         [this] { ++sent_away_; });
    }

    SystemTime time_;
    SlowDisk disk_;
    LocalBus bus_;
    FirstMovePicker picker_;
    GameServices services_;
    std::shared_ptr<GameActor> actor_;
    std::vector<std::string> answers_;
    std::vector<int> seen_;
    int sent_away_ = 0;
};

TEST_F(Actor, ACrowdThatWatchesKeepsNobodyFromMoving) {
    move(1, "e2e4");
    crowd(5000);
    EXPECT_TRUE(seen_.empty()) << "what is not on disk is not shown";
    EXPECT_GT(sent_away_, 0) << "nor is memory without end";
    move(2, "e7e5");
    EXPECT_TRUE(answers_.empty()) << "it waits for the first one";
    disk_.finish();
    EXPECT_EQ(seen_.size() + static_cast<std::size_t>(sent_away_), 5000u) << "all are answered";
    EXPECT_EQ(std::count(seen_.begin(), seen_.end(), 1), static_cast<std::ptrdiff_t>(seen_.size()));
    disk_.finish();
    EXPECT_EQ(answers_, (std::vector<std::string>{"played", "played"}));
}

TEST_F(Actor, WhoLooksWhileASaveFailsIsAnsweredAndLearnsThatTheGameIsLost) {
    move(1, "e2e4");
    bool lost = false;
    actor_->look([&](const LiveGame&) { lost = actor_->lost(); });
    disk_.finish(WriteFailure{StoreFault::DiskFull, "full"});
    EXPECT_TRUE(lost);
    EXPECT_EQ(answers_, (std::vector<std::string>{"disk_full"}));
}

TEST_F(Actor, OneWhoHearsTheEventOfTheMoveIsAnsweredWithItAndOtherwiseInWords) {
    std::vector<std::string> told;
    const auto ear = bus_.subscribe("game000001", [&](const BusMessage& message) {
        told.push_back(std::to_string(message.version) + (message.answers ? *message.answers : ""));
    });
    using List = std::vector<std::string>;
    move(1, "f2f3", " first");
    EXPECT_TRUE(told.empty()) << "not before it is on disk";
    disk_.finish();
    EXPECT_EQ(told, (List{"1 first"}));
    EXPECT_TRUE(answers_.empty());
    move(1, "f2f3", " again");
    move(2, "e7e4", " wrong");
    EXPECT_EQ(answers_, (List{"played", "illegal_move"})) << "there is no event";
    move(2, "e7e5");
    disk_.finish();
    move(3, "g2g4", " third");
    disk_.finish();
    move(4, "d8h4", " mate");
    disk_.finish();
    EXPECT_EQ(told, (List{"1 first", "2", "3 third", "4", "5"}))
        << "the end is an event of its own";
    EXPECT_EQ(answers_, (List{"played", "illegal_move", "played", "played"}));
}

TEST_F(Actor, OneWhoWouldHearTheEventIsToldWhenThereIsNone) {
    move(1, "e2e4", " address");
    disk_.finish(WriteFailure{StoreFault::DiskFull, "full"});
    EXPECT_EQ(answers_, (std::vector<std::string>{"disk_full"}));
}

}  // namespace
}  // namespace rokada::server::test
