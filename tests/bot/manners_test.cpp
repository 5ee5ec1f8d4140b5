// SPDX-License-Identifier: GPL-3.0-or-later
// What the bot does when it is its right or its duty: claims, aborts, the book, limits, games by letter.
#include <algorithm>
#include <fstream>

#include "tests/bot/running_bot.hpp"

namespace rokada::bot::test {
namespace {

using Plan = LichessDouble::Plan;

// White's king can go to h1 and h2 only, and Black can win at any time.
constexpr const char* kCornered = "k5r1/8/8/8/8/5r2/8/7K w - - 0 1";
// Black's first move is forced.
constexpr const char* kOneReply = "k7/p7/P7/8/8/8/8/7K w - - 0 1";

bool did(LichessDouble& server, const std::string& action) {
    const auto actions = server.report().actions;
    return std::find(actions.begin(), actions.end(), action) != actions.end();
}

// The bot has nothing to hope for and claims the draw instead of its next move, after so many.
void expect_claim_after(const char* fen, int moves, const char* why) {
    Plan plan;
    plan.fen = fen;
    plan.moves = {"a8b8", "b8a8"};
    plan.length = 100;
    LichessDouble server(plan, "BOT");
    Settings settings = quick_settings(server);
    settings.manners.resign = false;
    RunningBot bot(settings);
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
    EXPECT_TRUE(did(server, "draw/yes"));
    EXPECT_EQ(server.report().moves, moves) << why;
    EXPECT_EQ(server.report().statuses["draw"], 1);
    EXPECT_EQ(bot.finish(), std::nullopt);
    expect_clean(server.report(), bot.log());
}

TEST(LichessBotManners, ClaimsADrawWhenThePositionComesBack) {
    expect_claim_after(kCornered, 4, "at the first chance, instead of a fifth move");
}

TEST(LichessBotManners, ClaimsADrawAfterFiftyMoves) {
    expect_claim_after("k5r1/8/8/8/8/5r2/8/7K w - - 96 80", 2,
                       "the position has stood there only twice");
}

TEST(LichessBotManners, ClaimsTheWinWhenTheOpponentIsGone) {
    Plan plan;
    plan.stops_at = 5;
    plan.length = 100;
    LichessDouble server(plan, "BOT");
    RunningBot bot(quick_settings(server));
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
    EXPECT_EQ(server.report().claims, 1);
    EXPECT_FALSE(did(server, "claim-draw"));
}

TEST(LichessBotManners, ClaimsADrawFromOneWhoIsGoneIfItCannotWin) {
    Plan plan;
    plan.fen = kCornered;
    plan.moves = {"a8b8", "b8a8"};
    plan.stops_at = 3;
    LichessDouble server(plan, "BOT");
    RunningBot bot(quick_settings(server));
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
    EXPECT_TRUE(did(server, "claim-draw"));
    EXPECT_EQ(server.report().claims, 0);
}

TEST(LichessBotManners, AbortsWhenTheOpponentNeverMoves) {
    Plan plan;
    plan.stops_at = 1;
    LichessDouble server(plan, "BOT");
    Settings settings = quick_settings(server);
    settings.waits.first_move = 500ms;
    settings.ledger = server.ca_file() + ".ledger";
    RunningBot bot(settings);
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
    EXPECT_TRUE(did(server, "abort"));
    EXPECT_EQ(bot.finish(), std::nullopt);
    const auto entries = read_ledger(settings.ledger).entries;
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].result, "none");
}

TEST(LichessBotManners, ThinksWhileTheOpponentDoes) {
    for (const bool ponder : {true, false}) {
        Plan plan;
        plan.fen = kOneReply;
        plan.length = 4;
        LichessDouble server(plan, "BOT");
        Settings settings = quick_settings(server);
        settings.elo = 0;
        settings.ponder = ponder;
        settings.ledger = server.ca_file() + ".ledger";
        RunningBot bot(settings);
        EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
        EXPECT_EQ(bot.finish(), std::nullopt);
        const auto entries = read_ledger(settings.ledger).entries;
        ASSERT_EQ(entries.size(), 1U);
        EXPECT_EQ(entries[0].guessed > 0, ponder);
    }
}

TEST(LichessBotManners, PlaysFromItsBook) {
    Plan plan;
    plan.length = 4;
    LichessDouble server(plan, "BOT");
    Settings settings = quick_settings(server);
    settings.book = server.ca_file() + ".book";
    // The start position, a2a3, weight 1, nothing learnt.
    const unsigned char entry[] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c,
                                   0x02, 0x10, 0,    1,    0,    0,    0,    0};
    std::ofstream(settings.book, std::ios::binary)
        .write(reinterpret_cast<const char*>(entry), sizeof entry);
    RunningBot bot(settings);
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
    EXPECT_EQ(server.report().first_moves, (std::vector<std::string>{"a2a3"}));
}

TEST(LichessBotManners, ChangesTheAccountOnlyWhenAsked) {
    Plan plan;
    plan.length = 4;
    LichessDouble server(plan, "");
    const auto error = RunningBot(quick_settings(server)).wait();
    ASSERT_TRUE(error);
    EXPECT_NE(error->find("--upgrade"), std::string::npos);
    EXPECT_EQ(server.report().upgrades, 0);
    EXPECT_EQ(Bot(quick_settings(server)).upgrade(), std::nullopt);
    EXPECT_EQ(server.report().upgrades, 1);
    RunningBot bot(quick_settings(server));
    EXPECT_TRUE(server.play_games(1, 1, 30s)) << server.unfinished() << bot.log();
}

TEST(LichessBotManners, PlaysNoMoreGamesAtOnceThanItMay) {
    Plan plan;
    plan.length = 8;
    LichessDouble server(plan, "BOT");
    Settings settings = quick_settings(server);
    settings.policy.games = 2;
    RunningBot bot(settings);
    EXPECT_TRUE(server.play_games(6, 4, 30s)) << server.unfinished() << bot.log();
    const auto report = server.report();
    EXPECT_LE(report.most_at_once, 2);
    EXPECT_GT(report.declined, 0);
    for (const std::string& reason : report.reasons) EXPECT_EQ(reason, "reason=later");
}

TEST(LichessBotManners, KeepsALimitTheServerNames) {
    LichessDouble server(Plan{}, "BOT");
    Settings settings = quick_settings(server);
    settings.matchmaking.on = true;
    settings.matchmaking.idle = 20ms;
    settings.matchmaking.same_opponent = 0ms;
    RunningBot bot(settings);
    EXPECT_TRUE(net::test::eventually([&] { return server.report().challenges > 0; }, 30s));
    std::this_thread::sleep_for(500ms);  // time for many more
    EXPECT_EQ(server.report().challenges, 1);
}

TEST(LichessBotManners, LeavesAGameByLetterForLater) {
    Plan plan;
    plan.has_clock = false;
    plan.stops_at = 5;  // the opponent thinks for days
    plan.length = 100;
    LichessDouble server(plan, "BOT");
    Settings settings = quick_settings(server);
    settings.policy.correspondence = true;
    settings.policy.games = 1;
    {
        RunningBot bot(settings);
        std::thread game([&] { server.play_games(1, 1, 2s); });
        EXPECT_TRUE(net::test::eventually([&] { return server.report().moves == 3; }, 30s))
            << server.unfinished() << bot.log();
        EXPECT_EQ(bot.finish(), std::nullopt) << "without waiting for days";
        game.join();
    }
    EXPECT_EQ(server.report().finished, 0);
    RunningBot again(settings);
    EXPECT_TRUE(net::test::eventually(
        [&] { return again.log().find("against Someone") != std::string::npos; }, 30s))
        << again.log();
    EXPECT_EQ(again.finish(), std::nullopt);
    expect_clean(server.report(), again.log());
}

}  // namespace
}  // namespace rokada::bot::test
