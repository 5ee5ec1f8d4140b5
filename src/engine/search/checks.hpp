// SPDX-License-Identifier: GPL-3.0-or-later
// Which moves give check, found out once per node instead of by making each move.
#pragma once

#include "chess/position.hpp"

namespace rokada::engine {

class Checks {
  public:
    explicit Checks(const Position& position);

    // Exact for all moves but en passant captures, whose discovered checks go unnoticed.
    bool given_by(const Position& position, Move move) const;
    // Squares from which a piece of that kind would check directly.
    Bitboard squares(PieceType type) const { return squares_[type]; }

  private:
    Square king_;
    PerPieceType<Bitboard> squares_;
    Bitboard hiding_;  // own pieces that stand before an own slider's check
};

}  // namespace rokada::engine
