// SPDX-License-Identifier: GPL-3.0-or-later
// Where one thread waits for what others tell it, in the order it was told.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace rokada::bot {

using Clock = std::chrono::steady_clock;

template <class T>
class Queue {
  public:
    void push(T item) {
        {
            const std::lock_guard lock(mutex_);
            items_.push_back(std::move(item));
        }
        changed_.notify_one();
    }
    // Nothing when the time has come before anything was told.
    std::optional<T> pop_until(Clock::time_point when) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_until(lock, when, [this] { return !items_.empty(); }))
            return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> items_;
};

}  // namespace rokada::bot
