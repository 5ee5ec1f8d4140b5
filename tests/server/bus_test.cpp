// SPDX-License-Identifier: GPL-3.0-or-later
// What an event bus promises, on both of them: inside one process, and between two nodes whose NATS
// servers are different ones of a cluster. Then what happens when servers die.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/nats_bus.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;

BusMessage message(std::int64_t version, std::string text) {
    return {version, std::make_shared<const std::string>(std::move(text))};
}

// Everything one listener heard.
class Ear {
  public:
    EventBus::Listener listener() {
        return [this](const BusMessage& heard) {
            const std::lock_guard lock(mutex_);
            if (heard.gap) {
                ++gaps_;
            } else {
                heard_.push_back(heard);
            }
        };
    }
    std::size_t count() {
        const std::lock_guard lock(mutex_);
        return heard_.size();
    }
    int gaps() {
        const std::lock_guard lock(mutex_);
        return gaps_;
    }
    std::vector<BusMessage> all() {
        const std::lock_guard lock(mutex_);
        return heard_;
    }

  private:
    std::mutex mutex_;
    std::vector<BusMessage> heard_;
    int gaps_ = 0;
};

std::unique_ptr<NatsBus> make_bus(net::Loops& loops, const std::string& urls,
                                  const std::string& realm = "site") {
    auto nats = net::parse_nats_urls(urls);
    if (!nats) throw std::runtime_error(nats.error());
    nats->ping_interval = 100ms;
    nats->connect_timeout = 500ms;
    return std::make_unique<NatsBus>(loops.next(), NatsBusOptions{std::move(*nats), realm, {}});
}

// Messages of `from` reach `to` from now on.
bool joined(EventBus& from, EventBus& to) {
    static std::atomic<int> number{0};
    const std::string topic = "probe" + std::to_string(++number);
    Ear ear;
    const auto subscription = to.subscribe(topic, ear.listener());
    return eventually([&] {
        from.publish(topic, message(0, "?"));
        return ear.count() > 0;
    });
}

enum class Kind { Local, Nats };

class BusContract : public ::testing::TestWithParam<Kind> {
  protected:
    void SetUp() override {
        if (GetParam() == Kind::Local) {
            here_ = there_ = &local_;
            return;
        }
        if (!PrivateNats::installed()) GTEST_SKIP() << "nats-server is not installed";
        nats_ = std::make_unique<PrivateNats>(2);
        first_ = make_bus(loops_, nats_->url(0));
        second_ = make_bus(loops_, nats_->url(1));
        here_ = first_.get();
        there_ = second_.get();
        ASSERT_TRUE(joined(*here_, *there_));
        ASSERT_TRUE(joined(*there_, *here_));
    }

    net::Loops loops_{2};
    LocalBus local_;
    std::unique_ptr<PrivateNats> nats_;
    std::unique_ptr<NatsBus> first_, second_;
    EventBus* here_ = nullptr;  // two ends of the bus; the same one in a single process
    EventBus* there_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Buses, BusContract, ::testing::Values(Kind::Local, Kind::Nats),
                         [](const ::testing::TestParamInfo<Kind>& kind) {
                             return kind.param == Kind::Local ? "Local" : "Nats";
                         });

TEST_P(BusContract, EverybodyHearsEverythingInOrder) {
    Ear near, far, second;
    const auto a = here_->subscribe("game", near.listener());
    const auto b = there_->subscribe("game", far.listener());
    const auto c = there_->subscribe("game", second.listener());
    ASSERT_TRUE(joined(*here_, *there_));
    constexpr std::size_t kMany = 3000;
    for (std::size_t i = 1; i <= kMany; ++i)
        here_->publish("game", message(static_cast<std::int64_t>(i), "event " + std::to_string(i)));
    EXPECT_EQ(near.count(), kMany) << "on the own node at once";
    EXPECT_TRUE(eventually([&] { return far.count() == kMany && second.count() == kMany; }));
    for (Ear* ear : {&near, &far, &second}) {
        std::int64_t last = 0;
        for (const BusMessage& heard : ear->all()) {
            ASSERT_EQ(heard.version, ++last);
            ASSERT_EQ(*heard.text, "event " + std::to_string(last));
        }
    }
}

TEST_P(BusContract, MessagesArriveWhole) {
    Ear ear;
    const auto subscription = there_->subscribe("games", ear.listener());
    ASSERT_TRUE(joined(*here_, *there_));
    std::string bytes(200'000, '\0');
    std::mt19937 random(1);
    for (char& byte : bytes) byte = static_cast<char>(random());
    here_->publish("games", {0, std::make_shared<const std::string>(bytes), "p1 p2 ", "g",
                             GameStatus::Finished});
    here_->publish("games", message(7, ""));
    ASSERT_TRUE(eventually([&] { return ear.count() == 2; }));
    const auto heard = ear.all();
    EXPECT_EQ(*heard[0].text, bytes);
    EXPECT_EQ(heard[0].players, "p1 p2 ");
    EXPECT_EQ(heard[0].game, "g");
    EXPECT_EQ(heard[0].status, GameStatus::Finished);
    EXPECT_EQ(heard[1].version, 7);
    EXPECT_EQ(*heard[1].text, "");
}

TEST_P(BusContract, TopicsAreApartWhateverTheirLetters) {
    const std::vector<std::string> topics{"a",        "a.b", "a b", "*", ">",
                                          "player:x", "=",   "",    "A", "ä\r\n"};
    std::vector<Ear> ears(topics.size());
    std::vector<std::unique_ptr<EventBus::Subscription>> kept;
    for (std::size_t i = 0; i < topics.size(); ++i)
        kept.push_back(there_->subscribe(topics[i], ears[i].listener()));
    ASSERT_TRUE(joined(*here_, *there_));
    for (const std::string& topic : topics) here_->publish(topic, message(1, topic));
    for (std::size_t i = 0; i < topics.size(); ++i)
        EXPECT_TRUE(eventually([&] { return ears[i].count() == 1; })) << topics[i];
    ASSERT_TRUE(joined(*here_, *there_));
    for (std::size_t i = 0; i < topics.size(); ++i) {
        ASSERT_EQ(ears[i].count(), 1u) << topics[i];
        EXPECT_EQ(*ears[i].all()[0].text, topics[i]);
    }
}

TEST_P(BusContract, AnEndedSubscriptionHearsNothingMore) {
    Ear ended, other;
    auto first = there_->subscribe("game", ended.listener());
    const auto second = there_->subscribe("game", other.listener());
    ASSERT_TRUE(joined(*here_, *there_));
    here_->publish("game", message(1, "x"));
    ASSERT_TRUE(eventually([&] { return ended.count() == 1; }));
    first.reset();
    here_->publish("game", message(2, "y"));
    ASSERT_TRUE(eventually([&] { return other.count() == 2; }));
    EXPECT_EQ(ended.count(), 1u);
    first = there_->subscribe("game", ended.listener());
    ASSERT_TRUE(joined(*here_, *there_));
    here_->publish("game", message(3, "z"));
    EXPECT_TRUE(eventually([&] { return ended.count() == 2; })) << "and may come back";
}

TEST_P(BusContract, QuestionsAreAnsweredFromAnyThread) {
    std::vector<std::thread> threads;
    const auto desk =
        there_->serve("node", [&](std::string_view question, const EventBus::Reply& reply) {
            threads.emplace_back([reply, text = std::string(question)] { reply("to " + text); });
        });
    ASSERT_TRUE(joined(*here_, *there_));
    std::atomic<int> right{0}, wrong{0};
    for (int i = 0; i < 50; ++i) {
        const std::string text = std::to_string(i);
        here_->ask("node", text, 5000, [&, text](std::optional<std::string_view> answer) {
            ++(answer == "to " + text ? right : wrong);
        });
    }
    EXPECT_TRUE(eventually([&] { return right + wrong == 50; }));
    EXPECT_EQ(wrong, 0);
    for (std::thread& thread : threads) thread.join();
}

TEST_P(BusContract, AQuestionWithoutAnAnswerEndsOnceAllTheSame) {
    std::atomic<int> none{0}, some{0};
    const auto answered = [&](std::optional<std::string_view> answer) { ++(answer ? some : none); };
    here_->ask("nobody", "?", 5000, answered);
    EXPECT_TRUE(eventually([&] { return none == 1; }, 2s)) << "before its time is over";
    auto desk = there_->serve("deaf", [](std::string_view, const EventBus::Reply&) {});
    ASSERT_TRUE(joined(*here_, *there_));
    here_->ask("deaf", "?", 100, answered);
    EXPECT_TRUE(eventually([&] { return none == 2; }));
    desk = there_->serve("twice", [](std::string_view, const EventBus::Reply& reply) {
        reply("one");
        reply("two");
    });
    ASSERT_TRUE(joined(*here_, *there_));
    here_->ask("twice", "?", 5000, answered);
    EXPECT_TRUE(eventually([&] { return some == 1; }));
    desk.reset();
    ASSERT_TRUE(joined(*here_, *there_));
    here_->ask("twice", "?", 1000, answered);
    EXPECT_TRUE(eventually([&] { return none == 3; }));
    EXPECT_EQ(some, 1);
}

TEST_P(BusContract, ManyThreadsMaySpeakListenAndLeaveAtOnce) {
    std::atomic<bool> stop{false};
    std::atomic<int> heard{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; !stop; ++i) {
                const auto subscription = (t % 2 == 0 ? here_ : there_)
                                              ->subscribe("t" + std::to_string(i % 3),
                                                          [&](const BusMessage&) { ++heard; });
                (t % 2 == 0 ? there_ : here_)
                    ->publish("t" + std::to_string(i % 3), message(0, "x"));
                if (i % 16 == 0) std::this_thread::sleep_for(1ms);
            }
        });
    std::this_thread::sleep_for(300ms);
    stop = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(heard, 0);
    EXPECT_TRUE(joined(*here_, *there_));
}

TEST(BusMessageBytes, AnyBytesAreReadOrRefused) {
    const BusMessage sent{3, std::make_shared<const std::string>("a\nb"), "p ", "g",
                          GameStatus::Playing};
    const auto read = decode_bus_message(encode_bus_message(sent));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read->text, "a\nb");
    EXPECT_FALSE(read->gap);
    BusMessage gap;
    gap.gap = true;
    EXPECT_TRUE(decode_bus_message(encode_bus_message(gap))->gap);
    for (const char* wrong : {"", "1", "1\n1\ng\n", "x\n1\ng\np\n", "1\n9\ng\np\n", "-1\n0\n\n\n",
                              "1\n-1\n\n\n", "99999999999999999999\n0\n\n\n"})
        EXPECT_FALSE(decode_bus_message(wrong)) << wrong;
}

TEST(BusMessageBytes, AnEventThatIsAnAnswerIsToldFromOtherAnswers) {
    EXPECT_EQ(event_in_answer(encode_bus_message(message(3, "a\nb"))), "a\nb");
    for (const char* other : {"", "3", "4:said2:a\n", "gap\n0\n\n\n", "3\n0\n\n"})
        EXPECT_FALSE(event_in_answer(other)) << other;
}

class NatsBusTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!PrivateNats::installed()) GTEST_SKIP() << "nats-server is not installed";
    }
    net::Loops loops_{2};
};

TEST_F(NatsBusTest, SitesDoNotHearEachOther) {
    PrivateNats nats;
    const auto one = make_bus(loops_, nats.url(), "one"),
               other = make_bus(loops_, nats.url(), "other"),
               third = make_bus(loops_, nats.url(), "one");
    Ear wrong, right;
    const auto a = other->subscribe("game", wrong.listener());
    const auto b = third->subscribe("game", right.listener());
    ASSERT_TRUE(joined(*one, *third));
    one->publish("game", message(1, "x"));
    EXPECT_TRUE(eventually([&] { return right.count() == 1; }));
    EXPECT_EQ(wrong.count(), 0u);
}

TEST_F(NatsBusTest, EverythingThatStandsInAMessageArrives) {
    PrivateNats nats;
    const auto here = make_bus(loops_, nats.url()), there = make_bus(loops_, nats.url());
    Ear ear;
    const auto subscription = there->subscribe("player:\xc3\xa4 b", ear.listener());
    ASSERT_TRUE(joined(*here, *there));
    const int gaps = ear.gaps();
    BusMessage sent = message(7, "two\nlines");
    sent.players = "ana ben ";
    sent.game = "game000001";
    sent.status = GameStatus::Finished;
    here->publish("player:\xc3\xa4 b", sent);
    ASSERT_TRUE(eventually([&] { return ear.count() == 1; }));
    const BusMessage heard = ear.all()[0];
    EXPECT_EQ(heard.version, 7);
    EXPECT_EQ(*heard.text, "two\nlines");
    EXPECT_EQ(heard.players, sent.players);
    EXPECT_EQ(heard.game, sent.game);
    EXPECT_EQ(heard.status, sent.status);
    BusMessage gap;
    gap.gap = true;
    here->publish("player:\xc3\xa4 b", gap);
    EXPECT_TRUE(eventually([&] { return ear.gaps() == gaps + 1; }));
}

TEST_F(NatsBusTest, AnEventAnswersWhoeverAskedAndHearsIt) {
    PrivateNats nats;
    const auto here = make_bus(loops_, nats.url()), there = make_bus(loops_, nats.url()),
               third = make_bus(loops_, nats.url());
    std::int64_t version = 0;
    const auto desk = there->serve("node", [&](std::string_view, const EventBus::Reply& reply) {
        BusMessage event = message(++version, "event");
        event.answers = reply.address();
        there->publish("game", event);
    });
    ASSERT_TRUE(joined(*there, *here) && joined(*there, *third) && joined(*here, *there));
    std::mutex mutex;
    std::vector<std::string> answers;
    const auto answered = [&](std::optional<std::string_view> answer) {
        const auto event = answer ? event_in_answer(*answer) : std::nullopt;
        const std::lock_guard lock(mutex);
        answers.push_back(event ? std::string(*event) : "none");
    };
    const auto count = [&] {
        const std::lock_guard lock(mutex);
        return answers.size();
    };
    Ear other;
    const auto watching = third->subscribe("game", other.listener());
    ASSERT_TRUE(joined(*there, *third));
    here->ask("node", "?", 300, answered);
    EXPECT_TRUE(eventually([&] { return count() == 1; })) << "who does not listen waits in vain";
    Ear ear;
    const auto listening = here->subscribe("game", ear.listener());
    here->ask("node", "?", 5000, answered);
    EXPECT_TRUE(eventually([&] { return count() == 2 && ear.count() == 1; }));
    EXPECT_TRUE(eventually([&] { return other.count() == 2; })) << "others hear all of them";
    EXPECT_EQ(*ear.all()[0].text, "event");
    EXPECT_EQ(ear.all()[0].version, 2);
    const std::lock_guard lock(mutex);
    EXPECT_THAT(answers, ::testing::ElementsAre("none", "event"));
}

TEST_F(NatsBusTest, AKilledServerIsAGapAndTheNextOneGoesOn) {
    PrivateNats nats(3);
    const auto here = make_bus(loops_, nats.url());  // the first server is tried first
    const auto there = make_bus(loops_, nats.url(1));
    Ear ear;
    const auto subscription = here->subscribe("game", ear.listener());
    ASSERT_TRUE(joined(*there, *here));
    const int gaps = ear.gaps();
    nats.kill(0);
    EXPECT_TRUE(eventually([&] { return ear.gaps() == gaps + 1; })) << "told when it hears again";
    ASSERT_TRUE(joined(*there, *here));
    there->publish("game", message(1, "x"));
    EXPECT_TRUE(eventually([&] { return ear.count() == 1; })) << "the subscription is still there";
}

TEST_F(NatsBusTest, WhoeverListensToANodeThatLostItsServerIsToldToo) {
    PrivateNats nats(3);
    const auto here = make_bus(loops_, nats.url());
    const auto there = make_bus(loops_, nats.url(1));
    Ear ear;
    const auto subscription = there->subscribe("game", ear.listener());
    ASSERT_TRUE(joined(*there, *here));
    const int gaps = ear.gaps();
    nats.kill(0);  // what was just said here may be lost, and nothing else would show it there
    EXPECT_TRUE(eventually([&] { return ear.gaps() > gaps; }));
}

TEST_F(NatsBusTest, WhatIsTooLongForTheServerIsLeftOutAndNothingElse) {
    PrivateNats nats;
    const auto here = make_bus(loops_, nats.url()), there = make_bus(loops_, nats.url());
    Ear ear;
    const auto subscription = there->subscribe("game", ear.listener());
    ASSERT_TRUE(joined(*here, *there));
    const int gaps = ear.gaps();
    const auto dropped = here->counters().dropped;
    here->publish("game", message(1, std::string(2 << 20, 'x')));
    here->publish("game", message(2, "y"));
    EXPECT_TRUE(eventually([&] { return ear.count() == 1; }));
    EXPECT_EQ(ear.gaps(), gaps) << "the connection was not lost";
    EXPECT_EQ(here->counters().dropped, dropped + 1);
}

TEST_F(NatsBusTest, AServerThatHangsIsLeft) {
    PrivateNats nats(2);
    const auto here = make_bus(loops_, nats.url());
    const auto there = make_bus(loops_, nats.url(1));
    ASSERT_TRUE(joined(*there, *here));
    nats.pause(0);
    EXPECT_TRUE(joined(*there, *here));
    nats.resume(0);
}

TEST_F(NatsBusTest, WithoutAnyServerTheOwnNodeStillHears) {
    PrivateNats nats;
    const auto here = make_bus(loops_, nats.url()), there = make_bus(loops_, nats.url());
    Ear near, far;
    const auto a = here->subscribe("game", near.listener());
    const auto b = there->subscribe("game", far.listener());
    ASSERT_TRUE(joined(*here, *there));
    nats.kill(0);
    ASSERT_TRUE(eventually([&] { return !here->connected() && !there->connected(); }));
    here->publish("game", message(1, "x"));
    EXPECT_EQ(near.count(), 1u);
    std::atomic<bool> refused{false};
    here->ask("node", "?", 60'000,
              [&](std::optional<std::string_view> answer) { refused = !answer; });
    EXPECT_TRUE(eventually([&] { return refused.load(); })) << "without waiting for its time";
    const int gaps = far.gaps();
    nats.start(0);
    EXPECT_TRUE(eventually([&] { return far.gaps() > gaps; }));
    EXPECT_EQ(far.count(), 0u) << "what was said meanwhile is lost, so the gap is told";
    EXPECT_TRUE(joined(*here, *there));
}

TEST_F(NatsBusTest, PasswordsAreUsedAndWrongOnesAreNamed) {
    PrivateNats nats(1, {"--user", "me", "--pass", "secret"});
    const std::string host = nats.url().substr(7);
    EXPECT_TRUE(eventually([bus = std::shared_ptr(make_bus(loops_, "nats://me:secret@" + host))] {
        return bus->connected();
    }));
    std::mutex mutex;
    std::string reason;
    NatsBusOptions options{*net::parse_nats_urls("nats://me:wrong@" + host), "site", {}};
    options.on_state = [&](bool, const std::string& why) {
        const std::lock_guard lock(mutex);
        reason = why;
    };
    const NatsBus bus(loops_.next(), std::move(options));
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return reason.find("uthorization") != std::string::npos;
    }));
}

}  // namespace
}  // namespace rokada::server::test
