// SPDX-License-Identifier: GPL-3.0-or-later
// What a finished node teaches: the best move gains credit, those tried before it lose some.
#include <algorithm>

#include "engine/search/parameters.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

void Worker::update_continuations(Frame* frame, Piece piece, Square to, int bonus) {
    if (!kUse.continuation_history) return;
    const std::size_t where = piece_to(piece, to);
    for (const int back : {1, 2, 4, 6}) {
        // A reply to a check says little about plans of several moves ago.
        if (frame->in_check && back > 2) break;
        PieceToHistory* const table = frame[-back].continuation;
        if (table != &histories_.nothing) (*table)[where].update(back > 2 ? bonus / 2 : bonus);
    }
}

void Worker::update_quiet(Frame* frame, Move move, int bonus) {
    const Position& position = frame->position;
    const Piece piece = position.at(move.from());
    if (kUse.butterfly_history) histories_.butterfly[position.turn()][from_to(move)].update(bonus);
    if (kUse.pawn_history) histories_.pawn_of(position)[piece_to(piece, move.to())].update(bonus);
    update_continuations(frame, piece, move.to(), bonus);
}

void Worker::learn_from_best(const Node& node, Move best, const Tried& quiets, const Tried& noisy) {
    Frame* const frame = node.frame;
    const Position& position = node.position();
    const int bonus =
        std::min(kSearch.bonus_slope * node.depth - kSearch.bonus_offset, kSearch.bonus_max);
    const int malus =
        std::min(kSearch.malus_slope * node.depth - kSearch.malus_offset, kSearch.malus_max);
    if (is_noisy(position, best)) {
        if (kUse.capture_history) histories_.capture_of(position, best).update(bonus);
    } else {
        update_quiet(frame, best, bonus);
        for (int i = 0; i < quiets.count; ++i) update_quiet(frame, quiets.moves[i], -malus);
    }
    for (int i = 0; kUse.capture_history && i < noisy.count; ++i)
        histories_.capture_of(position, noisy.moves[i]).update(-malus);
}

// No move reached alpha, so the move that led here was a good one.
void Worker::learn_from_fail_low(const Node& node) {
    Frame* const before = node.frame - 1;
    if (!kUse.prior_moves) return;
    if (node.frame->ply == 0 || !before->move || is_noisy(before->position, before->move)) return;
    const int bonus = std::min(kSearch.prior_bonus_slope * node.depth, kSearch.prior_bonus_max);
    const Piece piece = before->position.at(before->move.from());
    if (kUse.butterfly_history)
        histories_.butterfly[before->position.turn()][from_to(before->move)].update(bonus / 2);
    update_continuations(before, piece, before->move.to(), bonus);
}

// A quiet move after which the evaluation has gone up for its side is remembered at once.
void Worker::learn_from_evaluation(const Node& node) {
    const Frame* const frame = node.frame;
    const Frame* const before = frame - 1;
    if (!kUse.prior_moves || !kUse.butterfly_history) return;
    if (frame->ply == 0 || !before->move || before->evaluation == kNoValue || before->in_check ||
        is_noisy(before->position, before->move))
        return;
    const int gain = -(before->evaluation + frame->evaluation);
    const int bonus = std::clamp(gain * kSearch.evaluation_nudge, -kSearch.evaluation_nudge_max,
                                 kSearch.evaluation_nudge_max);
    histories_.butterfly[before->position.turn()][from_to(before->move)].update(bonus);
}

}  // namespace rokada::engine
