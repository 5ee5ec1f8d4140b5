// SPDX-License-Identifier: GPL-3.0-or-later
// The search beyond the horizon: only captures and promotions (every move when in check), until the
// position is quiet enough for the evaluation to be trusted.
#include <algorithm>

#include "engine/search/worker.hpp"

namespace rokada::engine {

template <Worker::NodeKind Kind>
Value Worker::quiescence(Frame* frame, Value alpha, Value beta) {
    constexpr bool kPv = Kind == NodeKind::Pv;
    const Position& position = frame->position;
    if (kPv) lines_[static_cast<std::size_t>(frame->ply)].clear();
    if (kPv) selective_depth_ = std::max(selective_depth_, frame->ply + 1);
    check_limits();
    if (stopped()) return kDraw;
    frame->in_check = position.in_check();
    if (is_draw(frame)) return draw_value(frame);
    if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : evaluate(frame);

    Value best = -kInfinite;
    if (!frame->in_check) {
        best = evaluate(frame);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    MovePicker picker = frame->in_check
                            ? MovePicker(position, histories_, continuations(frame), Move())
                            : MovePicker(position, histories_, Move(), 0);
    while (const Move move = picker.next()) {
        play(frame, move);
        const Value value = -quiescence<Kind>(frame + 1, -beta, -alpha);
        evaluator_.ascend();
        if (stopped()) return kDraw;
        if (value > best) {
            best = value;
            if (value > alpha) {
                alpha = value;
                if (kPv)
                    lines_[static_cast<std::size_t>(frame->ply)].set(
                        move, lines_[static_cast<std::size_t>(frame->ply + 1)]);
                if (value >= beta) break;
            }
        }
    }
    if (frame->in_check && best == -kInfinite) return mated_in(frame->ply);
    return best;
}

template Value Worker::quiescence<Worker::NodeKind::Pv>(Frame*, Value, Value);
template Value Worker::quiescence<Worker::NodeKind::Other>(Frame*, Value, Value);

}  // namespace rokada::engine
