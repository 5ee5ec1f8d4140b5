// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluator.hpp"

namespace rokada::engine {

void Evaluator::reset(const Position& root, const std::shared_ptr<const Network>& network) {
    if (network != network_) {
        network_ = network;
        accumulators_.reset();
        if (network_) accumulators_.emplace(network_);
    }
    if (network_) accumulators_->reset(root);
}

Value Evaluator::evaluate(const Position& position) {
    if (!network_) return evaluate_classical(position, pawns_);
    return clamp_evaluation(accumulators_->evaluate(position));
}

}  // namespace rokada::engine
