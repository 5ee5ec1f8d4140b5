// SPDX-License-Identifier: GPL-3.0-or-later
// Where a game's middlegame and endgame begin.
#pragma once

#include <optional>

#include "chess/game.hpp"
#include "review/review.hpp"

namespace rokada::review {

struct Phases {
    std::optional<std::size_t> middlegame, endgame;  // plies

    Phase at(std::size_t plies) const;
};

// The endgame begins with at most six pieces other than pawns and kings; the middlegame with at most ten, or when either side has fewer than four
// men left on its first rank. Phases never go back.
Phases find_phases(const Game& game);

}  // namespace rokada::review
