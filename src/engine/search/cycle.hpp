// SPDX-License-Identifier: GPL-3.0-or-later
// Upcoming repetition: could the side to move bring back an earlier position with one move?
// Answered without generating moves, from a table of all reversible moves by the change they make
// to the key (Marcel van Kervinck's method).
#pragma once

#include "chess/position.hpp"

namespace rokada::engine {

// `keys` points to the key of the position, earlier ones lie before it. Only positions up to
// `reach` plies back count.
bool can_repeat(const Position& position, const Key* keys, int reach);

}  // namespace rokada::engine
