// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of self-play games: positions that a search met and that were never on the board, each with a score of its own.
// A network that judges the leaves of a search learns from them what games do not show.
#pragma once

#include <optional>
#include <random>
#include <unordered_set>
#include <vector>

#include "chess/game.hpp"
#include "lab/data/datagen.hpp"
#include "lab/data/player.hpp"
#include "lab/training/game_file.hpp"

namespace rokada::lab {

// Neither in check nor with anything to win by a capture or a promotion: a static evaluation should be right.
bool is_calm(const Position& position);

// Uses random numbers and an engine of its own, so that the games are the same with and without branches.
class BranchFinder {
  public:
    explicit BranchFinder(const DatagenPlan& plan);

    void new_game(std::uint64_t seed);
    // To be asked after each search; by lot, remembers a position that the search has met.
    void after_search(const Game& game, const Player& searched);
    // When the game has ended. Branches that came on the board later, or twice, are left out, and those whose best move is
    // a capture or a promotion after all.
    std::vector<TrainingGame> branches_of(const Game& game);

    std::uint64_t nodes() const { return labeller_ ? labeller_->nodes() : 0; }

  private:
    struct Found {
        std::vector<Move> moves;  // from the start position
        Position position;
    };
    std::optional<TrainingGame> label(const Found& found);

    const DatagenPlan& plan_;
    std::mt19937_64 random_;
    std::vector<Found> found_;
    std::optional<Player> labeller_;  // none without branches
};

}  // namespace rokada::lab
