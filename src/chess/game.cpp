// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/game.hpp"

#include "chess/material.hpp"
#include "chess/movegen.hpp"

namespace rokada {

namespace {
constexpr int kFiftyMoves = 100, kSeventyFiveMoves = 150;  // in plies
}

Game::Game(Position start, DrawRule rule) : rule_(rule), positions_{start} { judge_board(); }

bool Game::play(Move move, std::optional<Milliseconds> clock) {
    if (over() || !position().is_legal(move)) return false;
    Position next = position();
    next.play(move);
    positions_.push_back(next);
    plies_.push_back({move, clock});
    judge_board();
    return true;
}

bool Game::take_back() {
    if (plies_.empty()) return false;
    positions_.pop_back();
    plies_.pop_back();
    outcome_.reset();
    judge_board();
    return true;
}

int Game::repetitions() const {
    const Key key = position().key();
    const std::size_t last = positions_.size() - 1;
    // No position before the last capture or pawn move can come again.
    const std::size_t reach = static_cast<std::size_t>(position().halfmove_clock());
    int count = 1;
    for (std::size_t back = 2; back <= reach && back <= last; back += 2)
        if (positions_[last - back].key() == key) ++count;
    return count;
}

std::optional<EndReason> Game::claimable_draw() const {
    if (over()) return std::nullopt;
    if (repetitions() >= 3) return EndReason::ThreefoldRepetition;
    if (position().halfmove_clock() >= kFiftyMoves) return EndReason::FiftyMoves;
    return std::nullopt;
}

bool Game::claim_draw() {
    const auto reason = claimable_draw();
    return reason && end(std::nullopt, *reason);
}

bool Game::resign(Color who) { return end(~who, EndReason::Resignation); }
bool Game::agree_draw() { return end(std::nullopt, EndReason::Agreement); }
bool Game::abandon(Color who) { return end(~who, EndReason::Abandonment); }
bool Game::adjudicate(std::optional<Color> winner) { return end(winner, EndReason::Adjudication); }
bool Game::abort() { return end(std::nullopt, EndReason::Aborted); }

bool Game::flag_fell(Color who) {
    if (!can_ever_mate(position(), ~who)) return end(std::nullopt, EndReason::TimeAgainstBareKing);
    return end(~who, EndReason::Time);
}

bool Game::end(std::optional<Color> winner, EndReason reason) {
    if (over()) return false;
    outcome_ = Outcome{winner, reason};
    return true;
}

void Game::judge_board() {
    const Position& now = position();
    // Mate comes first: it counts even if the same move completes the fifty.
    if (!has_legal_move(now)) {
        if (now.in_check())
            end(~now.turn(), EndReason::Checkmate);
        else
            end(std::nullopt, EndReason::Stalemate);
        return;
    }
    if (insufficient_material(now)) {
        end(std::nullopt, EndReason::InsufficientMaterial);
        return;
    }
    const int times = repetitions();
    const int clock = now.halfmove_clock();
    if (times >= 5)
        end(std::nullopt, EndReason::FivefoldRepetition);
    else if (clock >= kSeventyFiveMoves)
        end(std::nullopt, EndReason::SeventyFiveMoves);
    else if (rule_ == DrawRule::Automatic && times >= 3)
        end(std::nullopt, EndReason::ThreefoldRepetition);
    else if (rule_ == DrawRule::Automatic && clock >= kFiftyMoves)
        end(std::nullopt, EndReason::FiftyMoves);
}

}  // namespace rokada
