// SPDX-License-Identifier: GPL-3.0-or-later
// A perft that can be broken off, for people who asked for more than they want to wait for.
#pragma once

#include <atomic>

#include "chess/movegen.hpp"
#include "chess/perft.hpp"

namespace rokada::protocol {

// Looks every few milliseconds whether it should stop.
inline std::uint64_t perft_until(const Position& position, int depth,
                                 const std::atomic<bool>& stopped) {
    if (depth <= 4) return perft(position, depth);
    std::uint64_t count = 0;
    for (const Move move : legal_moves(position)) {
        if (stopped) break;
        Position next = position;
        next.play(move);
        count += perft_until(next, depth - 1, stopped);
    }
    return count;
}

}  // namespace rokada::protocol
