// SPDX-License-Identifier: GPL-3.0-or-later
// The bot keeps its head whatever the server does, and its manners.
#include <cstdlib>
#include <thread>

#include "tests/bot/running_bot.hpp"

namespace rokada::bot::test {
namespace {

TEST(LichessBot, PlaysGamesOnAGoodDay) {
    LichessDouble server({});
    RunningBot bot(quick_settings(server));
    EXPECT_TRUE(server.play_games(4, 2, 60s)) << server.unfinished() << bot.log();
    EXPECT_EQ(bot.finish(), std::nullopt);
    const auto report = server.report();
    expect_clean(report, bot.log());
    EXPECT_GT(report.moves, 4 * 3);
    EXPECT_GE(report.chats, 4);
}

TEST(LichessBot, LosesNoGameToAnyFault) {
    const int games = std::getenv("ROKADA_LONG") ? 50 : 6;
    LichessDouble server({true, true, true}, 7);
    Settings settings = quick_settings(server);
    settings.ledger = server.ca_file() + ".ledger";
    RunningBot bot(settings);
    if (!server.play_games(games, 3, 60s)) {
        ADD_FAILURE() << server.unfinished() << bot.log();
        bot.stop();  // at once: the second one comes with the end
    }
    EXPECT_EQ(bot.finish(), std::nullopt);
    const auto report = server.report();
    expect_clean(report, bot.log());
    EXPECT_EQ(report.finished, games);
    EXPECT_GT(report.faults, games);
    // Every game is in the ledger once.
    const LedgerContent ledger = read_ledger(settings.ledger);
    EXPECT_EQ(ledger.entries.size(), static_cast<std::size_t>(games));
    EXPECT_EQ(ledger.unreadable, 0);
    EXPECT_NE(summary(ledger.entries).find("against people"), std::string::npos);
    std::printf("%d games, %d moves, %d faults, %d takebacks, %d draws declined\n", report.finished,
                report.moves, report.faults, report.takebacks, report.draws_declined);
}

TEST(LichessBot, FinishesItsGamesWhenToldToStop) {
    LichessDouble server({});
    RunningBot bot(quick_settings(server));
    std::thread later([&] {
        net::test::eventually([&] { return server.report().accepted > 0; }, 30s);
        bot.stop();
    });
    EXPECT_TRUE(server.play_games(1, 1, 60s)) << bot.log();
    later.join();
    EXPECT_EQ(bot.wait(), std::nullopt);
    EXPECT_EQ(server.report().finished, 1);
}

TEST(LichessBot, DeclinesWithAReasonTheServerKnows) {
    LichessDouble server({});
    Settings settings = quick_settings(server);
    settings.policy.variants = {"standard"};
    RunningBot bot(settings);
    ASSERT_TRUE(net::test::eventually([&] { return server.event_streams() > 0; }, 20s));
    server.challenge(
        R"({"id":"a","status":"created","challenger":{"id":"x"},"variant":{"key":"atomic"},"timeControl":{"type":"clock","limit":60,"increment":0}})");
    server.challenge(
        R"({"id":"b","status":"created","challenger":{"id":"x"},"variant":{"key":"standard"},"timeControl":{"type":"unlimited"}})");
    server.challenge(
        R"({"id":"c","status":"created","challenger":{"id":"Rokada-Bot"},"variant":{"key":"standard"}})");
    EXPECT_TRUE(net::test::eventually([&] { return server.report().declined == 2; }, 20s));
    EXPECT_EQ(bot.finish(), std::nullopt);
    EXPECT_EQ(server.report().reasons,
              (std::vector<std::string>{"reason=standard", "reason=timeControl"}));
}

TEST(LichessBot, TrustsNoUnknownCertificateAndNoWrongToken) {
    LichessDouble server({});
    const net::test::TestCertificate other;
    Settings settings = quick_settings(server);
    settings.ca_file = other.certificate();
    EXPECT_NE(RunningBot(settings).wait(), std::nullopt);
    EXPECT_EQ(server.report().unauthorized, 0) << "the token never left";
    settings = quick_settings(server);
    settings.token = "wrong";
    const auto error = RunningBot(settings).wait();
    ASSERT_TRUE(error);
    EXPECT_NE(error->find("401"), std::string::npos) << *error;
    EXPECT_EQ(error->find("wrong"), std::string::npos);
}

}  // namespace
}  // namespace rokada::bot::test
