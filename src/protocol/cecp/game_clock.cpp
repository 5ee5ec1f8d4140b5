// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/cecp/game_clock.hpp"

#include <algorithm>

namespace rokada::protocol::cecp {

void GameClock::new_game() {
    own_ = other_ = level_.base;
    depth_ = 0;
}

void GameClock::set(const Level& level) {
    level_ = level;
    own_ = other_ = level.base;
    move_time_.reset();
}

void GameClock::set(const MoveTime& time) { move_time_ = time.time; }

void GameClock::spend(Milliseconds elapsed, int own_moves) {
    own_ = std::max(own_ - elapsed, Milliseconds(0)) + level_.increment;
    if (level_.moves > 0 && own_moves % level_.moves == 0) own_ += level_.base;
}

engine::Limits GameClock::limits(Color own_color, int own_moves) const {
    engine::Limits limits;
    if (depth_ > 0) limits.depth = depth_;
    if (move_time_) {
        limits.move_time = *move_time_;
        return limits;
    }
    engine::ClockTimes times;
    times.left[own_color] = own_;
    times.left[~own_color] = other_;
    for (Milliseconds& increment : times.increment) increment = level_.increment;
    if (level_.moves > 0) times.moves_to_go = level_.moves - own_moves % level_.moves;
    limits.clock = times;
    return limits;
}

}  // namespace rokada::protocol::cecp
