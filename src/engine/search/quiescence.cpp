// SPDX-License-Identifier: GPL-3.0-or-later
// The search beyond the horizon: only captures and promotions (every move when in check), until the
// position is quiet enough for the evaluation to be trusted.
#include <algorithm>
#include <optional>

#include "engine/search/parameters.hpp"
#include "engine/search/see.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/worker.hpp"

namespace rokada::engine {

template <Worker::NodeKind Kind>
Value Worker::quiescence(Frame* frame, Value alpha, Value beta) {
    constexpr bool kPv = Kind == NodeKind::Pv;
    const Position& position = frame->position;
    if (!kUse.alpha_beta) alpha = -kInfinite, beta = kInfinite;

    // Step 1. Stop, draw, end of the stack.
    if constexpr (kPv) {
        line_at(frame).clear();
        selective_depth_ = std::max(selective_depth_, frame->ply + 1);
    }
    check_limits();
    if (stopped()) return kDraw;
    frame->in_check = position.in_check();
    if (is_draw(frame)) return draw_value(frame);
    if (frame->ply >= kMaxPly) return frame->in_check ? kDraw : evaluate(frame);
    if (!kUse.quiescence && !frame->in_check) return evaluate(frame);

    // Step 2. The transposition table.
    Node node{frame, alpha, beta, 0, kPv, false};
    probe_table(node);
    const TableEntry& entry = node.entry;
    const bool was_pv = kPv || (node.table_hit && entry.was_pv);
    if (!kPv && entry.value != kNoValue && position.halfmove_clock() < 90 &&
        (entry.value >= beta ? has_lower(entry.bound) : has_upper(entry.bound)))
        return entry.value;

    // Step 3. Standing pat: nobody has to capture.
    Value best = -kInfinite, futility_base = -kInfinite;
    if (frame->in_check) {
        frame->evaluation = kNoValue;
    } else {
        const bool known = node.table_hit && entry.evaluation != kNoValue;
        node.raw_evaluation = known ? entry.evaluation : evaluate(frame);
        best = frame->evaluation =
            corrected(frame, node.raw_evaluation, corrections_.correction(frame));
        if (entry.value != kNoValue && !is_decisive(entry.value) &&
            (entry.value > best ? has_lower(entry.bound) : has_upper(entry.bound)))
            best = entry.value;
        if (best >= beta) {
            if (!is_decisive(best) && !is_decisive(beta)) best = (best + beta) / 2;
            if (!node.table_hit) {
                TableEntry result;
                result.value = best;
                result.evaluation = node.raw_evaluation;
                result.depth = -2;
                result.bound = TableBound::Lower;
                shared_.table.store(position.key(), frame->ply, result);
            }
            return best;
        }
        alpha = std::max(alpha, best);
        futility_base = frame->evaluation + kSearch.quiescence_futility;
    }

    // Step 4. The captures, or all ways out of check.
    std::optional<Checks> checks;  // found out when first needed; most nodes never do
    if (frame->in_check) checks.emplace(position);
    const auto gives_check = [&](Move move) {
        if (!checks) checks.emplace(position);
        return checks->given_by(position, move);
    };
    MovePicker picker = frame->in_check
                            ? MovePicker(position, *checks, histories_, continuations(frame),
                                         shared_.table, node.table_move)
                            : MovePicker(position, histories_, shared_.table, node.table_move,
                                         kSearch.quiescence_exchange);
    const Square last_target = frame[-1].move ? frame[-1].move.to() : Square::None;
    Move best_move;
    int count = 0;
    while (const Move move = picker.next()) {
        ++count;
        const bool noisy = is_noisy(position, move);
        if (!is_loss(best)) {
            // Step 5. Skip what cannot matter: late captures that do not take back, and too small
            // ones.
            if (!frame->in_check && move.to() != last_target && !move.is_promotion() &&
                !gives_check(move)) {
                if (count > 3) continue;
                const Value hope = futility_base + exchange_value(position.captured(move));
                if (hope <= alpha) {
                    best = std::max(best, hope);
                    continue;
                }
                if (futility_base <= alpha && !exchange_reaches(position, move, 1)) {
                    best = std::max(best, std::min(futility_base, alpha));
                    continue;
                }
            }
            // One quiet way out of check is enough to see that it is not mate.
            if (frame->in_check && !noisy) picker.skip_quiets();
        }

        // Step 6. Make the move and search on.
        play(frame, move);
        const Value value = -quiescence<Kind>(frame + 1, -beta, -alpha);
        take_back();
        if (stopped()) return kDraw;
        if (value > best) {
            best = value;
            if (value > alpha) {
                best_move = move;
                if (kPv) line_at(frame).set(move, line_at(frame + 1));
                if (value >= beta) break;
                alpha = value;
            }
        }
    }

    // Step 7. In check and no way out: mate.
    if (frame->in_check && count == 0) return mated_in(frame->ply);
    if (best >= beta && !is_decisive(best) && !is_decisive(beta)) best = (3 * best + beta) / 4;

    TableEntry result;
    result.move = best_move;
    result.value = best;
    result.evaluation = node.raw_evaluation;
    result.depth = 0;
    result.was_pv = was_pv;
    result.bound = best >= beta ? TableBound::Lower : TableBound::Upper;
    shared_.table.store(position.key(), frame->ply, result);
    return best;
}

template Value Worker::quiescence<Worker::NodeKind::Pv>(Frame*, Value, Value);
template Value Worker::quiescence<Worker::NodeKind::Other>(Frame*, Value, Value);

}  // namespace rokada::engine
