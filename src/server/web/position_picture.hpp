// SPDX-License-Identifier: GPL-3.0-or-later
// A position as a picture file, for the previews of shared links: programs that show them run no script and read no SVG. Needs no
// library and no screen; takes a few milliseconds.
#pragma once

#include <string>

#include "chess/move.hpp"
#include "chess/position.hpp"

namespace rokada::server {

inline constexpr int kPictureSize = 480;  // pixels, both ways

// The bytes of a PNG, White below, the squares of the last move (if any) marked.
std::string position_picture(const Position& position, Move last);

}  // namespace rokada::server
