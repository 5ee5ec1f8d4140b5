// SPDX-License-Identifier: GPL-3.0-or-later
// When an engine should offer a draw, accept one or resign: from its own scores over the last
// moves.
#pragma once

#include "chess/position.hpp"
#include "engine/score.hpp"

namespace rokada::protocol {

class Temper {
  public:
    void new_game() { *this = Temper(); }
    // Before each own move is sent: the score of the search and the position it is played in.
    void note(const engine::Score& score, int depth, const Position& position);

    bool wants_to_resign() const { return hopeless_moves_ >= 6; }
    // True at most once in twenty moves.
    bool offers_draw();
    bool accepts_draw() const { return accepts_; }

  private:
    int hopeless_moves_ = 0;
    int level_moves_ = 0;
    int moves_since_offer_ = 20;
    bool accepts_ = false;
};

}  // namespace rokada::protocol
