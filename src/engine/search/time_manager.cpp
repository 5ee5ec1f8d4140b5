// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/time_manager.hpp"

#include <algorithm>

namespace rokada::engine {

std::optional<TimeManager::Budget> TimeManager::budget(const Limits& limits, Color us,
                                                       Milliseconds overhead) {
    if (limits.infinite) return std::nullopt;
    if (limits.move_time) {
        const Microseconds whole = std::max<Microseconds>(*limits.move_time, Microseconds{0});
        // Of a very short time at least half is used for thinking.
        const Microseconds time = std::max<Microseconds>(whole - overhead, whole / 2);
        return Budget{time, time, false};
    }
    if (!limits.clock) return std::nullopt;

    using Count = Microseconds::rep;
    const Count left = std::max<Count>(Microseconds{limits.clock->left[us]}.count(), 0);
    const Count increment = std::max<Count>(Microseconds{limits.clock->increment[us]}.count(), 0);
    const Count lag = std::max<Count>(Microseconds{overhead}.count(), 0);

    // What may be spent on this move at most: the lag of this move is gone in any case.
    const Count usable = std::max<Count>(left - lag, left / 8);
    // Plan for this many moves, or for those until the next time control.
    const Count moves =
        limits.clock->moves_to_go ? std::clamp(*limits.clock->moves_to_go, 1, 40) : 40;
    const Count total =
        std::max<Count>(left + increment * (moves - 1) - lag * (moves + 1), usable / 2);
    Count soft = limits.clock->moves_to_go ? total * 9 / 10 / moves : total / 28;
    Count hard = std::min<Count>(soft * 5, usable * 3 / 4);
    // The last move before the control may use nearly all that is left.
    if (limits.clock->moves_to_go && moves == 1) hard = usable * 9 / 10;
    soft = std::min(soft, hard);
    return Budget{Microseconds{soft}, Microseconds{hard}, true};
}

void TimeManager::start(const Limits& limits, Color us, Milliseconds overhead,
                        Clock::time_point now) {
    start_ = now;
    budget_ = budget(limits, us, overhead);
}

bool TimeManager::soft_limit_passed(int per_mille) const {
    if (!budget_) return false;
    const auto soft = budget_->flexible ? budget_->soft * per_mille / 1000 : budget_->soft;
    return elapsed() >= std::min<Microseconds>(soft, budget_->hard);
}

}  // namespace rokada::engine
