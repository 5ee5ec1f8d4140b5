// SPDX-License-Identifier: GPL-3.0-or-later
// A bot with short waits in a thread of its own, for tests against the double.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "bot/bot.hpp"
#include "tests/bot/lichess_double.hpp"

namespace rokada::bot::test {

using namespace std::chrono_literals;

inline Settings quick_settings(LichessDouble& server) {
    Settings settings;
    settings.url = server.url();
    settings.ca_file = server.ca_file();
    settings.token = kToken;
    settings.elo = 1000;
    settings.hash_megabytes = 4;
    settings.policy.games = 4;
    settings.manners.takebacks = 1;
    settings.correspondence_move = 5ms;
    settings.waits.request = 1000ms;
    settings.waits.silence = 1500ms;
    settings.waits.first_retry = 20ms;
    settings.waits.longest_retry = 200ms;
    settings.waits.rate_limited = 100ms;
    settings.waits.correspondence = 20ms;
    settings.waits.farewell = 200ms;
    settings.manners.claim_patience = 200ms;
    return settings;
}

// A bot in its own thread; everything it says is kept.
class RunningBot {
  public:
    explicit RunningBot(Settings settings) {
        settings.log = [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            log_ += line + "\n";
        };
        bot_ = std::make_unique<Bot>(std::move(settings));
        thread_ = std::thread([this] { error_ = bot_->run(); });
    }
    ~RunningBot() { finish(); }
    std::optional<std::string> finish() {
        if (thread_.joinable()) {
            bot_->stop();
            thread_.join();
        }
        return error_;
    }
    std::optional<std::string> wait() {
        thread_.join();
        return error_;
    }
    void stop() { bot_->stop(); }
    std::string log() {
        const std::lock_guard lock(mutex_);
        return log_;
    }

  private:
    std::mutex mutex_;
    std::string log_;
    std::unique_ptr<Bot> bot_;
    std::thread thread_;
    std::optional<std::string> error_;
};

inline void expect_clean(const LichessDouble::Report& report, const std::string& log) {
    EXPECT_EQ(report.double_moves, 0);
    EXPECT_EQ(report.illegal_moves, 0);
    EXPECT_EQ(report.lost_on_time, 0);
    EXPECT_EQ(report.unauthorized, 0);
    EXPECT_EQ(log.find(kToken), std::string::npos);
}

}  // namespace rokada::bot::test
