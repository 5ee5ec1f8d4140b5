// SPDX-License-Identifier: GPL-3.0-or-later
// One piece of work beside the session's thread (a perft, a bench) that can be asked to stop.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace rokada::protocol {

class Background {
  public:
    ~Background() { stop_and_join(); }

    void start(std::function<void(const std::atomic<bool>& stop)> work) {
        stop_and_join();
        stop_ = false;
        thread_ = std::thread([this, work = std::move(work)] { work(stop_); });
    }
    void stop() { stop_ = true; }
    void stop_and_join() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

  private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace rokada::protocol
