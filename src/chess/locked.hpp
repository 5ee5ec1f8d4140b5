// SPDX-License-Identifier: GPL-3.0-or-later
// Positions so locked, usually by pawns, that one side can never even give check. Used where a flag falls.
#pragma once

#include "chess/position.hpp"

namespace rokada {

// False only if no sequence of legal moves, however helpful both sides are, ever lets `side` give check.
// True may be wrong: the question is answered for every piece alone, as if the others did not matter.
bool may_ever_check(const Position& position, Color side);

}  // namespace rokada
