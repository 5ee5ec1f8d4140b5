// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the leaves of the tree of legal moves: the classic proof that a move generator is right, and
// the usual measure of its speed. Used by the perft command, UCI's `go perft` and the tests.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "chess/position.hpp"

namespace rokada {

// Uses the ordinary move lists; the last ply is counted, not played.
std::uint64_t perft(const Position& position, int depth);

// The same count with a choice of means; all of them give the same numbers.
class Perft {
  public:
    enum class Generator : std::uint8_t {
        Count,  // the list-free counter
        List,   // the ordinary move lists
    };
    struct Options {
        Generator generator = Generator::Count;
        unsigned threads = 1;
        std::size_t hash_megabytes = 0;  // 0: every position is counted anew
    };
    using Division = std::vector<std::pair<Move, std::uint64_t>>;

    Perft();
    explicit Perft(Options options);
    ~Perft();

    std::uint64_t count(const Position& position, int depth);
    // The count below each legal move; none for depth 0.
    Division divide(const Position& position, int depth);

  private:
    class Table;

    std::uint64_t below(const Position& position, int depth);
    void divide_among_threads(const Position& position, int depth, Division& division);

    Options options_;
    std::unique_ptr<Table> table_;
};

}  // namespace rokada
