// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/weak_player.hpp"

#include <algorithm>

#include "chess/material.hpp"
#include "engine/levels/tables.hpp"
#include "engine/levels/weak_evaluation.hpp"

namespace rokada::engine {

namespace {

constexpr int kWin = 30000, kNoScore = -40000;
constexpr int kDeepest = 12;

bool is_mate(const Position& p) { return p.in_check() && !has_legal_move(p); }

class WeakSearch {
  public:
    WeakSearch(const WeakGame& game, const Profile& profile, const Perception& perception,
               int budget)
        : game_(game), profile_(profile), perception_(perception), budget_(budget) {
        keys_ = game.past_keys;
        keys_.push_back(game.position.key());
    }

    struct RootMove {
        Move move;
        int score = kNoScore;
        int last_score = kNoScore;
    };

    // Scores all moves, each exactly as far as it is less than `margin` worse than the best.
    int run(std::vector<RootMove>& moves, int margin) {
        int completed = 0;
        for (int depth = 1; depth <= kDeepest; ++depth) {
            int best = kNoScore;
            for (RootMove& root : moves) {
                Position next = game_.position;
                next.play(root.move);
                ++nodes_;
                const int alpha = best == kNoScore ? kNoScore : best - margin;
                keys_.push_back(next.key());
                root.score =
                    -search(next, -(kWin + 1), -alpha, depth - 1, 1, root.move, game_.last);
                keys_.pop_back();
                best = std::max(best, root.score);
                // The first iteration is always finished.
                if (depth > 1 && exhausted()) break;
            }
            if (depth > 1 && exhausted()) {
                for (RootMove& root : moves) root.score = root.last_score;
                break;
            }
            for (RootMove& root : moves) root.last_score = root.score;
            std::stable_sort(moves.begin(), moves.end(), [](const RootMove& a, const RootMove& b) {
                return a.score > b.score;
            });
            completed = depth;
            if (exhausted()) break;
        }
        return completed;
    }

    std::uint64_t nodes() const { return static_cast<std::uint64_t>(nodes_); }

  private:
    bool exhausted() const { return nodes_ >= budget_; }

    bool repeats(const Position& p) const {
        const auto reach =
            std::min<std::size_t>(static_cast<std::size_t>(p.halfmove_clock()), keys_.size() - 1);
        for (std::size_t back = 2; back <= reach; back += 2)
            if (keys_[keys_.size() - 1 - back] == p.key()) return true;
        return false;
    }

    static int order(const Position& p, Move m) {
        const Piece prey = p.captured(m);
        return (prey == Piece::None
                    ? 0
                    : 100 * (1 + index(type_of(prey))) - index(type_of(p.at(m.from())))) +
               (m.is_promotion() ? 50 * index(m.promoted()) : 0);
    }

    // The moves the player sees, captures first.
    std::size_t seen_moves(const Position& p, const MoveList& list, int ply, Move last,
                           Move own_last, Move* out) const {
        std::size_t count = 0;
        for (const Move m : list)
            if (perception_.sees(p, m, ply, last, own_last)) out[count++] = m;
        if (count == 0) out[count++] = list[0];
        std::stable_sort(out, out + count,
                         [&](Move a, Move b) { return order(p, a) > order(p, b); });
        return count;
    }

    int search(const Position& p, int alpha, int beta, int depth, int ply, Move last,
               Move own_last) {
        if (p.halfmove_clock() >= 100 || repeats(p) || insufficient_material(p)) return 0;
        const MoveList list = legal_moves(p);
        if (list.empty()) return p.in_check() ? ply - kWin : 0;
        if (depth <= 0) return quiet(p, alpha, beta, ply, 0, last, list);
        Move moves[MoveList::kCapacity];
        const std::size_t count = seen_moves(p, list, ply, last, own_last, moves);
        int best = kNoScore;
        for (std::size_t i = 0; i < count; ++i) {
            Position next = p;
            next.play(moves[i]);
            ++nodes_;
            keys_.push_back(next.key());
            const int score = -search(next, -beta, -alpha, depth - 1, ply + 1, moves[i], last);
            keys_.pop_back();
            best = std::max(best, score);
            alpha = std::max(alpha, score);
            if (alpha >= beta || (exhausted() && root_done())) break;
        }
        return best;
    }

    // Counting out captures: a skill that grows with the level. Taking back on the last square is always considered.
    int quiet(const Position& p, int alpha, int beta, int ply, int chain, Move last,
              const MoveList& list) {
        int best = weak_evaluation(p, profile_, game_.seed);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
        for (const Move m : list) {
            if (!p.is_capture(m) && !(m.is_promotion() && m.promoted() == PieceType::Queen))
                continue;
            const bool back = last && m.to() == last.to();
            if (chain >= profile_.capture_chain && !(chain == 0 && back)) continue;
            if (!back && !perception_.sees(p, m, ply, last, Move())) continue;
            // Nobody gives a big piece for a small, guarded one just to see what happens.
            const Piece prey = p.captured(m);
            if (prey != Piece::None && index(type_of(prey)) + 1 < index(type_of(p.at(m.from()))) &&
                p.attacked_by(~p.turn(), m.to(), p.occupied() ^ Bitboard{m.from()}))
                continue;
            Position next = p;
            next.play(m);
            ++nodes_;
            const MoveList replies = legal_moves(next);
            const int score = replies.empty()
                                  ? (next.in_check() ? kWin - ply - 1 : 0)
                                  : -quiet(next, -beta, -alpha, ply + 1, chain + 1, m, replies);
            best = std::max(best, score);
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    bool root_done() const { return nodes_ > 4 * budget_; }

    const WeakGame& game_;
    const Profile& profile_;
    const Perception& perception_;
    std::vector<Key> keys_;
    int budget_;
    int nodes_ = 0;
};

// Whether the opponent could mate at once after the move.
bool allows_mate(const Position& p, Move m) {
    Position next = p;
    next.play(m);
    for (const Move reply : legal_moves(next)) {
        Position after = next;
        after.play(reply);
        if (is_mate(after)) return true;
    }
    return false;
}

enum Purpose : std::uint64_t { kOwnMate = 1, kPreventMate, kStalemate, kBudget, kChoice };

// Thinking time varies from move to move: between 0.7 and 1.4 of the usual.
int budget_for(const Position& p, const Profile& profile, const Perception& perception) {
    constexpr int factors[8] = {724, 800, 883, 975, 1076, 1188, 1311, 1448};
    return profile.nodes * factors[perception.draw(p, kBudget) & 7] / 1024;
}

}  // namespace

WeakMove choose_weak_move(const WeakGame& game, const Profile& profile, const MoveList& allowed) {
    const Position& position = game.position;
    Perception perception(profile, game.seed);
    const bool technique = is_basic_mate(position) && profile.elo >= 600;
    if (technique || position.fullmove_number() < 4) perception.open_eyes();

    // Mate in one is found, or not even looked for.
    if (technique || perception.lucky(position, profile.own_mate, kOwnMate))
        for (const Move m : allowed) {
            Position next = position;
            next.play(m);
            if (is_mate(next)) return {m, kWin - 1, 0, 1, allowed.size()};
        }

    // What is seen at all; of that, what does not fail at once in a way the player would notice.
    std::vector<WeakSearch::RootMove> moves;
    for (const Move m : allowed)
        if (perception.sees(position, m, 0, game.last, game.own_last)) moves.push_back({m});
    if (moves.empty()) moves.push_back({allowed[0]});
    const auto drop = [&](auto bad) {
        std::vector<WeakSearch::RootMove> kept;
        for (const auto& root : moves)
            if (!bad(root.move)) kept.push_back(root);
        if (!kept.empty()) moves = kept;
    };
    if (perception.lucky(position, profile.prevent_mate, kPreventMate)) {
        // Knowing of the threat, the player looks at every move for a defence.
        std::vector<WeakSearch::RootMove> safe;
        for (const Move m : allowed)
            if (!allows_mate(position, m)) safe.push_back({m});
        drop([&](Move m) { return allows_mate(position, m); });
        if (!safe.empty() && allows_mate(position, moves.front().move)) moves = safe;
    }
    if (technique || perception.lucky(position, profile.avoid_stalemate, kStalemate))
        drop([&](Move m) {
            Position next = position;
            next.play(m);
            return !next.in_check() && !has_legal_move(next);
        });

    const int budget =
        technique ? std::max(profile.nodes, 4000) : budget_for(position, profile, perception);
    WeakSearch search(game, profile, perception, budget);
    // Wide enough for everything the cap may allow.
    const int depth = search.run(moves, technique ? 0 : 30 + profile.cap / 3);

    const WeakSearch::RootMove best = *std::max_element(
        moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
    WeakMove result{best.move, best.score, 0, depth, search.nodes()};
    // A mate that is seen is played, a basic technique not varied.
    if (technique || best.score > kWin - 100) return result;

    // Choose among what looks nearly equal; when lost, with half the freedom: people resist.
    const int top = win_chance(best.score);
    const int temperature = top < 1500 ? profile.temperature / 2 : profile.temperature;
    std::int64_t sum = 0;
    std::vector<std::pair<const WeakSearch::RootMove*, int>> weights;
    for (const auto& root : moves) {
        const int loss = top - win_chance(root.score);
        if (loss > profile.cap || weights.size() >= 8) continue;
        weights.emplace_back(&root, decay_16(loss, temperature));
        sum += weights.back().second;
    }
    if (sum <= 0) return result;
    auto pick = static_cast<std::int64_t>(perception.draw(position, kChoice) >> 2) % sum;
    for (const auto& [root, weight] : weights) {
        if ((pick -= weight) < 0) {
            result.move = root->move;
            result.score = root->score;
            result.perceived_loss = top - win_chance(root->score);
            break;
        }
    }
    return result;
}

}  // namespace rokada::engine
