// SPDX-License-Identifier: GPL-3.0-or-later
// What the bot decides without the network, and how it reads what servers say.
#include "bot/policy.hpp"

#include <gtest/gtest.h>

#include "bot/connection.hpp"

namespace rokada::bot {
namespace {

using namespace std::chrono_literals;

Challenge blitz() {
    Challenge challenge;
    challenge.id = "x";
    challenge.limit = 180;
    challenge.increment = 2;
    return challenge;
}

TEST(Policy, SaysWhyAChallengeIsDeclined) {
    Policy policy;
    EXPECT_EQ(reason_to_decline(policy, blitz(), 0), std::nullopt);
    EXPECT_EQ(reason_to_decline(policy, blitz(), 1), "later");
    policy.min_limit = 181;
    EXPECT_EQ(reason_to_decline(policy, blitz(), 0), "tooFast");
    policy = {};
    policy.max_increment = 1;
    EXPECT_EQ(reason_to_decline(policy, blitz(), 0), "tooSlow");
    policy = {};
    Challenge challenge = blitz();
    challenge.variant = "atomic";
    EXPECT_EQ(reason_to_decline(policy, challenge, 0), "variant");
    challenge = blitz();
    challenge.challenger.title = "BOT";
    policy.bots = false;
    EXPECT_EQ(reason_to_decline(policy, challenge, 0), "noBot");
    policy = {};
    policy.people = false;
    EXPECT_EQ(reason_to_decline(policy, blitz(), 0), "onlyBot");
    policy = {};
    policy.rated = false;
    challenge = blitz();
    challenge.rated = true;
    EXPECT_EQ(reason_to_decline(policy, challenge, 0), "casual");
    policy = {};
    policy.casual = false;
    EXPECT_EQ(reason_to_decline(policy, blitz(), 0), "rated");
    challenge = blitz();
    challenge.limit.reset();
    policy = {};
    EXPECT_EQ(reason_to_decline(policy, challenge, 0), "timeControl");
    policy.correspondence = true;
    EXPECT_EQ(reason_to_decline(policy, challenge, 0), std::nullopt);
    EXPECT_EQ(reason_to_decline(policy, challenge, policy.correspondence_games), "later");
}

TEST(Policy, GamesAtOnceShareTheThreads) {
    EXPECT_EQ(share_of_threads(8, 1), 8);
    EXPECT_EQ(share_of_threads(8, 3), 2);
    EXPECT_EQ(share_of_threads(2, 5), 1);
    EXPECT_EQ(share_of_threads(4, 0), 4);
}

TEST(Policy, ClaimsADrawUnlessItIsBetter) {
    Mood mood{Manners{}};
    mood.add(-300, 40);
    EXPECT_TRUE(mood.would_claim());
    mood.add(250, 42);
    EXPECT_FALSE(mood.would_claim());
}

TEST(Policy, ResignsOnlyAfterSeveralHopelessMoves) {
    Manners manners;
    Mood mood(manners);
    for (int i = 0; i < manners.resign_moves - 1; ++i) mood.add(-2000, 40);
    EXPECT_FALSE(mood.wants_to_resign());
    mood.add(-100, 42);
    mood.add(-2000, 44);
    EXPECT_FALSE(mood.wants_to_resign());
    for (int i = 0; i < manners.resign_moves; ++i) mood.add(-2000, 46);
    EXPECT_TRUE(mood.wants_to_resign());
    mood.take_back();
    EXPECT_FALSE(mood.wants_to_resign());
}

TEST(Policy, WantsADrawOnlyLateAndWhenNothingHappens) {
    Manners manners;
    Mood early(manners), late(manners);
    for (int i = 0; i < 20; ++i) early.add(0, 30);
    EXPECT_FALSE(early.wants_draw());
    for (int i = 0; i < 20; ++i) late.add(i % 2 ? 5 : -5, 80);
    EXPECT_TRUE(late.wants_draw());
    late.add(60, 82);
    EXPECT_FALSE(late.wants_draw());
}

TEST(Policy, KeepsBackWhatTheNetworkTakes) {
    Latency latency;
    const auto unknown = latency.overhead();
    for (int i = 0; i < 50; ++i) latency.add(30ms);
    EXPECT_LT(latency.overhead(), unknown);
    EXPECT_GE(latency.overhead(), 30ms);
    latency.add(900ms);
    EXPECT_GT(latency.overhead(), 300ms);
}

TEST(Messages, AnyBytesAreSafe) {
    for (const char* text : {"", "{", "[]", "null", "{\"type\":5}", "{\"type\":\"gameFull\"}",
                             "{\"type\":\"gameState\",\"moves\":7,\"wtime\":\"x\"}",
                             "{\"type\":\"challenge\",\"challenge\":[]}", "\xff\xfe"}) {
        parse_event(text);
        parse_game_line(text);
        parse_account(text);
        parse_people(text);
        parse_complaint(text);
    }
    const GameLine state = parse_game_line(
        R"({"type":"gameState","moves":"e2e4  e7e5","wtime":1000,"btime":2147483647,"winc":2000,"status":"mate","winner":"white","bdraw":true,"x":{}})");
    ASSERT_TRUE(state.state);
    EXPECT_EQ(state.state->moves, (std::vector<std::string>{"e2e4", "e7e5"}));
    EXPECT_EQ(state.state->white_time, 1000ms);
    EXPECT_TRUE(state.state->black_draw);
    EXPECT_FALSE(state.state->running());
    EXPECT_EQ(parse_retry_after("7"), 7000ms);
    EXPECT_EQ(parse_retry_after("tomorrow"), std::nullopt);
    EXPECT_EQ(parse_complaint(R"({"error":"no","ratelimit":{"key":"bot.vsBot.day","seconds":9}})")
                  .seconds,
              9);
}

}  // namespace
}  // namespace rokada::bot
