// SPDX-License-Identifier: GPL-3.0-or-later
// The chess clock of one game: pure arithmetic on given moments. It runs from the third ply on (each
// side's first move is free), knows increment, delay and Bronstein delay, and gives back network
// lag from a quota that the player cannot influence.
#pragma once

#include <optional>

#include "chess/types.hpp"
#include "server/store/records.hpp"

namespace rokada::server {

class GameClock {
  public:
    GameClock() = default;  // no clock
    GameClock(ClockMode mode, ClockSide white, ClockSide black);

    bool exists() const { return mode_ != ClockMode::None; }
    // What was left when the side to move began to think.
    Millis stored(Color side) const { return left_[side]; }
    // What is left at this moment; never negative.
    Millis left(Color side, Millis steady) const;
    std::optional<Color> running() const { return running_; }
    Millis started() const { return started_; }

    void set(Millis white, Millis black);
    void start(Color side, Millis steady);  // the other one stands still
    void stop(Millis steady);               // keeps what is left
    void halt() { running_.reset(); }       // as stored: the time since the start is not counted

    // The side that runs has moved. False: the flag had fallen before. `lag` is what the server
    // measured; the part of it within the quota is not charged.
    bool press(Millis steady, Millis lag);
    // The moment the flag of the running side falls, with the lag it may still be given.
    std::optional<Millis> flag_moment(Millis lag) const;
    void add(Color side, Millis time) { left_[side] += time; }

    // Length of the game as commonly estimated: initial time plus forty increments.
    Millis estimated_length() const;

  private:
    Millis charged(Millis elapsed) const;

    ClockMode mode_ = ClockMode::None;
    PerColor<ClockSide> settings_{};
    PerColor<Millis> left_{};
    PerColor<Millis> lag_quota_{};
    std::optional<Color> running_;
    Millis started_ = 0;
};

}  // namespace rokada::server
