// SPDX-License-Identifier: GPL-3.0-or-later
// Training games from bytes that are no file (game_file.hpp has the format). Used for files and for games that travel.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/training/game_file.hpp"

namespace rokada::lab {

// What the first four bytes of a game say. `wrong` is what no game can be, or empty.
struct GameHeader {
    std::size_t plies = 0, opening = 0;
    int result = 0;
    std::string_view wrong() const;
    std::size_t scores() const { return plies - opening; }
    std::size_t size() const { return 4 + 2 * (plies + scores()); }  // in bytes, this included
};
// None if these bytes are fewer than four.
std::optional<GameHeader> read_game_header(std::span<const unsigned char> bytes);

// Any bytes; calls back game by game. The text is empty if all went well, else it says what is wrong and where; `name` is said first.
std::string parse_training_games(const std::string& name, const std::vector<unsigned char>& bytes,
                                 const std::function<void(const TrainingGame&)>& on_game);

}  // namespace rokada::lab
