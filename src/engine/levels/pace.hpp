// SPDX-License-Identifier: GPL-3.0-or-later
// How long a player of a limited level would think: for show only, the move does not depend on it.
// Used by the engine when asked for a human pace, and by whoever plays levels against people.
#pragma once

#include <optional>

#include "chess/position.hpp"
#include "engine/limits.hpp"

namespace rokada::engine {

struct PaceQuestion {
    const Position& position;
    Move last;  // the opponent's, none if unknown
    std::optional<ClockTimes> clock;
    std::uint64_t seed = 0;  // of the game: the same question has the same answer
};

// Follows what people do: quick in the opening and at the end, quick to take back, with a long tail,
// slower the more time there is, never so slow that the clock suffers.
Milliseconds human_pace(const PaceQuestion& question, Move answer);

}  // namespace rokada::engine
