// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/mate_scout.hpp"

#include <algorithm>

namespace rokada::engine {

namespace {

constexpr std::size_t kMegabytes = 4;
// A short mate with quiet moves in it, and a long one of hardly anything but checks.
constexpr int kLengths[] = {4, 12};
constexpr std::uint64_t kWorthwhile = 1000;  // less than this is spent on getting under way

// Draws by repetition are no part of the proof: where one position of the game could come a third time, it would not hold.
bool repetition_threatens(const Position& position, std::vector<Key> past) {
    past.push_back(position.key());
    const auto reach =
        std::min(past.size(), static_cast<std::size_t>(position.halfmove_clock()) + 1);
    std::sort(past.end() - static_cast<std::ptrdiff_t>(reach), past.end());
    return std::adjacent_find(past.end() - static_cast<std::ptrdiff_t>(reach), past.end()) !=
           past.end();
}

}  // namespace

MateScout::MateScout(std::function<bool()> stop) : stop_(std::move(stop)) {}

void MateScout::start(const Position& position, const std::vector<Key>& past,
                      const std::vector<Move>& allowed) {
    position_ = position;
    allowed_ = allowed;
    useful_ = !repetition_threatens(position, past);
    none_ = 0;
    spent_ = 0;
}

void MateScout::clear() { proof_.reset(); }

std::optional<MateScout::Mate> MateScout::look(std::uint64_t budget) {
    if (!useful_ || budget < spent_ + std::size(kLengths) * kWorthwhile) return std::nullopt;
    if (!proof_)
        proof_.emplace(kMegabytes,
                       [this](std::uint64_t nodes) { return nodes >= limit_ || stop_(); });
    const std::uint64_t each = (budget - spent_) / std::size(kLengths);
    for (const int moves : kLengths) {
        if (moves <= none_) continue;
        const MateProof::Answer answer = prove(moves, each);
        if (answer == MateProof::Answer::None) none_ = moves;
        if (answer != MateProof::Answer::Mate) continue;
        const Mate mate = shortened(moves, each);
        if (mate.move) return mate;
    }
    return std::nullopt;
}

MateProof::Answer MateScout::prove(int moves, std::uint64_t effort) {
    const std::uint64_t before = proof_->nodes();
    limit_ = before + effort;
    const MateProof::Answer answer = proof_->prove(position_, moves, allowed_);
    spent_ += proof_->nodes() - before;
    return answer;
}

// The shortest that can be proven with as much effort again.
MateScout::Mate MateScout::shortened(int moves, std::uint64_t effort) {
    while (moves > none_ + 1 && prove(moves - 1, effort) == MateProof::Answer::Mate) --moves;
    limit_ = proof_->nodes() + effort;
    return {proof_->mating_move(position_, moves, allowed_), moves};
}

}  // namespace rokada::engine
