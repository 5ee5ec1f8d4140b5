// SPDX-License-Identifier: GPL-3.0-or-later
// When nobody, or one side, can never give mate. Both answers are safe: a position with any
// mating sequence, however helpful the loser, is never called dead.
#pragma once

#include "chess/position.hpp"

namespace rokada {

// Neither side can mate by any sequence, by the pieces alone: K v K, K+B v K, K+N v K, and bishops of one
// square colour only. K+N+N v K plays on, as FIDE has it.
bool insufficient_material(const Position& position);

// Whether `side` could still mate if the opponent helped: decides what a fallen flag means.
bool can_ever_mate(const Position& position, Color side);

}  // namespace rokada
