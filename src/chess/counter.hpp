// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the leaves of the tree of legal moves without ever writing a move down. Shares no code with
// the ordinary generator but the attack tables, so that each of the two checks the other.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace rokada {

std::uint64_t count_leaves(const Position& position, int depth);

}  // namespace rokada
