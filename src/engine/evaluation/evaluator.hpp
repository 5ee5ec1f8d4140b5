// SPDX-License-Identifier: GPL-3.0-or-later
// The search's only view of evaluation. One evaluator per worker; it is told of every move made and
// taken back, so that an evaluation with state of its own (a network's accumulators) can follow
// along the search stack.
#pragma once

#include <memory>
#include <optional>

#include "chess/position.hpp"
#include "engine/evaluation/classical.hpp"
#include "engine/network/accumulator.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

class Evaluator {
  public:
    // Begins at a new root, with this network or, if there is none, with the classical evaluation.
    void reset(const Position& root, const std::shared_ptr<const Network>& network);
    // One step down the tree (a pass has no move), and back up again.
    void descend(const Position& before, Move move) {
        if (!network_) return;
        if (move)
            accumulators_->push(before, move);
        else
            accumulators_->push_null();
    }
    void ascend() {
        if (network_) accumulators_->pop();
    }

    // Asks memory for what evaluate() will read there.
    void prefetch(const Position& position) {
        if (!network_) __builtin_prefetch(&pawns_.slot(position.pawn_key()));
    }
    // How good the position is for the side to move, which must not be in check.
    Value evaluate(const Position& position);

  private:
    std::shared_ptr<const Network> network_;
    std::optional<AccumulatorStack> accumulators_;
    PawnTable pawns_;
};

}  // namespace rokada::engine
