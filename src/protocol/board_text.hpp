// SPDX-License-Identifier: GPL-3.0-or-later
// A board drawn with characters, for terminals and logs.
#pragma once

#include <string>

#include "chess/position.hpp"

namespace rokada::protocol {

struct BoardStyle {
    bool unicode = false;  // chess symbols instead of letters
    bool colors = false;   // ANSI backgrounds
    bool flipped = false;  // Black below
    Move last;             // marked when there are colours
};

// Ten lines, each ended by a line break.
std::string draw_board(const Position& position, const BoardStyle& style = {});

}  // namespace rokada::protocol
