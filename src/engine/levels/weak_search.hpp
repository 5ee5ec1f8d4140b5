// SPDX-License-Identifier: GPL-3.0-or-later
// The search of the weak player: a plain alpha-beta over the moves it sees, a fixed number of nodes
// deep. It shares nothing with the main search, so that progress there never shifts a level.
#pragma once

#include <array>
#include <vector>

#include "chess/movegen.hpp"
#include "engine/levels/perception.hpp"
#include "engine/levels/weak_player.hpp"

namespace rokada::engine {

class WeakSearch {
  public:
    static constexpr int kWin = 30000, kNoScore = -40000;

    struct RootMove {
        Move move;
        int score = kNoScore;
        int last_score = kNoScore;
    };

    WeakSearch(const WeakGame& game, const Profile& profile, const Perception& perception,
               int budget);

    // Scores all moves, each exactly as far as it is less than `margin` worse than the best; best
    // first. Returns the depth reached.
    int run(std::vector<RootMove>& moves, int margin);
    std::uint64_t nodes() const { return static_cast<std::uint64_t>(nodes_); }

  private:
    static constexpr int kDeepest = 30, kMostPlies = 64;

    struct Step {
        Move last, own_last;  // the move that led here and the one before
        int ply = 0;
        bool took = false;    // the last move was a capture
        bool passed = false;  // or a pass
    };

    int search(const Position& position, int alpha, int beta, int depth, const Step& step);
    int quiet(const Position& position, int alpha, int beta, const Step& step, int chain,
              const MoveList& list);
    std::size_t seen_moves(const Position& position, const MoveList& list, const Step& step,
                           Move* out) const;
    int order(const Position& position, Move move, const Step& step, Move remembered) const;
    void reward(const Position& position, Move move, int depth, int ply);
    bool repeats(const Position& position) const;
    Move& remembered(const Position& position) {
        return memory_[position.key() & (memory_.size() - 1)];
    }
    bool stopped() const { return may_stop_ && nodes_ >= budget_; }

    const WeakGame& game_;
    const Profile& profile_;
    const Perception& perception_;
    std::vector<Key> keys_;
    std::vector<Move> memory_;  // the best move by position, for the order only
    std::array<std::array<int, 64>, 64> history_{};
    std::array<std::array<Move, 2>, kMostPlies> killers_{};
    int budget_;
    int nodes_ = 0;
    bool may_stop_ = false;  // the first iteration is always finished
};

}  // namespace rokada::engine
