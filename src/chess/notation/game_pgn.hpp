// SPDX-License-Identifier: GPL-3.0-or-later
// Between games as they are played and games as PGN writes them: moves, clock times, result and how it came
// about (the tag Termination). Used by server, bot, lab and terminal to store and load games.
#pragma once

#include <string>

#include "chess/game.hpp"
#include "chess/notation/pgn_game.hpp"
#include "chess/result.hpp"

namespace rokada {

// Clock times become [%clk], the reason of the end the tag Termination. Other tags are left to the caller.
PgnGame to_pgn_game(const Game& game);

// The main line, played under the rule given. The result of the file ends the game where the board does not;
// the error says why the moves or the result cannot be.
Result<Game, std::string> to_game(const PgnGame& pgn, DrawRule rule = DrawRule::Claim);

}  // namespace rokada
