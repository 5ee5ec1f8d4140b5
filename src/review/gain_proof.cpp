// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "chess/movegen.hpp"
#include "review/material.hpp"
#include "review/proof.hpp"

namespace rokada::review {

namespace {

class GainSearch {
  public:
    GainSearch(Color attacker, int needed, std::uint64_t limit, const std::vector<Move>& plan)
        : attacker_(attacker), needed_(needed), limit_(limit), plan_(plan) {}

    // The defender is to move; `hunter` is where the piece of the first move stands now.
    Verdict defend(const Position& position, Square hunter, int plies, std::vector<Move>* line) {
        if (++nodes_ > limit_) return Verdict::Unknown;
        const MoveList replies = legal_moves(position);
        if (replies.empty()) return position.in_check() ? Verdict::Proved : Verdict::Refuted;
        if (plies <= 0) return leaf(position);
        Verdict verdict = Verdict::Proved;
        std::vector<Move> shown;
        int best_left = 1000;
        for (const Move reply : replies) {
            Position after = position;
            after.play(reply);
            std::vector<Move> rest;
            // A piece that was taken hunts no more.
            const Square left = reply.to() == hunter ? Square::None : hunter;
            const Verdict answer =
                attack(after, left, plies - 1, line != nullptr ? &rest : nullptr);
            if (answer == Verdict::Refuted) return Verdict::Refuted;
            if (answer == Verdict::Unknown) verdict = Verdict::Unknown;
            if (nodes_ > limit_) return Verdict::Unknown;
            if (line == nullptr) continue;
            // Show the defence that keeps most.
            Position end = after;
            for (const Move move : rest) end.play(move);
            const bool mated = end.in_check() && !has_legal_move(end);
            const int kept = mated ? 900 : balance(end, attacker_);
            if (kept < best_left) {
                best_left = kept;
                shown = {reply};
                shown.insert(shown.end(), rest.begin(), rest.end());
            }
        }
        if (line != nullptr) line->insert(line->end(), shown.begin(), shown.end());
        return verdict;
    }

  private:
    bool enough(const Position& position) const { return balance(position, attacker_) >= needed_; }

    // Proved when nothing is won back by all captures together: a count of exchanges square by square would overlook
    // a piece that takes with threats elsewhere.
    Verdict leaf(const Position& position) {
        return enough(position) ? settled(position) : Verdict::Refuted;
    }

    Verdict settled(const Position& position) {
        const auto value = settled_balance(position);
        if (!value) return Verdict::Unknown;
        const int for_attacker = position.turn() == attacker_ ? *value : -*value;
        if (for_attacker < needed_) return Verdict::Refuted;
        // The side to move may have stood still; the other must not profit from that.
        if (position.in_check()) return Verdict::Proved;
        Position other = position;
        other.pass();
        return best_capture(other).gain <= 0 || position.turn() != attacker_ ? Verdict::Proved
                                                                             : Verdict::Unknown;
    }

    Verdict attack(const Position& position, Square hunter, int plies, std::vector<Move>* line) {
        if (++nodes_ > limit_) return Verdict::Unknown;
        if (enough(position) && is_quiet(position) && settled(position) == Verdict::Proved)
            return Verdict::Proved;
        const MoveList all = legal_moves(position);
        if (all.empty()) return Verdict::Refuted;
        bool unsure = false;
        // Largest captures first.
        std::vector<std::pair<int, Move>> tries;
        for (const Move move : all) {
            const Piece taken = position.captured(move);
            int rank = taken == Piece::None ? 0 : 10 + points(type_of(taken));
            if (move.is_promotion()) rank += points(move.promoted());
            if (rank == 0) {
                Position after = position;
                after.play(move);
                if (after.in_check())
                    rank = 5;
                else if (move.from() == hunter ||
                         std::find(plan_.begin(), plan_.end(), move) != plan_.end())
                    rank = 1;
                else
                    continue;
            }
            tries.emplace_back(rank, move);
        }
        std::stable_sort(tries.begin(), tries.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [rank, move] : tries) {
            Position after = position;
            after.play(move);
            std::vector<Move> rest;
            const Square left = move.from() == hunter ? move.to() : hunter;
            const Verdict verdict =
                plies <= 1 ? defend(after, left, 0, line != nullptr ? &rest : nullptr)
                           : defend(after, left, plies - 1, line != nullptr ? &rest : nullptr);
            if (verdict == Verdict::Proved) {
                if (line != nullptr) {
                    line->push_back(move);
                    line->insert(line->end(), rest.begin(), rest.end());
                }
                return Verdict::Proved;
            }
            if (verdict == Verdict::Unknown) unsure = true;
            if (nodes_ > limit_) return Verdict::Unknown;
        }
        // Not every attacking move was tried, so this is no refutation of the gain; it refutes this way of winning it.
        return unsure ? Verdict::Unknown : Verdict::Refuted;
    }

    Color attacker_;
    int needed_;
    std::uint64_t limit_, nodes_ = 0;
    const std::vector<Move>& plan_;
};

}  // namespace

GainProof gain_proof(const Position& position, Move first, int wanted, int plies,
                     std::uint64_t node_limit, const std::vector<Move>& plan) {
    GainProof proof;
    const Color attacker = position.turn();
    Position after = position;
    after.play(first);
    GainSearch search(attacker, balance(position, attacker) + wanted, node_limit, plan);
    proof.line.push_back(first);
    proof.verdict = search.defend(after, first.to(), plies - 1, &proof.line);
    if (proof.verdict != Verdict::Proved) proof.line.clear();
    return proof;
}

}  // namespace rokada::review
