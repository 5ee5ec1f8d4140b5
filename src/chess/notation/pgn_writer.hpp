// SPDX-License-Identifier: GPL-3.0-or-later
// Writes games in the export format of the PGN standard: the seven tags first, moves in SAN, lines of at most
// 80 columns. What is written reads back as the same game.
#pragma once

#include <string>

#include "chess/notation/pgn_game.hpp"

namespace rokada {

struct PgnStyle {
    std::size_t columns = 80;  // a line is shorter than this unless one word is longer; 0: one line
    bool comments = true;      // plain text
    bool commands = true;      // [%clk] and the like
    bool nags = true;
    bool variations = true;
};

std::string to_pgn(const PgnGame& game, const PgnStyle& style = {});
void append_pgn(std::string& out, const PgnGame& game, const PgnStyle& style = {});

}  // namespace rokada
