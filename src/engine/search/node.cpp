// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the main search.
#include <algorithm>

#include "engine/search/worker.hpp"

namespace rokada::engine {

template <Worker::NodeKind Kind>
Value Worker::search_node(Frame* frame, Value alpha, Value beta, Depth depth, bool cut_node) {
    constexpr bool kRoot = Kind == NodeKind::Root;
    constexpr bool kPv = Kind != NodeKind::Other;
    constexpr NodeKind kLeaf = kPv ? NodeKind::Pv : NodeKind::Other;
    if (depth <= 0) return quiescence<kLeaf>(frame, alpha, beta);

    const Position& position = frame->position;
    if (kPv) lines_[static_cast<std::size_t>(frame->ply)].clear();
    if (kPv) selective_depth_ = std::max(selective_depth_, frame->ply + 1);
    frame->in_check = position.in_check();
    check_limits();
    if constexpr (!kRoot) {
        if (stopped()) return kDraw;
        if (is_draw(frame)) return draw_value(frame);
        if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : evaluate(frame);
        alpha = std::max(mated_in(frame->ply), alpha);
        beta = std::min(mate_in(frame->ply + 1), beta);
        if (alpha >= beta) return alpha;
    }

    TableEntry entry;
    const bool hit = shared_.table.probe(position.key(), frame->ply, entry);
    Move table_move = kRoot ? root_moves_[static_cast<std::size_t>(rank_)].line[0] : entry.move;
    if (table_move && !position.is_legal(table_move)) table_move = Move();
    if (!kPv && hit && entry.depth >= depth && entry.value != kNoValue &&
        (entry.value >= beta ? has_lower(entry.bound) : has_upper(entry.bound)) &&
        position.halfmove_clock() < 96)
        return entry.value;

    MovePicker picker(position, histories_, continuations(frame), table_move);
    Value best = -kInfinite;
    Move best_move;
    int count = 0;
    Tried quiets, noisy;
    while (const Move move = picker.next()) {
        RootMove* root = nullptr;
        if constexpr (kRoot) {
            const auto first = root_moves_.begin() + rank_;
            const auto found = std::find_if(first, root_moves_.end(),
                                            [&](const RootMove& r) { return r.move == move; });
            if (found == root_moves_.end()) continue;
            root = &*found;
        }
        ++count;
        const std::uint64_t nodes_before = nodes();
        const bool is_quiet = !is_noisy(position, move);
        play(frame, move);
        Value value;
        if (!kPv || count > 1) {
            Depth d = depth - 1;
            if (depth >= 3 && count > 4 && is_quiet && !frame->in_check) d -= 1 + count / 12;
            value = -search_node<NodeKind::Other>(frame + 1, -alpha - 1, -alpha, d, !cut_node);
            if (value > alpha && d < depth - 1)
                value = -search_node<NodeKind::Other>(frame + 1, -alpha - 1, -alpha, depth - 1,
                                                      !cut_node);
        }
        if (kPv && (count == 1 || value > alpha))
            value = -search_node<NodeKind::Pv>(frame + 1, -beta, -alpha, depth - 1, false);
        evaluator_.ascend();
        if (stopped()) return kDraw;

        if constexpr (kRoot) {
            root->nodes += nodes() - nodes_before;
            if (count == 1 || value > alpha) {
                root->score = value;
                root->selective_depth = selective_depth_;
                root->bound = value >= beta    ? Bound::Lower
                              : value <= alpha ? Bound::Upper
                                               : Bound::Exact;
                const Line& rest = lines_[1];
                root->line.assign(1, move);
                root->line.insert(root->line.end(), rest.moves, rest.moves + rest.length);
            } else {
                root->score = -kInfinite;
            }
        }
        if (value > best) {
            best = value;
            if (value > alpha) {
                best_move = move;
                if (kPv && !kRoot)
                    lines_[static_cast<std::size_t>(frame->ply)].set(
                        move, lines_[static_cast<std::size_t>(frame->ply + 1)]);
                if (value >= beta) break;
                alpha = value;
            }
        }
        if (move != best_move) (is_quiet ? quiets : noisy).add(move);
    }
    if (count == 0) return frame->in_check ? mated_in(frame->ply) : draw_value(frame);
    if (best >= beta) learn_from_cutoff(frame, best_move, depth, quiets, noisy);
    TableEntry result;
    result.move = best_move;
    result.value = best;
    result.depth = depth;
    result.was_pv = kPv;
    result.bound = best >= beta       ? TableBound::Lower
                   : kPv && best_move ? TableBound::Exact
                                      : TableBound::Upper;
    if (!kRoot || rank_ == 0) shared_.table.store(position.key(), frame->ply, result);
    return best;
}

template Value Worker::search_node<Worker::NodeKind::Root>(Frame*, Value, Value, Depth, bool);

}  // namespace rokada::engine
