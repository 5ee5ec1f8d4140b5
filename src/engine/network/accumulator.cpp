// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/accumulator.hpp"

#include "engine/network/kernels.hpp"

namespace rokada::engine {

namespace {

constexpr std::size_t kFirstSize = 64;

bool crosses_middle(Square from, Square to) {
    return (file_of(from) >= File::E) != (file_of(to) >= File::E);
}

}  // namespace

AccumulatorStack::AccumulatorStack(std::shared_ptr<const Network> network)
    : network_(std::move(network)), entries_(kFirstSize) {
    // An empty board is remembered for every view, so that the first refresh adds all men.
    for (auto& views : remembered_)
        for (Remembered& r : views) r.sums = network_->biases();
}

void AccumulatorStack::reset(const Position& position) {
    top_ = 0;
    for (const Color side : kColors) refresh(position, side);
}

void AccumulatorStack::push(const Position& before, Move move) {
    if (++top_ == entries_.size()) entries_.resize(2 * entries_.size());
    Entry& entry = entries_[top_];
    const Color us = before.turn();
    const Square from = move.from(), to = move.to();
    const Piece moving = before.at(from);
    entry.known = {};
    entry.turned = {};
    entry.removed[0] = {moving, from};
    entry.additions = entry.removals = 1;
    if (move.is_castling()) {
        const Square king_to = castled_king(us, move.castling_side());
        entry.added[0] = {moving, king_to};
        entry.removed[1] = {before.at(to), to};
        entry.added[1] = {before.at(to), castled_rook(us, move.castling_side())};
        entry.additions = entry.removals = 2;
        entry.turned[us] = crosses_middle(from, king_to);
        return;
    }
    entry.added[0] = {move.is_promotion() ? make_piece(us, move.promoted()) : moving, to};
    if (const Piece taken = before.captured(move); taken != Piece::None) {
        entry.removed[1] = {taken, move.is_en_passant() ? to - forward(us) : to};
        entry.removals = 2;
    }
    if (type_of(moving) == PieceType::King) entry.turned[us] = crosses_middle(from, to);
}

void AccumulatorStack::push_null() {
    if (++top_ == entries_.size()) entries_.resize(2 * entries_.size());
    Entry& entry = entries_[top_];
    entry.additions = entry.removals = 0;
    entry.known = {};
    entry.turned = {};
}

int AccumulatorStack::evaluate(const Position& position) {
    for (const Color side : kColors) bring_up_to_date(position, side);
    const Entry& entry = entries_[top_];
    return network_->evaluate(entry.sums[position.turn()], entry.sums[~position.turn()],
                              position.occupied().count());
}

void AccumulatorStack::bring_up_to_date(const Position& position, Color side) {
    std::size_t known = top_;
    while (!entries_[known].known[side]) {
        if (entries_[known].turned[side]) return refresh(position, side);
        --known;
    }
    const View view(side, position.king(side));
    for (; known < top_; ++known) apply(entries_[known], entries_[known + 1], side, view);
}

void AccumulatorStack::apply(const Entry& from, Entry& to, Color side, View view) const {
    const auto row = [&](Man man) {
        return network_->weights(view.feature(man.piece, man.square)).values;
    };
    const std::int16_t* old = from.sums[side].values;
    std::int16_t* sums = to.sums[side].values;
    to.known[side] = true;
    if (to.removals == 0) {
        to.sums[side] = from.sums[side];
        return;
    }
    const std::int16_t* plus = row(to.added[0]);
    const std::int16_t* minus = row(to.removed[0]);
    if (to.additions == 1 && to.removals == 1) return simd::move_one(sums, old, plus, minus);
    const std::int16_t* minus2 = row(to.removed[1]);
    if (to.additions == 1) return simd::move_and_take(sums, old, plus, minus, minus2);
    simd::move_two(sums, old, plus, row(to.added[1]), minus, minus2);
}

void AccumulatorStack::refresh(const Position& position, Color side) {
    const View view(side, position.king(side));
    Remembered& memory = remembered_[side][view.mirrored() ? 1 : 0];
    for (const Color c : kColors) {
        for (const PieceType t : kPieceTypes) {
            const Bitboard now = position.pieces(c, t);
            const Bitboard then = memory.colors[c] & memory.types[t];
            const Piece piece = make_piece(c, t);
            for (const Square s : now.without(then))
                simd::add_row(memory.sums.values, network_->weights(view.feature(piece, s)).values);
            for (const Square s : then.without(now))
                simd::subtract_row(memory.sums.values,
                                   network_->weights(view.feature(piece, s)).values);
        }
    }
    for (const PieceType t : kPieceTypes) memory.types[t] = position.pieces(t);
    for (const Color c : kColors) memory.colors[c] = position.pieces(c);
    entries_[top_].sums[side] = memory.sums;
    entries_[top_].known[side] = true;
}

int AccumulatorStack::evaluate_from_scratch(const Network& network, const Position& position) {
    PerColor<HiddenLayer> sums;
    for (const Color side : kColors) {
        const View view(side, position.king(side));
        sums[side] = network.biases();
        for (const Square s : position.occupied())
            simd::add_row(sums[side].values,
                          network.weights(view.feature(position.at(s), s)).values);
    }
    return network.evaluate(sums[position.turn()], sums[~position.turn()],
                            position.occupied().count());
}

}  // namespace rokada::engine
