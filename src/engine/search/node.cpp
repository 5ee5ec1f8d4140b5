// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the main search: principal variation search in numbered steps. A PV node has an open
// window and an exact value; all others are only asked whether they reach beta. A node expected to
// do so is a cut node, its children are not.
#include <algorithm>

#include "engine/search/parameters.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

// A mate, or a win known from tables, that cannot be completed before the fifty-move rule counts as
// a mere advantage.
static Value within_fifty_moves(Value value, const Frame* frame) {
    const int rest = 100 - frame->position.halfmove_clock();
    // A win known from tables only has to be reached in time; what follows it was counted there.
    const Value best = is_mate(value) ? kMate : kTablebaseWin;
    if (is_win(value) && best - value - frame->ply > rest) return kMaxEvaluation;
    if (is_loss(value) && best + value - frame->ply > rest) return -kMaxEvaluation;
    return value;
}

void Worker::probe_table(Node& node) {
    if (!kUse.table) return;
    const Position& position = node.position();
    node.table_hit = shared_.table.probe(position.key(), node.frame->ply, node.entry);
    if (!node.table_hit) return;
    // Keys collide: whatever comes out of the table is checked before use.
    if (node.entry.move && position.is_legal(node.entry.move)) {
        node.table_move = node.entry.move;
        node.table_noisy = is_noisy(position, node.table_move);
    }
    if (node.entry.value != kNoValue)
        node.entry.value = within_fifty_moves(node.entry.value, node.frame);
    if (node.entry.bound == TableBound::None) node.entry.value = kNoValue;
}

bool Worker::table_cuts(Node& node) {
    const TableEntry& entry = node.entry;
    if (entry.value == kNoValue || entry.depth < node.depth + (entry.value > node.beta))
        return false;
    const bool high = entry.value >= node.beta;
    if (!(high ? has_lower(entry.bound) : has_upper(entry.bound))) return false;
    // A result against expectation deserves a second look while that is cheap.
    if (node.cut_node != high && node.depth <= 5) return false;
    // Near the fifty-move rule the same board is not the same position.
    if (node.position().halfmove_clock() >= 90) return false;
    if (high && node.table_move && !node.table_noisy)
        update_quiet(node.frame, node.table_move,
                     std::min(kSearch.bonus_slope * node.depth, kSearch.bonus_max) / 2);
    return true;
}

// The static evaluation, what the table knows better, and in which direction things move.
void Worker::estimate(Node& node) {
    Frame* const frame = node.frame;
    node.correction = corrections_.correction(frame);
    if (frame->in_check) {
        frame->evaluation = kNoValue;
        node.estimate = kNoValue;
        return;
    }
    if (frame->excluded) {
        node.raw_evaluation = node.estimate = frame->evaluation;
    } else {
        const bool known = node.table_hit && node.entry.evaluation != kNoValue;
        node.raw_evaluation = known ? node.entry.evaluation : evaluate(frame);
        frame->evaluation = node.estimate = corrected(frame, node.raw_evaluation, node.correction);
        if (!node.table_hit) {
            TableEntry entry;
            entry.evaluation = node.raw_evaluation;
            entry.depth = -2;
            entry.was_pv = frame->was_pv;
            shared_.table.store(node.position().key(), frame->ply, entry);
        }
        const Value value = node.entry.value;
        if (kUse.estimates && value != kNoValue && !is_decisive(value) &&
            (value > node.estimate ? has_lower(node.entry.bound) : has_upper(node.entry.bound)))
            node.estimate = value;
    }
    if (!kUse.estimates) return;
    if (frame[-2].evaluation != kNoValue)
        node.improving = frame->evaluation > frame[-2].evaluation;
    else if (frame[-4].evaluation != kNoValue)
        node.improving = frame->evaluation > frame[-4].evaluation;
    else
        node.improving = true;
    node.worsening = frame[-1].evaluation != kNoValue && frame->evaluation > -frame[-1].evaluation;
}

template <Worker::NodeKind Kind>
Value Worker::search_node(Frame* frame, Value alpha, Value beta, Depth depth, bool cut_node) {
    constexpr bool kRoot = Kind == NodeKind::Root;
    constexpr bool kPv = Kind != NodeKind::Other;
    constexpr NodeKind kLeaf = kPv ? NodeKind::Pv : NodeKind::Other;

    // Plain minimax, for measurements only.
    if (!kUse.alpha_beta) alpha = -kInfinite, beta = kInfinite;

    // Step 1. At the horizon the quiescence search takes over.
    if (depth <= 0) return quiescence<kLeaf>(frame, alpha, beta);
    depth = std::min(depth, kMaxPly - 1);

    // Step 2. If an earlier position can be brought back, the score is at least a draw.
    if (!kRoot && kUse.upcoming_repetition && alpha < draw_value(frame) &&
        repetition_ahead(frame)) {
        alpha = draw_value(frame);
        if (alpha >= beta) return alpha;
    }

    const Position& position = frame->position;
    if constexpr (kPv) {
        line_at(frame).clear();
        selective_depth_ = std::max(selective_depth_, frame->ply + 1);
    }
    frame->in_check = position.in_check();
    frame->move_count = 0;
    frame[1].excluded = Move();
    frame[2].cutoffs = 0;
    check_limits();

    if constexpr (!kRoot) {
        // Step 3. Stop, draw, end of the stack.
        if (stopped()) return kDraw;
        if (is_draw(frame)) return draw_value(frame);
        if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : evaluate(frame);

        // Step 4. Mate distance pruning: a shorter mate has been found already.
        if (kUse.mate_distance) {
            alpha = std::max(mated_in(frame->ply), alpha);
            beta = std::min(mate_in(frame->ply + 1), beta);
            if (alpha >= beta) return alpha;
        }
    }

    // Step 5. The transposition table.
    Node node{frame, alpha, beta, depth, kPv, cut_node};
    const Move excluded = frame->excluded;
    probe_table(node);
    if constexpr (kRoot) {
        node.table_move = root_moves_[static_cast<std::size_t>(rank_)].line[0];
        node.table_noisy = is_noisy(position, node.table_move);
    }
    if (!excluded) frame->was_pv = kPv || (node.table_hit && node.entry.was_pv);
    if (!kPv && !excluded && table_cuts(node)) return node.entry.value;

    // Step 6. Tablebases: the value, or a bound of it that the moves must respect.
    Value best = -kInfinite, ceiling = kInfinite;
    if (!kRoot && kUse.tablebases && !excluded && shared_.probe_men > 0) {
        if (const auto known = probe_tablebases(node)) {
            if (tablebase_cuts(node, *known)) return known->value;
            if (kPv && known->bound == TableBound::Lower) {
                best = known->value;
                node.alpha = std::max(node.alpha, best);
            } else if (kPv) {
                ceiling = known->value;
            }
        }
    }

    // Step 7. Static evaluation.
    estimate(node);
    if (!frame->in_check && !excluded) learn_from_evaluation(node);

    // Step 8. Leave the node without trying its moves, if that is safe enough.
    if constexpr (!kPv) {
        if (!frame->in_check && !excluded)
            if (const Value value = prune_node(node); value != kNoValue) return value;
    }

    // Step 9. Internal iterative reduction: without a move to begin with the node is not worth its
    // depth yet.
    if (kUse.internal_reduction && (kPv || cut_node) && node.depth >= 6 && !node.table_move &&
        !excluded)
        --node.depth;

    // Step 10. The moves, one by one.
    node.reduction_1024 = node_reduction_1024(node);
    const Checks checks(position);
    MovePicker picker(position, checks, histories_, continuations(frame), shared_.table,
                      node.table_move);
    Move best_move;
    int count = 0;
    Tried quiets, noisy;
    while (const Move move = picker.next()) {
        if (move == excluded) continue;
        RootMove* root = nullptr;
        if constexpr (kRoot) {
            const auto end = root_moves_.begin() + group_end_;
            const auto found = std::find_if(root_moves_.begin() + rank_, end,
                                            [&](const RootMove& r) { return r.move == move; });
            if (found == end) continue;
            root = &*found;
        }
        frame->move_count = ++count;
        if constexpr (kRoot) report_move(move, count);
        Candidate candidate{move, is_noisy(position, move), checks.given_by(position, move), 0, 0};
        candidate.history = history_of(frame, move, candidate.noisy);
        candidate.reduction_1024 = reduction_1024(node, candidate);

        // Step 11. Skip moves that will hardly matter; not before one is known that does not lose.
        if (!kRoot && !is_loss(best) && prune_move(node, candidate, picker)) continue;

        // Step 12. Extend a move that is the only good one.
        Extension extension;
        if (kUse.singular_extension && !kRoot && move == node.table_move && !excluded &&
            frame->ply < 2 * root_depth_) {
            extension = singular_extension(node);
            if (stopped()) return kDraw;
            if (extension.cut != kNoValue) return extension.cut;
        }

        // Step 13. Make the move and search below it.
        const std::uint64_t nodes_before = nodes();
        frame->history_score = candidate.history;
        play(frame, move);
        const Depth new_depth = node.depth - 1 + extension.plies;
        const Value value = search_child<Kind>(node, candidate, new_depth);
        take_back();
        if (stopped()) return kDraw;

        if constexpr (kRoot) note_root_result(*root, node, value, nodes_before);

        // Step 14. A new best move, perhaps a cutoff.
        if (value > best) {
            best = value;
            if (value > node.alpha) {
                best_move = move;
                if (kPv && !kRoot) line_at(frame).set(move, line_at(frame + 1));
                if (value >= beta) {
                    frame->cutoffs += extension.plies < 2;
                    break;
                }
                node.alpha = value;
                // The rest has to beat a good move already.
                if (node.depth > 2 && node.depth < 14 && !is_decisive(value)) --node.depth;
            }
        }
        if (move != best_move) (candidate.noisy ? noisy : quiets).add(move);
    }

    // Step 15. Mate or stalemate; inside a singular search merely no other move.
    if (count == 0) {
        if (excluded) return alpha;
        return frame->in_check ? mated_in(frame->ply) : draw_value(frame);
    }
    best = std::min(best, ceiling);
    // A cutoff far above beta is trusted less the shallower it is.
    if (best >= beta && !is_decisive(best) && !is_decisive(beta))
        best = (best * depth + beta) / (depth + 1);

    // Step 16. Learn, and remember.
    node.alpha = alpha;
    if (best_move)
        learn_from_best(node, best_move, quiets, noisy);
    else
        learn_from_fail_low(node);
    if (!best_move && frame[-1].was_pv) frame->was_pv = true;
    if (!excluded && !(kRoot && rank_ > 0)) store(node, best, best_move);
    return best;
}

// Step 13 in detail: a reduced search first; what surprises is searched again, deeper and with an
// open window.
template <Worker::NodeKind Kind>
Value Worker::search_child(const Node& node, const Candidate& candidate, Depth new_depth) {
    constexpr bool kPv = Kind != NodeKind::Other;
    Frame* const frame = node.frame;
    Frame* const child = frame + 1;
    const int count = frame->move_count;
    const Value alpha = node.alpha;
    Value value = -kInfinite;

    if (kUse.late_move_reductions && node.depth >= 2 && count > 1) {
        int reduction = candidate.reduction_1024;
        if (candidate.gives_check) reduction -= kSearch.reduction_check_1024;
        if (child->cutoffs > 2) reduction += kSearch.reduction_cutoffs_1024;
        const Depth reduced =
            std::max(1, std::min(new_depth - reduction / 1024, new_depth + (kPv ? 1 : 0)));
        frame->reduction_1024 = (new_depth - reduced) * 1024;
        value = -search_node<NodeKind::Other>(child, -alpha - 1, -alpha, reduced, true);
        frame->reduction_1024 = 0;
        if (value > alpha && reduced < new_depth) {
            // How far it surprises decides how deep the second search goes.
            const bool deeper =
                kUse.second_search && value > alpha + kSearch.deeper_margin + 2 * new_depth;
            const bool shallower = kUse.second_search && value < alpha + kSearch.shallower_margin;
            const Depth second = new_depth + deeper - shallower;
            if (second > reduced)
                value = -search_node<NodeKind::Other>(child, -alpha - 1, -alpha, second,
                                                      !node.cut_node);
            if (!candidate.noisy)
                update_continuations(
                    frame, node.position().at(candidate.move.from()), candidate.move.to(),
                    value <= alpha ? -kSearch.malus_max / 2 : kSearch.bonus_max / 2);
        }
    } else if (!kPv || count > 1) {
        value = -search_node<NodeKind::Other>(child, -alpha - 1, -alpha, new_depth, !node.cut_node);
    }
    if (kPv && (count == 1 || value > alpha))
        value = -search_node<NodeKind::Pv>(child, -node.beta, -alpha, new_depth, false);
    return value;
}

void Worker::note_root_result(RootMove& root, const Node& node, Value value,
                              std::uint64_t nodes_before) {
    root.nodes += nodes() - nodes_before;
    if (node.frame->move_count > 1 && value <= node.alpha) {
        // Only known to be no better; its place in the list stays as it was.
        root.score = -kInfinite;
        return;
    }
    root.score = value;
    root.selective_depth = selective_depth_;
    root.bound = value >= node.beta    ? Bound::Lower
                 : value <= node.alpha ? Bound::Upper
                                       : Bound::Exact;
    const Line& rest = lines_[1];
    root.line.assign(1, root.move);
    root.line.insert(root.line.end(), rest.moves, rest.moves + rest.length);
}

void Worker::store(const Node& node, Value best, Move best_move) {
    Frame* const frame = node.frame;
    TableEntry entry;
    entry.move = best_move;
    entry.value = best;
    entry.evaluation = node.raw_evaluation;
    entry.depth = node.depth;
    entry.was_pv = frame->was_pv;
    entry.bound = best >= node.beta      ? TableBound::Lower
                  : node.pv && best_move ? TableBound::Exact
                                         : TableBound::Upper;
    shared_.table.store(node.position().key(), frame->ply, entry);

    // The evaluation was wrong if the search disagrees in a way that its bound proves, and not
    // because of a capture.
    if (frame->in_check || (best_move && is_noisy(node.position(), best_move))) return;
    if (best > frame->evaluation ? !best_move : best >= node.beta) return;
    corrections_.learn(frame, best - frame->evaluation, node.depth);
}

template Value Worker::search_node<Worker::NodeKind::Root>(Frame*, Value, Value, Depth, bool);
template Value Worker::search_node<Worker::NodeKind::Pv>(Frame*, Value, Value, Depth, bool);
template Value Worker::search_node<Worker::NodeKind::Other>(Frame*, Value, Value, Depth, bool);

}  // namespace rokada::engine
