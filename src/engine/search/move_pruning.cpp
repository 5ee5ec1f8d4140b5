// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a single move: skipped, reduced, or extended.
#include <algorithm>

#include "engine/search/logarithm.hpp"
#include "engine/search/parameters.hpp"
#include "engine/search/see.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

int Worker::history_of(const Frame* frame, Move move, bool noisy) const {
    const Position& position = frame->position;
    const std::size_t where = piece_to(position.at(move.from()), move.to());
    if (noisy)
        return histories_
            .capture[where][static_cast<std::size_t>(index(type_of(position.captured(move))))];
    return histories_.butterfly[position.turn()][from_to(move)] + (*frame[-1].continuation)[where] +
           (*frame[-2].continuation)[where];
}

// What is the same for all moves of a node.
int Worker::node_reduction_1024(const Node& node) const {
    int r = kSearch.reduction_base_1024;
    if (!node.improving) r += kSearch.reduction_not_improving_1024;
    if (node.cut_node)
        r += kSearch.reduction_cut_node_1024 +
             (node.table_move ? 0 : kSearch.reduction_no_table_move_1024);
    if (node.pv) r -= kSearch.reduction_pv_node_1024;
    return r - std::abs(node.correction) * kSearch.reduction_correction;
}

// The later a move comes and the deeper the search still is, the more it is reduced; then what else
// is known.
int Worker::reduction_1024(const Node& node, const Candidate& candidate) const {
    const Frame* const frame = node.frame;
    const auto depth_log = kLog2[static_cast<std::size_t>(std::min(node.depth, 255))];
    const auto count_log = kLog2[static_cast<std::size_t>(std::min(frame->move_count, 255))];
    int r = node.reduction_1024 + depth_log * count_log / 64 * kSearch.reduction_factor / 1000;
    // A singular search in between may have changed this.
    r -= frame->was_pv ? kSearch.reduction_was_pv_1024 : 0;
    r += (node.table_noisy & !candidate.noisy) ? kSearch.reduction_noisy_table_1024 : 0;
    r -= candidate.move == node.table_move ? kSearch.reduction_first_move_1024 : 0;
    r -= candidate.history / kSearch.reduction_history_divisor;
    return r;
}

bool Worker::prune_move(const Node& node, const Candidate& candidate, MovePicker& picker) const {
    const Frame* const frame = node.frame;
    const Position& position = node.position();
    const Move move = candidate.move;
    const Bitboard pieces =
        position.pieces(position.turn()).without(position.pieces(PieceType::Pawn, PieceType::King));
    if (pieces.empty()) return false;  // zugzwang is near

    // Late move pruning.
    const int depth = node.depth;
    const int enough = (kSearch.late_moves_base + depth * depth) / (node.improving ? 1 : 2);
    if (kUse.late_move_pruning && frame->move_count >= enough) picker.skip_quiets();

    const int reduced = std::max(depth - 1 - candidate.reduction_1024 / 1024, 0);
    if (candidate.noisy || candidate.gives_check) {
        // Futility: the victim cannot lift the score to alpha.
        if (kUse.futility_pruning && !candidate.gives_check && reduced < 7 && !frame->in_check) {
            const Value hope = frame->evaluation + kSearch.futility_capture_base +
                               kSearch.futility_capture_slope * reduced +
                               exchange_value(position.captured(move)) + candidate.history / 64;
            if (hope <= node.alpha) return true;
        }
        const Value margin =
            kSearch.exchange_noisy * depth + (candidate.noisy ? candidate.history / 32 : 0);
        return kUse.exchange_pruning && !exchange_reaches(position, move, -std::max(margin, 0));
    }

    // History pruning: moves that have hardly ever been good after such moves.
    if (kUse.history_pruning && candidate.history < kSearch.history_pruning * depth) return true;
    // Futility: a quiet move will not lift the score to alpha.
    if (kUse.futility_pruning && !frame->in_check && reduced < kSearch.futility_move_depth) {
        const Value hope = frame->evaluation + kSearch.futility_move_base +
                           kSearch.futility_move_slope * reduced + candidate.history / 128;
        if (hope <= node.alpha) {
            picker.skip_quiets();
            return true;
        }
    }
    // The piece would simply be lost.
    return kUse.exchange_pruning &&
           !exchange_reaches(position, move, -kSearch.exchange_quiet * reduced * reduced);
}

// Is the table's move the only one that holds the score? Search the others to half the depth, a
// margin lower.
Worker::Extension Worker::singular_extension(Node& node) {
    Frame* const frame = node.frame;
    const TableEntry& entry = node.entry;
    const Depth depth = node.depth;
    if (depth < kSearch.singular_depth + (frame->was_pv ? 1 : 0) || entry.value == kNoValue ||
        is_decisive(entry.value) || !has_lower(entry.bound) || entry.depth < depth - 3)
        return {};

    const Value bar =
        entry.value - kSearch.singular_margin * (frame->was_pv && !node.pv ? 2 : 1) * depth / 64;
    const Move tried = frame->move;
    const int count = frame->move_count;
    frame->excluded = node.table_move;
    const Value value =
        search_node<NodeKind::Other>(frame, bar - 1, bar, (depth - 1) / 2, node.cut_node);
    frame->excluded = Move();
    frame->move_count = count;
    frame->move = tried;
    if (stopped()) return {};

    Extension result;
    if (value < bar) {
        result.plies = 1;
        if (!node.pv && value < bar - kSearch.singular_double) result.plies = 2;
        if (!node.pv && !node.table_noisy && value < bar - kSearch.singular_triple)
            result.plies = 3;
    } else if (value >= node.beta && !is_decisive(value)) {
        result.cut = value;  // multicut: even without its best move the node fails high
    } else if (entry.value >= node.beta) {
        result.plies = -3;
    } else if (node.cut_node) {
        result.plies = -2;
    }
    return result;
}

}  // namespace rokada::engine
