// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/live_line.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace rokada::cli {

EverySecond::EverySecond(std::function<void()> call)
    : thread_([this, call = std::move(call)] {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) call();
      }) {}

EverySecond::~EverySecond() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

LiveLine::LiveLine(std::function<std::string()> workers)
    : terminal_(::isatty(STDOUT_FILENO) != 0), workers_(std::move(workers)) {
    if (terminal_ && workers_)
        ticks_.emplace([this] {
            const std::lock_guard lock(mutex_);
            draw();
        });
}

LiveLine::~LiveLine() {
    ticks_.reset();
    if (!terminal_) return;
    fmt::print("\r\x1b[K");
    std::fflush(stdout);
}

void LiveLine::show(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    draw();
}

void LiveLine::print(const std::string& lines) {
    const std::lock_guard lock(mutex_);
    fmt::print("{}{}", terminal_ ? "\r\x1b[K" : "", lines);
    std::fflush(stdout);
    draw();
}

void LiveLine::draw() {
    if (!terminal_) return;
    const std::string workers = workers_ ? workers_() : "";
    fmt::print("\r\x1b[K{}{}{}", text_, text_.empty() || workers.empty() ? "" : "  ", workers);
    std::fflush(stdout);
}

}  // namespace rokada::cli
