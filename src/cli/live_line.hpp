// SPDX-License-Identifier: GPL-3.0-or-later
// The last line at a terminal, which says how far a long command is, with what its workers tell behind
// it. Drawn anew once a second. Where there is no terminal only what is printed appears.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace rokada::cli {

// Calls from a thread of its own, once a second, until it is gone.
class EverySecond {
  public:
    explicit EverySecond(std::function<void()> call);
    ~EverySecond();
    EverySecond(const EverySecond&) = delete;
    EverySecond& operator=(const EverySecond&) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool over_ = false;
    std::thread thread_;
};

class LiveLine {
  public:
    explicit LiveLine(std::function<std::string()> workers);  // may be empty
    ~LiveLine();                                              // takes the line away

    void show(std::string text);           // from any thread
    void print(const std::string& lines);  // above it, to stay

  private:
    void draw();  // with the mutex held

    const bool terminal_;
    std::function<std::string()> workers_;
    std::mutex mutex_;
    std::string text_;
    std::optional<EverySecond> ticks_;
};

}  // namespace rokada::cli
