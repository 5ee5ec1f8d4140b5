// SPDX-License-Identifier: GPL-3.0-or-later
// How long an engine may think: `2+0.02`, `40/60`, `1:30+1`, a fixed time, depth or number of nodes
// per move; and the clock that measures it, to the nanosecond, without mercy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chess/result.hpp"
#include "protocol/driver/driver.hpp"

namespace rokada::lab {

using protocol::GameTerms;

// "[moves/]base[+increment]" in seconds or minutes:seconds; "inf" for no clock.
Result<GameTerms, std::string> parse_time_control(std::string_view text);
// As the PGN tag TimeControl has it: "40/60+0.5", "2+0.02", "?" without a clock.
std::string to_text(const GameTerms& terms);
// What limits a move besides the clock, in the words of an engine's specification: "depth=8 nodes=5000".
std::string move_limits(const GameTerms& terms);

class Clock {
  public:
    explicit Clock(const GameTerms& terms);

    // What is left for the coming move; nothing without a limit of time.
    std::optional<std::chrono::nanoseconds> left() const;
    std::optional<int> moves_to_go() const;
    // The flag falls when a move takes longer than what is left and the margin.
    bool fallen(std::chrono::nanoseconds elapsed, std::chrono::nanoseconds margin) const;
    // Takes the time of a move and adds what the control gives.
    void spend(std::chrono::nanoseconds elapsed);

  private:
    GameTerms terms_;
    std::chrono::nanoseconds left_{0};
    int moves_made_ = 0;
};

}  // namespace rokada::lab
