// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings by position, with their codes of the Encyclopaedia of Chess Openings. Transpositions find
// the same name. Used by PGN writing, the site and review.
#pragma once

#include <optional>
#include <string>

#include "chess/game.hpp"

namespace rokada {

struct Opening {
    std::string code;  // "B90"
    std::string name;  // "Sicilian Defense: Najdorf Variation"

    friend bool operator==(const Opening& a, const Opening& b) {
        return a.code == b.code && a.name == b.name;
    }
};

// The opening that has exactly this position.
std::optional<Opening> find_opening(const Position& position);
// The opening a game went through: that of its last position with a name. None for games that do not begin
// at the usual start.
std::optional<Opening> find_opening(const Game& game);
// The number of positions with a name.
std::size_t named_positions();

}  // namespace rokada
