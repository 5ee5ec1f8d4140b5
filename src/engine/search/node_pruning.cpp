// SPDX-License-Identifier: GPL-3.0-or-later
// Leaving a node without trying its moves: the estimate is so far from the window that a full
// search would hardly change the answer. Only for nodes off the principal variation and not in
// check.
#include <algorithm>

#include "engine/search/parameters.hpp"
#include "engine/search/see.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

namespace {

// Below this the only question left is mate.
constexpr Value kHopeless = 2000;

bool has_pieces(const Position& position, Color side) {
    return position.pieces(side).without(position.pieces(PieceType::Pawn, PieceType::King)).any();
}

}  // namespace

Value Worker::prune_node(Node& node) {
    Frame* const frame = node.frame;
    const Value estimate = node.estimate, beta = node.beta;

    // Hindsight: the move before was searched reduced, but things have become unclear after it.
    if (kUse.hindsight && frame[-1].reduction_1024 >= 3072 && !node.worsening) ++node.depth;
    if (kUse.hindsight && frame[-1].reduction_1024 >= 2048 && node.depth >= 2 &&
        frame[-1].evaluation != kNoValue && frame->evaluation + frame[-1].evaluation > 150)
        --node.depth;
    const Depth depth = node.depth;

    // Razoring: hopeless unless there are captures.
    if (kUse.razoring &&
        estimate < node.alpha - kSearch.razoring_base - kSearch.razoring_slope * depth * depth &&
        !is_decisive(node.alpha))
        return quiescence<NodeKind::Other>(frame, node.alpha, beta);

    // Reverse futility: so good that even giving some of it back fails high. Against a side that is winning anyway and
    // looks for mate that would prove nothing.
    if (kUse.reverse_futility && !frame->was_pv && frame->ply > 1 &&
        depth <= kSearch.futility_node_depth && beta > -kHopeless && !is_decisive(beta) &&
        !is_decisive(estimate) && (!node.table_move || node.table_noisy)) {
        const Value margin = kSearch.futility_node_margin * depth -
                             (node.improving ? kSearch.futility_node_improving : 0) -
                             (node.worsening ? kSearch.futility_node_worsening : 0) +
                             std::abs(node.correction) / 2;
        if (estimate - std::max(margin, 20) >= beta) return (2 * beta + estimate) / 3;
    }

    // The direct answers to a root move are looked at in earnest, zugzwang included.
    if (kUse.null_move && frame->ply > 1)
        if (const Value value = try_null_move(node); value != kNoValue) return value;
    return kUse.probcut ? try_probcut(node) : kNoValue;
}

// If even passing fails high, some real move will (except in zugzwang).
Value Worker::try_null_move(Node& node) {
    Frame* const frame = node.frame;
    const Position& position = node.position();
    const Value beta = node.beta;
    const Depth depth = node.depth;
    if (!node.cut_node || !frame[-1].move || frame->ply < null_move_barrier_ || depth < 2 ||
        beta <= -kHopeless || node.estimate < beta ||
        frame->evaluation <
            beta - kSearch.null_move_margin_slope * depth + kSearch.null_move_margin ||
        !has_pieces(position, position.turn()))
        return kNoValue;

    const Depth reduction = kSearch.null_move_base + depth / kSearch.null_move_divisor +
                            std::clamp((node.estimate - beta) / 200, 0, 3);
    shared_.table.prefetch(position.key_after_pass());
    pass(frame);
    Value value =
        -search_node<NodeKind::Other>(frame + 1, -beta, -beta + 1, depth - reduction, false);
    take_back();
    if (stopped()) return kDraw;
    if (value < beta) return kNoValue;
    if (is_win(value)) value = beta;  // a mate after a pass proves nothing

    if (null_move_barrier_ > 0 || depth < kSearch.null_move_verify_depth) return value;
    // At high depth zugzwang would be dear: verify without null moves for this side's next plies.
    null_move_barrier_ = frame->ply + 3 * (depth - reduction) / 4;
    const Value verified =
        search_node<NodeKind::Other>(frame, beta - 1, beta, depth - reduction, false);
    null_move_barrier_ = 0;
    if (stopped()) return kDraw;
    return verified >= beta ? value : kNoValue;
}

// A good capture whose reduced search beats beta by a margin will most likely beat beta at full
// depth, too.
Value Worker::try_probcut(Node& node) {
    Frame* const frame = node.frame;
    const Position& position = node.position();
    const TableEntry& entry = node.entry;

    // The table alone may know of such a margin.
    const Value far = node.beta + kSearch.small_probcut_margin;
    if (entry.value != kNoValue && has_lower(entry.bound) && entry.depth >= node.depth - 4 &&
        entry.value >= far && !is_decisive(entry.value) && !is_decisive(node.beta))
        return far;

    const Value raised =
        node.beta + kSearch.probcut_margin - (node.improving ? kSearch.probcut_improving : 0);
    const Depth reduced = node.depth - 4;
    if (node.depth < kSearch.probcut_depth || is_decisive(node.beta) ||
        (entry.value != kNoValue && entry.depth >= reduced && entry.value < raised))
        return kNoValue;

    MovePicker picker(position, histories_, shared_.table, node.table_move,
                      raised - frame->evaluation);
    while (const Move move = picker.next()) {
        play(frame, move);
        Value value = -quiescence<NodeKind::Other>(frame + 1, -raised, -raised + 1);
        if (value >= raised && reduced > 0)
            value = -search_node<NodeKind::Other>(frame + 1, -raised, -raised + 1, reduced,
                                                  !node.cut_node);
        take_back();
        if (stopped()) return kDraw;
        if (value < raised) continue;
        TableEntry result;
        result.move = move;
        result.value = value;
        result.evaluation = node.raw_evaluation;
        result.depth = reduced + 1;
        result.bound = TableBound::Lower;
        result.was_pv = frame->was_pv;
        shared_.table.store(position.key(), frame->ply, result);
        return is_decisive(value) ? value : value - (raised - node.beta);
    }
    return kNoValue;
}

}  // namespace rokada::engine
