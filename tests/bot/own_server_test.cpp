// SPDX-License-Identifier: GPL-3.0-or-later
// The bot plays on a server of our own as it does on lichess.
#include <cstdlib>
#include <thread>

#include "bot/bot.hpp"
#include "tests/net/support.hpp"
#include "tests/server/bot_client.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;

class OwnServer : public SiteTest {
  protected:
    bot::Settings settings(const BotClient& account, const std::string& name) {
        bot::Settings made;
        made.url = origin();
        made.token = account.token();
        made.elo = 1000;
        made.hash_megabytes = 2;
        made.ledger = (folder_.path() / (name + ".ndjson")).string();
        made.waits.rate_limited = 200ms;
        made.waits.first_retry = 20ms;
        made.log = [this, name](const std::string& line) {
            const std::lock_guard lock(log_mutex_);
            log_ += name + ": " + line + "\n";
        };
        return made;
    }
    std::string log() {
        const std::lock_guard lock(log_mutex_);
        return log_;
    }

    std::mutex log_mutex_;
    std::string log_;
};

TEST_F(OwnServer, TwoBotsFindEachOtherAndPlayWholeGames) {
    const std::size_t games = std::getenv("ROKADA_LONG") ? 10 : 2;
    const BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    bot::Settings seeker = settings(ada, "ada"), waiter = settings(bob, "bob");
    seeker.matchmaking.on = true;
    seeker.matchmaking.idle = 100ms;
    seeker.matchmaking.same_opponent = 0ms;
    seeker.matchmaking.limit = 60;
    seeker.matchmaking.increment = 0;
    const std::string ledger = seeker.ledger, other = waiter.ledger;
    bot::Bot one(seeker), two(waiter);
    std::thread first([&] { EXPECT_EQ(one.run(), std::nullopt); });
    std::thread second([&] { EXPECT_EQ(two.run(), std::nullopt); });
    EXPECT_TRUE(net::test::eventually(
        [&] {
            return bot::read_ledger(ledger).entries.size() >= games &&
                   bot::read_ledger(other).entries.size() >= games;
        },
        std::chrono::seconds(60 * games)))
        << log();
    one.stop();
    first.join();
    two.stop();
    second.join();
    EXPECT_EQ(log().find(ada.token()), std::string::npos);
    EXPECT_EQ(log().find("refused"), std::string::npos) << log();
    for (const auto& entry : bot::read_ledger(ledger).entries) {
        EXPECT_NE(entry.status, "outoftime");
        EXPECT_GT(entry.plies, 4);
        EXPECT_TRUE(entry.opponent_is_bot);
    }
}

}  // namespace
}  // namespace rokada::server::test
