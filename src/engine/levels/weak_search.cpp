// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/weak_search.hpp"

#include <algorithm>

#include "chess/material.hpp"
#include "engine/levels/weak_evaluation.hpp"

namespace rokada::engine {

namespace {

constexpr int kMostHistory = 1 << 14;

bool has_pieces(const Position& p) {
    const Color us = p.turn();
    return p.pieces(us) != (p.pieces(us, PieceType::Pawn) | p.pieces(us, PieceType::King));
}

std::size_t at(Square s) { return static_cast<std::size_t>(index(s)); }

}  // namespace

WeakSearch::WeakSearch(const WeakGame& game, const Profile& profile, const Perception& perception,
                       int budget)
    : game_(game), profile_(profile), perception_(perception), memory_(4096), budget_(budget) {
    keys_ = game.past_keys;
    keys_.push_back(game.position.key());
}

int WeakSearch::run(std::vector<RootMove>& moves, int margin) {
    int completed = 0;
    for (int depth = 1; depth <= kDeepest; ++depth) {
        may_stop_ = depth > 1;
        int best = kNoScore;
        for (RootMove& root : moves) {
            Position next = game_.position;
            next.play(root.move);
            ++nodes_;
            const int alpha = best == kNoScore ? kNoScore : best - margin;
            keys_.push_back(next.key());
            root.score =
                -search(next, -(kWin + 1), -alpha, depth - 1,
                        {root.move, game_.last, 1, game_.position.is_capture(root.move), false});
            keys_.pop_back();
            if (stopped()) break;
            best = std::max(best, root.score);
        }
        if (stopped()) {
            for (RootMove& root : moves) root.score = root.last_score;
            break;
        }
        for (RootMove& root : moves) root.last_score = root.score;
        std::stable_sort(moves.begin(), moves.end(),
                         [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
        completed = depth;
        if (nodes_ >= budget_) break;
    }
    return completed;
}

bool WeakSearch::repeats(const Position& p) const {
    const auto reach =
        std::min<std::size_t>(static_cast<std::size_t>(p.halfmove_clock()), keys_.size() - 1);
    for (std::size_t back = 2; back <= reach; back += 2)
        if (keys_[keys_.size() - 1 - back] == p.key()) return true;
    return false;
}

int WeakSearch::order(const Position& p, Move m, const Step& step, Move best) const {
    if (m == best) return 1 << 24;
    const Piece prey = p.captured(m);
    if (prey != Piece::None || m.is_promotion()) {
        const int victim = prey == Piece::None ? 0 : 1 + index(type_of(prey));
        return (1 << 20) + 100 * victim - index(type_of(p.at(m.from()))) +
               (m.is_promotion() ? 50 * index(m.promoted()) : 0);
    }
    const auto& killers = killers_[static_cast<std::size_t>(step.ply)];
    if (m == killers[0]) return (1 << 19) + 1;
    if (m == killers[1]) return 1 << 19;
    return history_[at(m.from())][at(m.to())];
}

// The moves the player sees, the likely best first.
std::size_t WeakSearch::seen_moves(const Position& p, const MoveList& list, const Step& step,
                                   Move* out) const {
    std::size_t count = 0;
    for (const Move m : list)
        if (perception_.sees(p, m, step.ply, step.last, step.own_last)) out[count++] = m;
    if (count == 0) out[count++] = list[0];
    const Move best = memory_[p.key() & (memory_.size() - 1)];
    std::array<std::pair<int, Move>, MoveList::kCapacity> scored;
    for (std::size_t i = 0; i < count; ++i) scored[i] = {order(p, out[i], step, best), out[i]};
    std::stable_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < count; ++i) out[i] = scored[i].second;
    return count;
}

void WeakSearch::reward(const Position& p, Move m, int depth, int ply) {
    remembered(p) = m;
    if (p.is_capture(m) || m.is_promotion()) return;
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != m) {
        killers[1] = killers[0];
        killers[0] = m;
    }
    int& value = history_[at(m.from())][at(m.to())];
    value += depth * depth * (kMostHistory - value) / kMostHistory;
}

int WeakSearch::search(const Position& p, int alpha, int beta, int depth, const Step& step) {
    if (p.halfmove_clock() >= 100 || repeats(p) || insufficient_material(p)) return 0;
    const MoveList list = legal_moves(p);
    if (list.empty()) return p.in_check() ? step.ply - kWin : 0;
    if (step.ply >= kMostPlies - 1) return weak_evaluation(p, profile_, game_.seed);
    const bool clear = profile_.clear_sighted();
    if (clear && p.in_check()) ++depth;  // one must answer a check anyway
    if (depth <= 0) return quiet(p, alpha, beta, step, 0, list);

    // Who sees everything also sees what the opponent could do if it were his turn again.
    if (clear && depth >= 3 && !step.passed && !p.in_check() && beta < kWin - 200 &&
        has_pieces(p) && weak_evaluation(p, profile_, game_.seed) >= beta) {
        Position next = p;
        next.pass();
        ++nodes_;
        keys_.push_back(next.key());
        const int score = -search(next, -beta, -beta + 1, depth - 3,
                                  {Move(), step.last, step.ply + 1, false, true});
        keys_.pop_back();
        if (stopped()) return 0;
        if (score >= beta) return beta;
    }

    Move moves[MoveList::kCapacity];
    const std::size_t count = seen_moves(p, list, step, moves);
    int best = kNoScore;
    for (std::size_t i = 0; i < count; ++i) {
        const Move m = moves[i];
        Position next = p;
        next.play(m);
        ++nodes_;
        keys_.push_back(next.key());
        const Step below{m, step.last, step.ply + 1, p.is_capture(m), false};
        int score = 0;
        if (i == 0) {
            score = -search(next, -beta, -alpha, depth - 1, below);
        } else {
            // Late quiet moves are looked at less closely first.
            const bool late = clear && depth >= 3 && i >= 4 && !p.is_capture(m) &&
                              !m.is_promotion() && !p.in_check() && !next.in_check();
            score = -search(next, -alpha - 1, -alpha, depth - 1 - late, below);
            if (late && score > alpha && !stopped())
                score = -search(next, -alpha - 1, -alpha, depth - 1, below);
            if (score > alpha && score < beta && !stopped())
                score = -search(next, -beta, -alpha, depth - 1, below);
        }
        keys_.pop_back();
        if (stopped()) return 0;
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            if (alpha >= beta) {
                reward(p, m, depth, step.ply);
                break;
            }
            remembered(p) = m;
        }
    }
    return best;
}

// Counting out captures: a skill that grows with the level. Taking back what has just taken
// belongs to the shortest count.
int WeakSearch::quiet(const Position& p, int alpha, int beta, const Step& step, int chain,
                      const MoveList& list) {
    int best = weak_evaluation(p, profile_, game_.seed);
    if (best >= beta || step.ply >= kMostPlies - 1) return best;
    alpha = std::max(alpha, best);
    std::array<std::pair<int, Move>, MoveList::kCapacity> captures;
    std::size_t count = 0;
    for (const Move m : list) {
        if (!p.is_capture(m) && !(m.is_promotion() && m.promoted() == PieceType::Queen)) continue;
        const bool back = step.took && m.to() == step.last.to();
        if (chain >= profile_.capture_chain && !(chain == 0 && back)) continue;
        if (!perception_.sees(p, m, step.ply, step.last, Move())) continue;
        // Nobody gives a big piece for a small, guarded one just to see what happens.
        const Piece prey = p.captured(m);
        if (prey != Piece::None && index(type_of(prey)) + 1 < index(type_of(p.at(m.from()))) &&
            p.attacked_by(~p.turn(), m.to(), p.occupied() ^ Bitboard{m.from()}))
            continue;
        captures[count++] = {order(p, m, step, Move()), m};
    }
    std::stable_sort(captures.begin(), captures.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < count; ++i) {
        const Move m = captures[i].second;
        Position next = p;
        next.play(m);
        ++nodes_;
        const MoveList replies = legal_moves(next);
        const int score =
            replies.empty() ? (next.in_check() ? kWin - step.ply - 1 : 0)
                            : -quiet(next, -beta, -alpha, {m, step.last, step.ply + 1, true, false},
                                     chain + 1, replies);
        if (stopped()) return best;
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

}  // namespace rokada::engine
