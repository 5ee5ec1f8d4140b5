// SPDX-License-Identifier: GPL-3.0-or-later
// Where the games of a site live: each on a strand of one of its loops, with a timer of its own.
#pragma once

#include <functional>
#include <utility>

#include "net/loop.hpp"
#include "server/app/game_actor.hpp"

namespace rokada::server {

// A game's serial line of work on one of the loops.
class LoopStrand final : public GameStrand {
  public:
    explicit LoopStrand(net::Strand strand) : strand_(strand), timer_(strand) {}
    void post(std::function<void()> task) override { strand_.dispatch(std::move(task)); }
    bool here() const override { return strand_.on_this_thread(); }
    void set_alarm(Millis steady, std::function<void()> task) override {
        set_ = true;
        timer_.start_at(net::Clock::time_point(std::chrono::milliseconds(steady)), std::move(task));
    }
    void cancel_alarm() override {
        if (std::exchange(set_, false)) timer_.cancel();
    }

  private:
    net::Strand strand_;
    net::Timer timer_;
    bool set_ = false;
};

}  // namespace rokada::server
