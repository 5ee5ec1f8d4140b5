// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/analyst.hpp"

#include <algorithm>

namespace rokada::review {

EngineAnalyst::EngineAnalyst(const Budget& budget) : budget_(budget) {
    engine::Callbacks callbacks;
    callbacks.on_info = [this](const engine::Info& info) {
        if (info.bound != engine::Bound::Exact || info.line.empty()) return;
        const auto rank = static_cast<std::size_t>(info.multipv - 1);
        if (rank >= static_cast<std::size_t>(wanted_)) return;
        if (found_.size() <= rank) found_.resize(rank + 1);
        found_[rank] = {info.score, info.line};
    };
    engine_ = std::make_unique<engine::Engine>(std::move(callbacks));
}

EngineAnalyst::~EngineAnalyst() = default;

std::optional<std::string> EngineAnalyst::set_option(std::string_view name,
                                                     std::string_view value) {
    return engine_->set_option(name, value);
}

// Waited for: a search must not begin before everything is forgotten.
void EngineAnalyst::new_game() {
    engine_->new_game();
    engine_->wait();
}

void EngineAnalyst::stop() { engine_->stop(); }

std::vector<Line> EngineAnalyst::judge(const Game& game, std::size_t plies,
                                       const Question& question) {
    std::vector<Move> moves;
    moves.reserve(plies);
    for (std::size_t i = 0; i < plies; ++i) moves.push_back(game.plies()[i].move);
    engine_->set_position(game.start(), moves);
    wanted_ = question.only ? 1 : question.lines;
    engine_->set_option("MultiPV", std::to_string(wanted_));
    engine::Limits limits;
    const auto effort = static_cast<std::uint64_t>(question.effort);
    limits.depth = budget_.depth;
    if (budget_.move_time) limits.move_time = *budget_.move_time * question.effort;
    if (budget_.nodes) limits.nodes = *budget_.nodes * effort;
    if (!budget_.depth && !budget_.move_time && !budget_.nodes)
        limits.nodes = Budget::kUsualNodes * effort;
    if (question.only) limits.search_moves = {question.only};
    found_.clear();
    engine_->think(limits);
    // Ranks are reported in turn; what has no line yet was not reached.
    found_.erase(std::remove_if(found_.begin(), found_.end(),
                                [](const Line& line) { return line.moves.empty(); }),
                 found_.end());
    return std::move(found_);
}

}  // namespace rokada::review
