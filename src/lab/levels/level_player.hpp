// SPDX-License-Identifier: GPL-3.0-or-later
// A playing level at the board, and the judge of its moves. Used by the measurements of this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "chess/position.hpp"
#include "engine/engine.hpp"

namespace rokada::lab {

class LevelPlayer {
  public:
    enum class Book : bool { None, Own };
    explicit LevelPlayer(int elo, Book book = Book::None);

    // The same seed and moves give the same answer; a seed names a game.
    Move answer(std::uint64_t seed, const Position& start, const std::vector<Move>& moves);

  private:
    engine::Engine engine_;
};

// The whole engine with a fixed number of nodes: what a position is worth, and who defends a lost ending.
class Judge {
  public:
    explicit Judge(std::uint64_t nodes);

    struct Verdict {
        Move best;
        int worth = 0;  // centipawns of the side to move, at most kDecided
    };
    static constexpr int kDecided = 1500;  // mates included

    Verdict of(const Position& start, const std::vector<Move>& moves);

  private:
    engine::Score score_;
    engine::Engine engine_;
    engine::Limits limits_;
};

}  // namespace rokada::lab
