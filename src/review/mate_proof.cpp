// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.hpp"
#include "review/proof.hpp"

namespace rokada::review {

namespace {

constexpr int kFullWidth = 3;  // moves up to which every attacking move is tried

// An AND/OR search: one attacking move must do, every defence must fail.
class MateSearch {
  public:
    explicit MateSearch(std::uint64_t limit) : limit_(limit) {}

    Verdict attack(const Position& position, int moves, Move* first) {
        if (++nodes_ > limit_) return Verdict::Unknown;
        bool unsure = false;
        const MoveList all = legal_moves(position);
        // Checks first: most mates begin with one, and the last move of every mate is one.
        for (const bool checks : {true, false}) {
            if (!checks && moves == 1) break;
            if (!checks && moves > kFullWidth) {
                unsure = true;
                break;
            }
            for (const Move move : all) {
                Position after = position;
                after.play(move);
                if (after.in_check() != checks) continue;
                const Verdict verdict = defend(after, moves);
                if (verdict == Verdict::Proved) {
                    if (first != nullptr) *first = move;
                    return Verdict::Proved;
                }
                if (verdict == Verdict::Unknown) unsure = true;
                if (nodes_ > limit_) return Verdict::Unknown;
            }
        }
        return unsure ? Verdict::Unknown : Verdict::Refuted;
    }

  private:
    Verdict defend(const Position& position, int moves) {
        if (++nodes_ > limit_) return Verdict::Unknown;
        const MoveList replies = legal_moves(position);
        if (replies.empty()) return position.in_check() ? Verdict::Proved : Verdict::Refuted;
        if (moves == 1) return Verdict::Refuted;
        Verdict verdict = Verdict::Proved;
        for (const Move reply : replies) {
            Position after = position;
            after.play(reply);
            const Verdict answer = attack(after, moves - 1, nullptr);
            if (answer == Verdict::Refuted) return Verdict::Refuted;
            if (answer == Verdict::Unknown) verdict = Verdict::Unknown;
            if (nodes_ > limit_) return Verdict::Unknown;
        }
        return verdict;
    }

    std::uint64_t limit_, nodes_ = 0;
};

}  // namespace

Verdict mate_proof(const Position& position, int moves, std::uint64_t node_limit) {
    return MateSearch(node_limit).attack(position, moves, nullptr);
}

std::optional<Mate> shortest_mate(const Position& position, int longest, std::uint64_t node_limit) {
    bool shorter_refuted = true;
    for (int moves = 1; moves <= longest; ++moves) {
        Mate mate;
        const Verdict verdict = MateSearch(node_limit).attack(position, moves, &mate.first);
        if (verdict == Verdict::Proved) {
            mate.moves = moves;
            mate.exact = shorter_refuted;
            return mate;
        }
        if (verdict == Verdict::Unknown) shorter_refuted = false;
    }
    return std::nullopt;
}

}  // namespace rokada::review
