// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a clock into two limits: the soft one is the time a normal move should take, looked at
// between iterations and stretched or shortened by how the search goes; the hard one is never
// passed.
#pragma once

#include <chrono>
#include <optional>

#include "engine/limits.hpp"

namespace rokada::engine {

using Microseconds = std::chrono::microseconds;

class TimeManager {
  public:
    using Clock = std::chrono::steady_clock;

    struct Budget {
        Microseconds soft{0};
        Microseconds hard{0};
        bool flexible = false;  // the soft limit may be stretched (a clock, not a fixed time)
    };
    // Pure arithmetic, for the tests: what a move may cost under these limits. None without a time
    // limit.
    static std::optional<Budget> budget(const Limits& limits, Color us, Milliseconds overhead);

    void start(const Limits& limits, Color us, Milliseconds overhead, Clock::time_point now);

    Microseconds elapsed() const {
        return std::chrono::duration_cast<Microseconds>(Clock::now() - start_);
    }
    bool limited() const { return budget_.has_value(); }
    bool flexible() const { return budget_ && budget_->flexible; }
    bool hard_limit_passed() const { return budget_ && elapsed() >= budget_->hard; }
    // `per_mille` says how much longer (above 1000) or shorter the search deserves to take.
    bool soft_limit_passed(int per_mille) const;

  private:
    Clock::time_point start_{};
    std::optional<Budget> budget_;
};

}  // namespace rokada::engine
