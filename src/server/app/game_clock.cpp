// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/game_clock.hpp"

#include <algorithm>

namespace rokada::server {
namespace {

// A clock that starts empty would fall at once.
constexpr Millis kLeastInitial = 3000;

}  // namespace

GameClock::GameClock(ClockMode mode, ClockSide white, ClockSide black) : mode_(mode) {
    settings_[Color::White] = white;
    settings_[Color::Black] = black;
    for (const Color side : kColors) {
        const ClockSide& s = settings_[side];
        left_[side] = s.initial_ms > 0 ? s.initial_ms : std::max(s.increment_ms, kLeastInitial);
    }
    const Millis gain = std::min<Millis>(1000, 150 + estimated_length() / 250);
    for (const Color side : kColors) lag_quota_[side] = 3 * gain;
}

Millis GameClock::estimated_length() const {
    Millis longest = 0;
    for (const ClockSide& s : settings_)
        longest = std::max(longest, s.initial_ms + 40 * s.increment_ms);
    return longest;
}

Millis GameClock::charged(Millis elapsed) const {
    if (mode_ != ClockMode::Delay || !running_) return elapsed;
    return std::max<Millis>(0, elapsed - settings_[*running_].increment_ms);
}

Millis GameClock::left(Color side, Millis steady) const {
    if (running_ != side) return left_[side];
    return std::max<Millis>(0, left_[side] - charged(std::max<Millis>(0, steady - started_)));
}

void GameClock::set(Millis white, Millis black) {
    left_[Color::White] = white;
    left_[Color::Black] = black;
}

void GameClock::start(Color side, Millis steady) {
    running_ = side;
    started_ = steady;
}

void GameClock::stop(Millis steady) {
    if (!running_) return;
    left_[*running_] = left(*running_, steady);
    running_.reset();
}

bool GameClock::press(Millis steady, Millis lag) {
    if (!running_) return true;
    const Color side = *running_;
    const ClockSide& settings = settings_[side];
    const Millis elapsed = std::max<Millis>(0, steady - started_);
    const Millis gain = std::min<Millis>(1000, 150 + estimated_length() / 250);
    const Millis credit = std::clamp<Millis>(std::min(lag, elapsed), 0, lag_quota_[side]);
    const Millis thought = elapsed - credit;
    const Millis after = left_[side] - charged(thought);
    if (after <= 0) return false;
    lag_quota_[side] = std::min(7 * gain, lag_quota_[side] + gain - credit);
    left_[side] = after;
    if (mode_ == ClockMode::Increment) left_[side] += settings.increment_ms;
    if (mode_ == ClockMode::Bronstein) left_[side] += std::min(thought, settings.increment_ms);
    running_.reset();
    return true;
}

std::optional<Millis> GameClock::flag_moment(Millis lag) const {
    if (!running_) return std::nullopt;
    const Millis delay = mode_ == ClockMode::Delay ? settings_[*running_].increment_ms : 0;
    const Millis credit = std::clamp<Millis>(lag, 0, lag_quota_[*running_]);
    return started_ + left_[*running_] + delay + credit;
}

}  // namespace rokada::server
