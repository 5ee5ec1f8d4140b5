// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "bindings/c/border.hpp"
#include "review/json.hpp"
#include "review/reviewer.hpp"

using namespace rokada;
using namespace rokada::border;

struct rokada_review {
    review::Review content;  // never changed
};

rokada_error rokada_review_game(const rokada_game* game, const rokada_review_options* options,
                                rokada_review** review) {
    if (!game || !review) return fail_null();
    *review = nullptr;
    rokada_review_options wanted;
    if (!read_structure(options, wanted))
        return fail(ROKADA_ERROR_ARGUMENT, "the size of the options is not set");
    if (wanted.milliseconds < 0 || wanted.depth < 0)
        return fail(ROKADA_ERROR_ARGUMENT, "a limit is negative");
    return guarded([&] {
        review::Budget budget;
        if (wanted.nodes) budget.nodes = wanted.nodes;
        if (wanted.milliseconds) budget.move_time = engine::Milliseconds(wanted.milliseconds);
        if (wanted.depth) budget.depth = wanted.depth;
        review::EngineAnalyst analyst(budget);
        review::ReviewOptions settings;
        settings.reasons = wanted.without_reasons == 0;
        review::Listener listener;
        bool cancelled = false;
        if (wanted.on_progress) {
            listener.on_progress = [&](int done, int all) {
                if (wanted.on_progress(wanted.user, done, all) != 0) cancelled = true;
            };
            listener.cancelled = [&] { return cancelled; };
        }
        auto found = review::review_game(game->get(), analyst, settings, listener);
        if (!found) return fail(ROKADA_ERROR_CANCELLED, "the review was cancelled");
        *review = new rokada_review{*std::move(found)};
        return ROKADA_OK;
    });
}

void rokada_review_free(rokada_review* review) { delete review; }

size_t rokada_review_moves(const rokada_review* review) {
    return review ? review->content.moves.size() : 0;
}

rokada_error rokada_review_move(const rokada_review* review, size_t number,
                                rokada_reviewed_move* move) {
    if (!review || !move) return fail_null();
    if (number >= review->content.moves.size())
        return fail(ROKADA_ERROR_ARGUMENT, "there are not that many moves");
    if (move->size < sizeof(std::size_t))
        return fail(ROKADA_ERROR_ARGUMENT, "the size of the move is not set");
    const review::ReviewedMove& reviewed = review->content.moves[number];
    rokada_reviewed_move out{};
    out.size = move->size;
    out.move = reviewed.move.bits();
    out.better = reviewed.better.empty() ? out.move : reviewed.better.front().bits();
    out.judgement = review::to_string(reviewed.judgement).data();  // a literal
    out.win_before = reviewed.win_before;
    out.win_after = reviewed.win_after;
    out.loss = reviewed.loss;
    out.accuracy = reviewed.accuracy.value_or(-1);
    __builtin_memcpy(move, &out, move->size < sizeof(out) ? move->size : sizeof(out));
    return ROKADA_OK;
}

double rokada_review_accuracy(const rokada_review* review, rokada_color who) {
    if (!review || !is_color(who)) return -1;
    return review->content.side[border::color_of(who)].accuracy.value_or(-1);
}

size_t rokada_review_json(const rokada_review* review, char* text, size_t size) {
    return guarded_text(text, size,
                        [&] { return review ? review::to_json(review->content) : std::string(); });
}
