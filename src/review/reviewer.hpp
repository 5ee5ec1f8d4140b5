// SPDX-License-Identifier: GPL-3.0-or-later
// Reviews a whole game: every move judged, mistakes explained where the explanation can be proved. Used by the command line, by
// the jobs of the server and by the page. Runs in the calling thread and needs no other.
//
//   EngineAnalyst analyst(Budget{});            // 100,000 nodes for each position
//   if (auto review = review_game(game, analyst, {}, listener)) text = to_json(*review);
#pragma once

#include <functional>
#include <optional>

#include "review/analyst.hpp"
#include "review/review.hpp"

namespace rokada::review {

struct ReviewOptions {
    bool reasons = true;
    // Moves that look like mistakes are judged again with this many times the budget, best and played move alike.
    int second_look = 4;
    std::uint64_t proof_nodes = 200'000;  // for each proof
};

struct Listener {
    // Steps done of all steps; the number of all may grow when moves need a second look.
    std::function<void(int done, int all)> on_progress;
    // The first score of a position, the last position first; from White's point of view.
    std::function<void(std::size_t plies, engine::Score score)> on_score;
    // Asked before every step. To interrupt a step, call Analyst::stop as well.
    std::function<bool()> cancelled;
};

// Nothing if it was cancelled.
std::optional<Review> review_game(const Game& game, Analyst& analyst,
                                  const ReviewOptions& options = {}, const Listener& listener = {});

}  // namespace rokada::review
