// SPDX-License-Identifier: GPL-3.0-or-later
// Proves or disproves that the side to move mates within a number of moves, whatever the opponent does. No evaluation, no
// pruning: what it says is certain. Works with proof and disproof numbers, depth first, always where the least is
// missing for an answer. Used by `go mate`, by the scout beside the search, and to complete mate lines.
#pragma once

#include <functional>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/position.hpp"
#include "engine/search/memory.hpp"

namespace rokada::engine {

class MateProof {
  public:
    enum class Answer { Mate, None, Unknown };  // unknown: stopped before it was clear

    // `stop` is asked now and then with the number of moves made so far.
    MateProof(std::size_t megabytes, std::function<bool(std::uint64_t)> stop);

    // Whether the side to move mates in at most so many moves. `allowed`: only these at the root, if any. Asked again
    // after it was stopped, it goes on where it was.
    Answer prove(const Position& position, int moves, const std::vector<Move>& allowed = {});
    // The first move of a mate that prove() has just found.
    Move mating_move(const Position& position, int moves, const std::vector<Move>& allowed);
    // A line with best defence that ends in mate after exactly 2 * moves - 1 plies; `moves` must be the shortest mate,
    // proven before. Empty when stopped.
    std::vector<Move> line(const Position& position, int moves,
                           const std::vector<Move>& allowed = {});

    std::uint64_t nodes() const { return nodes_; }
    int per_mille_full() const;

  private:
    // How much is missing for a proof or disproof; 0: done. The other one is infinite then.
    struct Numbers {
        std::uint32_t proof = 1, disproof = 1;
    };
    struct Entry {
        Key key;
        Numbers numbers;
    };
    struct Child {
        Move move;
        Position position;
        Numbers numbers;
    };
    static constexpr std::uint32_t kInfinity = 1u << 30;
    static constexpr Numbers kProven{0, kInfinity}, kDisproven{kInfinity, 0};

    Key key_of(const Position& position, int moves) const;
    Entry* find(Key key) const;
    Numbers known(const Position& position, int moves) const;
    void store(const Position& position, int moves, Numbers numbers);

    Numbers search(const Position& position, int moves, bool attacks, Numbers limit,
                   const std::vector<Move>& allowed);
    std::vector<Child> children(const Position& position, int moves, bool attacks,
                                const std::vector<Move>& allowed);
    Numbers look(const Position& position, int moves, bool attacks);
    Numbers first_look(const Position& position, int moves, bool attacks);
    bool mates_at_once(const Position& position);
    bool answers_lose_at_once(const Position& position);
    bool drawn(const Position& position) const { return position.halfmove_clock() >= 100; }
    Position after(const Position& position, Move move) {
        Position next = position;
        next.play(move);
        ++nodes_;
        return next;
    }
    bool stopped();

    LargeBlock memory_;
    Entry* entries_ = nullptr;
    std::uint64_t buckets_ = 0;
    std::function<bool(std::uint64_t)> stop_;
    bool stopped_ = false;
    bool clock_matters_ = false;  // the fifty-move rule is within reach
    std::uint64_t nodes_ = 0, next_look_ = 0;
};

}  // namespace rokada::engine
