// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluator.hpp"

#include "engine/evaluation/tapered.hpp"

namespace rokada::engine {

namespace {
constexpr std::array<Tapered, 6> kMaterial{Tapered{82, 100}, {325, 300}, {345, 320},
                                           {470, 540},       {980, 970}, {0, 0}};
constexpr PerPieceType<int> kPhase{{0, 1, 1, 2, 4, 0}};

Tapered placement(PieceType t, Square s) {
    const int f = index(file_of(s)), r = index(rank_of(s));
    const int centre_file = f < 4 ? f : 7 - f, centre_rank = r < 4 ? r : 7 - r;
    const int centre = centre_file + centre_rank;
    switch (t) {
        case PieceType::Pawn:
            return {centre_file * 3 * (r == 3 || r == 4) + r * 2 - 4, r * r * 2 - 8};
        case PieceType::Knight:
            return {centre * 9 - 30, centre * 7 - 24};
        case PieceType::Bishop:
            return {centre * 5 - 16 - (r == 0) * 8, centre * 4 - 12};
        case PieceType::Rook:
            return {centre_file * 3 - 5 + (r == 6) * 15, r * 2};
        case PieceType::Queen:
            return {centre * 2 - 6, centre * 6 - 18};
        case PieceType::King:
            return {(r == 0 ? 20 : -20 * r) + (centre_file < 3 ? 15 : -10), centre * 11 - 36};
        default:
            return {};
    }
}
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
    if (!network_) return evaluate_classically(position);
    return clamp_evaluation(accumulators_->evaluate(position));
}

Value evaluate_classically(const Position& position) {
    Tapered sum;
    int phase = 0;
    for (const Square s : position.occupied()) {
        const Piece p = position.at(s);
        const PieceType t = type_of(p);
        const Tapered v =
            kMaterial[static_cast<std::size_t>(t)] + placement(t, relative(color_of(p), s));
        sum += color_of(p) == Color::White ? v : -v;
        phase += kPhase[t];
    }
    phase = phase > 24 ? 24 : phase;
    const Value v = (sum.middlegame() * phase + sum.endgame() * (24 - phase)) / 24;
    return clamp_evaluation((position.turn() == Color::White ? v : -v) + 12);
}

}  // namespace rokada::engine
