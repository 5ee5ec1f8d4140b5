// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of a game as the xboard protocol tells them, and the limits for a search that follow
// from them.
#pragma once

#include "protocol/cecp/command.hpp"

namespace rokada::protocol::cecp {

class GameClock {
  public:
    void new_game();  // the level stays, a depth limit goes
    void set(const Level& level);
    void set(const MoveTime& time);
    void set(const DepthLimit& depth) { depth_ = depth.plies; }
    void set(const ClockLeft& clock) { (clock.own ? own_ : other_) = clock.left; }
    // The clock as it goes on when nobody tells: an own move has taken this long.
    void spend(Milliseconds elapsed, int own_moves);

    engine::Limits limits(Color own_color, int own_moves) const;

  private:
    Level level_{0, Milliseconds(300'000), Milliseconds(0)};
    Milliseconds own_{300'000}, other_{300'000};
    std::optional<Milliseconds> move_time_;
    int depth_ = 0;
};

}  // namespace rokada::protocol::cecp
