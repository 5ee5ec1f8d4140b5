// SPDX-License-Identifier: GPL-3.0-or-later
// What the general terms do not know about endings: positions with an exact verdict, lone kings to
// be mated, and advantages that cannot be won.
#pragma once

#include <optional>

#include "chess/position.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

inline constexpr int kFullScale = 64;

// The value for White of an ending that has an evaluation of its own; none for all others.
std::optional<Value> special_endgame(const Position& position);

// How much of an endgame advantage of the stronger side can be realised, from 0 (drawn) to
// kFullScale.
int endgame_scale(const Position& position, Color strong, Bitboard passed_pawns);

// The material of pieces, without pawns, as endings count it.
int piece_material(const Position& position, Color side);

}  // namespace rokada::engine
