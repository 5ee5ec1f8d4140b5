// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/reviewer.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "review/material.hpp"
#include "review/metrics.hpp"
#include "review/phases.hpp"
#include "review/proof.hpp"
#include "review/reasons.hpp"

namespace rokada::review {

namespace {

constexpr double kSuspicious = 3.5;          // points lost at which a move is looked at again
constexpr double kNoise = 0.5;               // points beyond a border that do not count as beyond
constexpr std::size_t kMostKeyMoments = 10;  // for each side

// A larger number is better for the side the score is told for.
int rank(engine::Score score) {
    if (!score.is_mate()) return score.centipawns();
    const int moves = score.moves_to_mate();
    return moves > 0 ? 100'000 - moves : -100'000 - moves;
}

// What the opponent's score of the position after a move means for its mover.
engine::Score for_mover(engine::Score opponent) {
    if (opponent.is_mate() && opponent.moves_to_mate() <= 0)
        return engine::Score::mate_in(1 - opponent.moves_to_mate());
    return -opponent;
}
// And the other way round.
engine::Score for_opponent(engine::Score mover) {
    if (mover.is_mate() && mover.moves_to_mate() > 0)
        return engine::Score::mated_in(mover.moves_to_mate() - 1);
    return -mover;
}

bool mates(engine::Score score) { return score.is_mate() && score.moves_to_mate() > 0; }
bool is_mated(engine::Score score) { return score.is_mate() && score.moves_to_mate() <= 0; }

class Reviewer {
  public:
    Reviewer(const Game& game, Analyst& analyst, const ReviewOptions& options,
             const Listener& listener)
        : game_(game),
          analyst_(analyst),
          options_(options),
          listener_(listener),
          count_(game.plies().size()),
          phases_(find_phases(game)),
          lines_(count_ + 1) {}

    bool run(Review& review) {
        all_ = static_cast<int>(count_) + 1;
        analyst_.new_game();
        if (!first_look()) return false;
        review.start = game_.start();
        for (std::size_t ply = 0; ply < count_; ++ply) {
            ReviewedMove judged = judge(ply);
            if (cancelled_) return false;
            review.moves.push_back(std::move(judged));
        }
        if (options_.reasons)
            for (std::size_t ply = 0; ply < count_; ++ply) {
                ReviewedMove& judged = review.moves[ply];
                if (judged.judgement < Judgement::Inaccuracy) continue;
                if (stopped()) return false;
                judged.reasons = find_reasons(game_, ply, judged, options_.proof_nodes);
            }
        summarise(review);
        return true;
    }

  private:
    bool stopped() {
        if (listener_.cancelled && listener_.cancelled()) cancelled_ = true;
        return cancelled_;
    }
    void step() {
        ++done_;
        if (listener_.on_progress) listener_.on_progress(done_, all_);
    }

    const Position& position(std::size_t plies) const { return game_.position_after(plies); }
    bool white_to_move(std::size_t plies) const { return position(plies).turn() == Color::White; }

    // The board's own verdict on a position nobody can play on from, and on the last one of a drawn game.
    std::optional<engine::Score> verdict(std::size_t plies) const {
        if (!has_legal_move(position(plies)))
            return position(plies).in_check() ? engine::Score::mated_in(0)
                                              : engine::Score::centipawns(0);
        if (plies == count_ && game_.outcome()) {
            switch (game_.outcome()->reason) {
                case EndReason::ThreefoldRepetition:
                case EndReason::FivefoldRepetition:
                case EndReason::FiftyMoves:
                case EndReason::SeventyFiveMoves:
                case EndReason::InsufficientMaterial: return engine::Score::centipawns(0);
                default: break;
            }
        }
        return std::nullopt;
    }

    // Backwards, so that what was found later in the game is known earlier.
    bool first_look() {
        for (std::size_t i = 0; i <= count_; ++i) {
            const std::size_t plies = count_ - i;
            if (stopped()) return false;
            if (const auto rule = verdict(plies)) {
                lines_[plies] = {{*rule, {}}};
            } else {
                lines_[plies] = analyst_.judge(game_, plies, {});
                if (lines_[plies].empty()) {
                    cancelled_ = true;  // only a stopped analyst says nothing
                    return false;
                }
            }
            if (listener_.on_score) listener_.on_score(plies, white_view(plies).score);
            step();
        }
        return true;
    }

    Evaluation white_view(std::size_t plies) const {
        const engine::Score score = lines_[plies].front().score;
        const double win = win_percent(score);
        return white_to_move(plies) ? Evaluation{score, win} : Evaluation{-score, 100 - win};
    }

    ReviewedMove judge(std::size_t ply) {
        ReviewedMove judged;
        judged.move = game_.plies()[ply].move;
        judged.mover = position(ply).turn();
        judged.phase = phases_.at(ply);
        std::vector<Line>& before = lines_[ply];
        const Line& after = lines_[ply + 1].front();
        judged.best = before.front().score;
        judged.better = before.front().moves;
        judged.played = for_mover(after.score);
        judged.refutation = after.moves;
        // The first choice was judged twice; what was found after it is one move deeper.
        if (!judged.better.empty() && judged.better.front() == judged.move) {
            judged.best = judged.played;
            judged.better.resize(1);
            judged.better.insert(judged.better.end(), after.moves.begin(), after.moves.end());
            if (before.size() > 1 && rank(before[1].score) > rank(judged.best)) {
                judged.best = before[1].score;
                judged.better = before[1].moves;
            }
        }
        const std::size_t legal = legal_moves(position(ply)).size();
        const bool looks_bad =
            win_percent(judged.best) - win_percent(judged.played) >= kSuspicious ||
            mates(judged.best) != mates(judged.played) ||
            is_mated(judged.best) != is_mated(judged.played);
        const bool again = legal > 1 && looks_bad && options_.second_look > 1;
        if (again && !look_again(ply, judged)) return judged;
        // The move itself may have proved more than the search before it found.
        if (judged.better.empty() || rank(judged.played) > rank(judged.best)) {
            judged.best = judged.played;
            judged.better = {judged.move};
            judged.better.insert(judged.better.end(), judged.refutation.begin(),
                                 judged.refutation.end());
        }
        before.front() = {judged.best, judged.better};
        judged.win_before = win_percent(judged.best);
        judged.win_after = std::min(win_percent(judged.played), judged.win_before);
        judged.loss = judged.win_before - judged.win_after;
        classify(ply, legal, again, judged);
        return judged;
    }

    // Best and played move from the same position with the same, larger budget.
    bool look_again(std::size_t ply, ReviewedMove& judged) {
        all_ += 2;
        if (stopped()) return false;
        auto lines = analyst_.judge(game_, ply, {2, options_.second_look, Move()});
        step();
        if (lines.empty()) return !(cancelled_ = true);
        const bool same = lines.front().moves.front() == judged.move;
        Line played = lines.front();
        // A move that ends the game needs no search.
        if (const auto rule = same ? std::nullopt : verdict(ply + 1)) {
            played = {for_mover(*rule), {judged.move}};
        } else if (!same) {
            if (stopped()) return false;
            auto only = analyst_.judge(game_, ply, {1, options_.second_look, judged.move});
            if (only.empty()) return !(cancelled_ = true);
            played = std::move(only.front());
        }
        step();
        lines_[ply] = std::move(lines);
        judged.best = lines_[ply].front().score;
        judged.better = lines_[ply].front().moves;
        judged.played = played.score;
        judged.refutation.assign(played.moves.begin() + 1, played.moves.end());
        // The opponent's next move is judged against what is known now.
        if (!judged.refutation.empty()) {
            Line& next = lines_[ply + 1].front();
            const bool other =
                next.moves.empty() || next.moves.front() != judged.refutation.front();
            next = {for_opponent(played.score), judged.refutation};
            if (other) lines_[ply + 1].resize(1);
        }
        return true;
    }

    void classify(std::size_t ply, std::size_t legal, bool twice, ReviewedMove& judged) const {
        if (legal == 1) {
            judged.judgement = Judgement::Forced;
            return;
        }
        judged.accuracy = move_accuracy(judged.win_before, judged.win_after);
        judged.judgement =
            judge_change(judged.best, judged.played, judged.loss - (twice ? kNoise : 0));
        if (judged.loss < 10 && find_opening(position(ply + 1))) {
            judged.judgement = Judgement::Book;
            judged.accuracy.reset();
            return;
        }
        if (judged.judgement != Judgement::Good) return;
        const bool first = judged.better.front() == judged.move;
        const bool as_good = judged.loss < 1 && mates(judged.best) == mates(judged.played) &&
                             is_mated(judged.best) == is_mated(judged.played);
        if (first || as_good) judged.judgement = Judgement::Best;
        if (first && is_great(ply, legal, judged)) judged.judgement = Judgement::Great;
    }

    bool is_great(std::size_t ply, std::size_t legal, const ReviewedMove& judged) const {
        const std::vector<Line>& lines = lines_[ply];
        if (lines.size() < 2) return false;
        const engine::Score second = lines[1].score;
        if (judged.win_after < 40 || win_percent(second) >= 90) return false;
        if (judged.win_before - win_percent(second) < 10) return false;
        if (clamped_centipawns(judged.best) - clamped_centipawns(second) < 100) return false;
        const Position& before = position(ply);
        if (before.in_check() && legal <= 2) return false;
        // Taking back, or taking what is free, is no feat.
        const Piece taken = before.captured(judged.move);
        if (taken == Piece::None) return true;
        if (ply > 0 && game_.plies()[ply - 1].move.to() == judged.move.to()) return false;
        return legal_swap(before, judged.move.to()) < points(type_of(taken));
    }

    void summarise(Review& review) const {
        for (std::size_t plies = 0; plies <= count_; ++plies)
            review.evaluations.push_back(white_view(plies));
        review.middlegame = phases_.middlegame;
        review.endgame = phases_.endgame;
        review.opening = find_opening(game_);
        for (std::size_t plies = 1; plies <= count_; ++plies)
            if (review.opening && find_opening(position(plies))) review.opening_plies = plies;
        std::vector<double> wins;
        wins.reserve(review.evaluations.size());
        for (const Evaluation& evaluation : review.evaluations) wins.push_back(evaluation.win);
        for (const Color side : kColors) {
            SideSummary& summary = review.side[side];
            std::vector<CountedMove> counted, by_phase[kPhases];
            double lost = 0;
            for (std::size_t ply = 0; ply < count_; ++ply) {
                const ReviewedMove& judged = review.moves[ply];
                if (judged.mover != side) continue;
                ++summary.moves;
                ++summary.count[static_cast<std::size_t>(judged.judgement)];
                lost += std::max(
                    0, clamped_centipawns(judged.best) - clamped_centipawns(judged.played));
                if (!judged.accuracy) continue;
                counted.push_back({ply, *judged.accuracy});
                by_phase[static_cast<std::size_t>(judged.phase)].push_back(counted.back());
            }
            if (summary.moves > 0) summary.average_centipawn_loss = lost / summary.moves;
            summary.accuracy = game_accuracy(wins, counted);
            for (std::size_t phase = 0; phase < kPhases; ++phase)
                summary.phase_accuracy[phase] = game_accuracy(wins, by_phase[phase]);
        }
        find_key_moments(review);
    }

    // Clear mistakes in games that were not decided: worth another try.
    void find_key_moments(Review& review) const {
        for (const Color side : kColors) {
            std::vector<std::size_t> candidates;
            for (std::size_t ply = 0; ply < count_; ++ply) {
                const ReviewedMove& judged = review.moves[ply];
                if (judged.mover != side || judged.judgement < Judgement::Mistake) continue;
                const bool missed_mate = mates(judged.best) && judged.best.moves_to_mate() <= 5;
                const bool open = judged.win_before > 10 && judged.win_before < 97;
                if ((judged.loss >= 10 && open) || missed_mate) candidates.push_back(ply);
            }
            std::stable_sort(candidates.begin(), candidates.end(),
                             [&](std::size_t a, std::size_t b) {
                                 return review.moves[a].loss > review.moves[b].loss;
                             });
            if (candidates.size() > kMostKeyMoments) candidates.resize(kMostKeyMoments);
            review.key_moments.insert(review.key_moments.end(), candidates.begin(),
                                      candidates.end());
        }
        std::sort(review.key_moments.begin(), review.key_moments.end());
    }

    const Game& game_;
    Analyst& analyst_;
    const ReviewOptions& options_;
    const Listener& listener_;
    const std::size_t count_;
    const Phases phases_;
    std::vector<std::vector<Line>> lines_;  // of every position, best first
    int done_ = 0, all_ = 0;
    bool cancelled_ = false;
};

}  // namespace

std::optional<Review> review_game(const Game& game, Analyst& analyst, const ReviewOptions& options,
                                  const Listener& listener) {
    Review review;
    if (!Reviewer(game, analyst, options, listener).run(review)) return std::nullopt;
    return review;
}

}  // namespace rokada::review
