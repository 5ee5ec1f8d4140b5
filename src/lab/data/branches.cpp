// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/data/branches.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "chess/zobrist.hpp"
#include "engine/search/see.hpp"

namespace rokada::lab {

namespace {

// About as deep as searches of a few thousand nodes go everywhere; beyond, little is left in the table.
constexpr std::size_t kLongestWalk = 8;
// A game's opening has its length in one byte.
constexpr std::size_t kLatestBranch = 255;
// Enough for the few thousand nodes of one label; what is small is quickly emptied.
constexpr int kLabelMegabytes = 1;

}  // namespace

bool is_calm(const Position& position) {
    if (position.in_check()) return false;
    MoveList noisy;
    generate(position, MoveSet::Noisy, noisy);
    for (const Move move : noisy)
        if (move.is_promotion() || engine::exchange_reaches(position, move, 1)) return false;
    return true;
}

BranchFinder::BranchFinder(const DatagenPlan& plan) : plan_(plan) {
    if (plan.branches > 0) labeller_.emplace(plan.network, kLabelMegabytes);
}

void BranchFinder::new_game(std::uint64_t seed) {
    found_.clear();
    if (labeller_) random_.seed(mix_bits(seed));
}

void BranchFinder::after_search(const Game& game, const Player& searched) {
    if (!labeller_ || uniform(random_) >= plan_.branches) return;
    Game walk = game;
    const std::size_t last = game.plies().size() + 1 + random_() % kLongestWalk;
    // The walk goes on as it likes; the branch is where it was calm last.
    std::optional<Position> calm;
    std::size_t plies = 0;
    while (walk.plies().size() < std::min(last, kLatestBranch)) {
        MoveList met;
        for (const Move move : legal_moves(walk.position())) {
            Position next = walk.position();
            next.play(move);
            if (searched.remembers(next)) met.push(move);
        }
        if (met.empty() || !walk.play(met[random_() % met.size()]) || walk.over()) break;
        if (!is_calm(walk.position())) continue;
        calm = walk.position();
        plies = walk.plies().size();
    }
    if (!calm) return;
    Found found{{}, *calm};
    for (std::size_t i = 0; i < plies; ++i) found.moves.push_back(walk.plies()[i].move);
    found_.push_back(std::move(found));
}

std::vector<TrainingGame> BranchFinder::branches_of(const Game& game) {
    std::vector<TrainingGame> branches;
    if (found_.empty()) return branches;
    std::unordered_set<Key> known;
    for (std::size_t i = 0; i <= game.plies().size(); ++i)
        known.insert(game.position_after(i).key());
    labeller_->new_game();
    for (const Found& found : found_)
        if (known.insert(found.position.key()).second)
            if (auto branch = label(found)) branches.push_back(std::move(*branch));
    return branches;
}

std::optional<TrainingGame> BranchFinder::label(const Found& found) {
    const Move best = labeller_->think(found.moves, limits_of(plan_.label_nodes()));
    if (!best || found.position.is_capture(best) || best.is_promotion()) return std::nullopt;
    TrainingGame branch;
    branch.result = kNoResult;
    branch.opening = static_cast<int>(found.moves.size());
    for (const Move move : found.moves) branch.moves.push_back(encode_training_move(move));
    branch.moves.push_back(encode_training_move(best));
    branch.scores.push_back(to_training_score(labeller_->score()));
    return branch;
}

}  // namespace rokada::lab
