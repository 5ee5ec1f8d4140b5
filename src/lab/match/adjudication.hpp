// SPDX-License-Identifier: GPL-3.0-or-later
// Ends games early that the engines themselves hold for decided: by their scores, or by length.
#pragma once

#include <optional>

#include "chess/types.hpp"
#include "engine/score.hpp"

namespace rokada::lab {

struct AdjudicationSettings {
    struct Resign {
        int moves = 3;          // of the losing side in a row
        int score = 600;        // centipawns
        bool two_sided = true;  // the winner must agree
    };
    struct Draw {
        int from_move = 34;
        int moves = 8;   // of each side in a row
        int score = 20;  // centipawns at most
    };
    std::optional<Resign> resign;
    std::optional<Draw> draw;
    int max_moves = 0;  // a draw after so many full moves; 0: never
};

struct Judgement {
    std::optional<Color> winner;  // nobody: a draw
};

class Adjudicator {
  public:
    explicit Adjudicator(const AdjudicationSettings& settings) : settings_(settings) {}
    // After each move, with the score its player announced; `fullmove` counts from 1. Captures and
    // pawn moves are irreversible.
    std::optional<Judgement> after_move(Color mover, std::optional<engine::Score> score,
                                        int fullmove, bool irreversible);

  private:
    AdjudicationSettings settings_;
    PerColor<int> losing_{}, winning_{};
    int quiet_plies_ = 0;
    int moves_made_ = 0;
};

}  // namespace rokada::lab
