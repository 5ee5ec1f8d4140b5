// SPDX-License-Identifier: GPL-3.0-or-later
// Training games from bytes that are no file (game_file.hpp has the format). Used for files and for games that travel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/training/game_file.hpp"

namespace rokada::lab {

// Any bytes; calls back game by game. The text is empty if all went well, else it says what is wrong and where; `name` is said first.
std::string parse_training_games(const std::string& name, const std::vector<unsigned char>& bytes,
                                 const std::function<void(const TrainingGame&)>& on_game);

}  // namespace rokada::lab
