// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/adjudication.hpp"

#include <cstdlib>

namespace rokada::lab {

namespace {

int in_centipawns(const engine::Score& score) {
    if (!score.is_mate()) return score.centipawns();
    return score.moves_to_mate() > 0 ? 100'000 : -100'000;
}

}  // namespace

std::optional<Judgement> Adjudicator::after_move(Color mover, std::optional<engine::Score> score,
                                                 int fullmove, bool irreversible) {
    ++moves_made_;
    if (settings_.resign) {
        const auto& rule = *settings_.resign;
        losing_[mover] = score && in_centipawns(*score) <= -rule.score ? losing_[mover] + 1 : 0;
        winning_[mover] = score && in_centipawns(*score) >= rule.score ? winning_[mover] + 1 : 0;
        for (const Color loser : kColors)
            if (losing_[loser] >= rule.moves && (!rule.two_sided || winning_[~loser] >= rule.moves))
                return Judgement{~loser};
    }
    if (settings_.draw) {
        const auto& rule = *settings_.draw;
        const bool level = score && std::abs(in_centipawns(*score)) <= rule.score;
        quiet_plies_ = level && !irreversible ? quiet_plies_ + 1 : level ? 1 : 0;
        if (fullmove >= rule.from_move && quiet_plies_ >= 2 * rule.moves) return Judgement{};
    }
    if (settings_.max_moves > 0 && moves_made_ >= 2 * settings_.max_moves) return Judgement{};
    return std::nullopt;
}

}  // namespace rokada::lab
