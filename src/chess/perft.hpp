// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the leaves of the tree of legal moves: the classic proof that a move generator is right.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "chess/position.hpp"

namespace rokada {

// Uses the ordinary move lists; the last ply is counted, not played.
std::uint64_t perft(const Position& position, int depth);
// The count below each legal move.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth);

}  // namespace rokada
