// SPDX-License-Identifier: GPL-3.0-or-later
// How long a search may take. Nothing set means: until stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.hpp"
#include "chess/types.hpp"

namespace rokada::engine {

using Milliseconds = std::chrono::milliseconds;

struct ClockTimes {
    PerColor<Milliseconds> left{};
    PerColor<Milliseconds> increment{};
    std::optional<int> moves_to_go;  // until the next time control
};

struct Limits {
    std::optional<ClockTimes> clock;
    std::optional<Milliseconds> move_time;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> soft_nodes;  // no further iteration once so many are searched
    std::optional<int> mate;                  // look for a mate in this many moves
    bool infinite = false;
    bool ponder = false;             // think on the opponent's time until ponder_hit
    std::vector<Move> search_moves;  // only these at the root, if any
};

}  // namespace rokada::engine
