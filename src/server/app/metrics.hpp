// SPDX-License-Identifier: GPL-3.0-or-later
// Counters and distributions of a running server, written in the text format of Prometheus. Counting
// takes a few nanoseconds and is safe from any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace rokada::server {

// Durations in buckets of seconds.
class Durations {
  public:
    void add(std::chrono::steady_clock::duration duration);
    // The buckets, sum and count; `labels` like `route="/x"`, may be empty.
    void write(std::string& text, std::string_view name, const std::string& labels) const;

    static constexpr std::array<double, 12> kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                    0.05,   0.1,   0.25,   0.5,   1,    5};

  private:
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> counts_{};
    std::atomic<std::uint64_t> microseconds_{0};
};

class MetricsText {
  public:
    void gauge(std::string_view name, std::string_view help, double value) {
        single(name, help, "gauge", value);
    }
    void counter(std::string_view name, std::string_view help, double value) {
        single(name, help, "counter", value);
    }
    void head(std::string_view name, std::string_view help, std::string_view type);
    void line(std::string_view name, const std::string& labels, double value);
    std::string& text() { return text_; }

  private:
    void single(std::string_view name, std::string_view help, std::string_view type, double value);
    std::string text_;
};

struct Metrics {
    Durations move_acknowledged;  // from arrival to answer, on disk in between
    Durations requests;
    std::atomic<std::uint64_t> logins{0}, failed_logins{0}, registrations{0};

    void answered(std::string_view route, int status);
    void write(MetricsText& text) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, int>, std::uint64_t> by_route_;  // status by hundreds
};

// Resident memory and open files of this process.
struct ProcessUse {
    double resident_bytes = 0, open_files = 0, cpu_seconds = 0;
};
ProcessUse process_use();

}  // namespace rokada::server
