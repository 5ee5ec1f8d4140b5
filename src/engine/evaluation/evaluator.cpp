// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluator.hpp"

#include "engine/evaluation/endgame.hpp"

namespace rokada::engine {

namespace {

// In 1024ths; all pieces on the board count 62.
constexpr int kBaseScale = 800, kPieceScale = 4;

}  // namespace

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
    if (const auto special = special_endgame(position))
        return position.turn() == Color::White ? *special : -*special;
    // The fewer pieces are left, and the longer nothing has happened, the less an advantage is worth.
    const int material = 3 * position.pieces(PieceType::Knight, PieceType::Bishop).count() +
                         5 * position.pieces(PieceType::Rook).count() +
                         9 * position.pieces(PieceType::Queen).count();
    std::int64_t value = accumulators_->evaluate(position);
    value = value * (kBaseScale + kPieceScale * material) / 1024;
    value = value * (200 - position.halfmove_clock()) / 200;
    return clamp_evaluation(static_cast<Value>(value));
}

}  // namespace rokada::engine
