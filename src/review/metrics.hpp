// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a review: chances from scores, accuracy from chances lost, and the thresholds between judgements. The curves are the public ones
// of lichess, so that numbers can be compared; accuracies of other sites follow other curves.
#pragma once

#include <optional>
#include <vector>

#include "engine/score.hpp"
#include "review/review.hpp"

namespace rokada::review {

// 0 to 100: the chance of the side the score is told for.
double win_percent(engine::Score score);
// 0 to 100 for one move that changed the chance of its mover.
double move_accuracy(double win_before, double win_after);

// Centipawns between -1000 and 1000; mates count as the ends.
int clamped_centipawns(engine::Score score);

// One side's accuracy over a game: the mean of a harmonic mean and a mean weighted by how sharp the game was around the move.
// `wins` holds White's chance at every position, `counted` the moves that count (index of the move, its accuracy).
struct CountedMove {
    std::size_t ply = 0;
    double accuracy = 0;
};
std::optional<double> game_accuracy(const std::vector<double>& wins,
                                    const std::vector<CountedMove>& counted);

// What a move that loses that many points is, mates apart. `settled` is true when it was looked at twice: then only what is clearly beyond
// a border counts as beyond.
Judgement judge_loss(double loss);
// The judgement of a move from both scores, mates considered: throwing a mate away or walking into one.
Judgement judge_change(engine::Score best, engine::Score played, double loss);

}  // namespace rokada::review
