// SPDX-License-Identifier: GPL-3.0-or-later
// Why a written move cannot be played, in one English sentence with the place in the text. Only the error
// path of the readers of SAN and long algebraic comes here, so nothing needs to be fast.
#pragma once

#include <string_view>

#include "chess/illegal.hpp"
#include "chess/notation/move_text.hpp"
#include "chess/notation/parse_error.hpp"

namespace rokada {

// "the knight on f3 is pinned by the bishop on h5"
std::string describe(const Position& position, const IllegalMove& illegal);
ParseError explain_unplayable(const Position& position, std::string_view text,
                              const MoveText& written);

}  // namespace rokada
