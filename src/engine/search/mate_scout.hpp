// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for a forced mate beside the search, with a small share of its effort: a proof goes straight for checks that
// leave few answers, also for the sacrifices that the search puts off. What it finds is certain. Used by the worker that
// leads.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/search/mate_proof.hpp"

namespace rokada::engine {

class MateScout {
  public:
    struct Mate {
        Move move;
        int moves;  // at most so many, this one included
    };

    explicit MateScout(std::function<bool()> stop);

    // A new search. `past` are the keys of the game before; `allowed`: only these moves, if any.
    void start(const Position& position, const std::vector<Key>& past,
               const std::vector<Move>& allowed);
    void clear();  // forgets everything learnt
    // Goes on until it has made so many moves in this search, or it found a mate.
    std::optional<Mate> look(std::uint64_t budget);

  private:
    MateProof::Answer prove(int moves, std::uint64_t effort);
    Mate shortened(int moves, std::uint64_t effort);

    std::optional<MateProof> proof_;  // once a search is long enough to use it
    std::function<bool()> stop_;
    Position position_;
    std::vector<Move> allowed_;
    bool useful_ = false;
    int none_ = 0;             // moves in which there is no mate
    std::uint64_t spent_ = 0;  // in this search
    std::uint64_t limit_ = 0;  // the proof's count at which it has to pause
};

}  // namespace rokada::engine
