// SPDX-License-Identifier: GPL-3.0-or-later
// King and pawn against king, exactly: a table of all positions, computed once when it is first
// needed.
#pragma once

#include "chess/types.hpp"

namespace rokada::engine {

// Whether the side with the pawn wins. The squares must form a legal position; any colour may have
// the pawn.
bool kpk_is_won(Color strong, Square strong_king, Square pawn, Square weak_king, Color turn);

// Computes the table now (some milliseconds), so that no search has to wait for it.
void prepare_kpk();

}  // namespace rokada::engine
