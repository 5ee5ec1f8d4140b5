// SPDX-License-Identifier: GPL-3.0-or-later
// How a weak player judges a position: material, development, king, pawns, with a personal and consistent error. Frozen
// with the level set; the engine's own evaluation may change without shifting the levels.
#pragma once

#include "chess/position.hpp"
#include "engine/levels/profile.hpp"

namespace rokada::engine {

// One side has a bare king and the other men that force mate: a queen or a rook and perhaps more, two bishops, or a bishop
// and a knight.
enum class BasicMate : std::uint8_t { None, Major, Bishops, BishopAndKnight };
BasicMate basic_mate(const Position& position);

// Centipawns from the side to move.
int weak_evaluation(const Position& position, const Profile& profile, std::uint64_t seed);

}  // namespace rokada::engine
