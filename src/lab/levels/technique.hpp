// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a level wins the endings every player of its strength wins: from random positions, within fifty moves.
#pragma once

#include <string_view>
#include <vector>

#include "lab/levels/level_player.hpp"

namespace rokada::lab {

struct Ending {
    std::string_view name;
    std::vector<PieceType> men;  // beside White's king, against the bare king
};

const std::vector<Ending>& basic_endings();

// A legal position of this ending with White to move; the same number gives the same position. Bishops stand on both colours.
Position ending_position(const Ending& ending, std::uint64_t number);

// White is the level, Black the judge.
bool wins_ending(LevelPlayer& player, Judge& defender, const Position& start, std::uint64_t seed);

}  // namespace rokada::lab
