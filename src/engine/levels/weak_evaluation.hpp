// SPDX-License-Identifier: GPL-3.0-or-later
// How a weak player judges a position: material, development, king, pawns, with a personal and consistent error. Frozen
// with the level set; the engine's own evaluation may change without shifting the levels.
#pragma once

#include "chess/position.hpp"
#include "engine/levels/profile.hpp"

namespace rokada::engine {

// True when one side has a bare king and the other a queen or a rook: technique that no level must lack.
bool is_basic_mate(const Position& position);

// Centipawns from the side to move.
int weak_evaluation(const Position& position, const Profile& profile, std::uint64_t seed);

}  // namespace rokada::engine
