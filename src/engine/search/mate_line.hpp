// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever claims a mate shows it: lines of mates that broke off are completed from the table or by proof. Used when a
// search reports.
#pragma once

#include <vector>

#include "chess/position.hpp"
#include "engine/search/transposition_table.hpp"

namespace rokada::engine {

// Makes the line as long as the score says, ending in checkmate. False if it cannot be done; the line is as it was then.
bool complete_mate_line(const Position& root, Value score, const TranspositionTable& table,
                        std::vector<Move>& line);

}  // namespace rokada::engine
