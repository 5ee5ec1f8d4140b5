// SPDX-License-Identifier: GPL-3.0-or-later
// The search's only view of evaluation. One evaluator per worker; it is told of every move made and
// taken back, so that an evaluation with state of its own (a network's accumulators) can follow
// along the search stack.
#pragma once

#include "chess/position.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

class Evaluator {
  public:
    // Begins at a new root.
    void reset(const Position&) {}
    // One step down the tree (a pass has no move), and back up again.
    void descend(const Position& /*before*/, Move, const Position& /*after*/) {}
    void ascend() {}

    // How good the position is for the side to move, which must not be in check.
    Value evaluate(const Position& position);
};

}  // namespace rokada::engine
