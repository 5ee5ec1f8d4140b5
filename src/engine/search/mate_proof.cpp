// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/mate_proof.hpp"

#include <algorithm>

#include "engine/search/checks.hpp"

namespace rokada::engine {

namespace {

constexpr int kBucket = 4;

std::vector<Move> all_moves(const Position& position) {
    std::vector<Move> moves;
    for (const Move move : legal_moves(position)) moves.push_back(move);
    return moves;
}

bool mated(const Position& position) { return position.in_check() && !has_legal_move(position); }

}  // namespace

MateProof::MateProof(std::size_t megabytes, std::function<bool(std::uint64_t)> stop)
    : stop_(std::move(stop)) {
    // Half as much again and again, if the system has not that much.
    for (std::size_t bytes = std::max<std::size_t>(megabytes, 1) << 20; bytes >= 1u << 16;
         bytes /= 2) {
        if (!memory_.allocate(bytes)) continue;
        buckets_ = bytes / (sizeof(Entry) * kBucket);
        entries_ = static_cast<Entry*>(memory_.data());
        break;
    }
}

bool MateProof::stopped() {
    if (nodes_ >= next_look_) {
        next_look_ = nodes_ + 256;
        stopped_ = stopped_ || stop_(nodes_);
    }
    return stopped_;
}

// The same position with another number of moves left is another question.
Key MateProof::key_of(const Position& position, int moves) const {
    const auto clock = clock_matters_ ? static_cast<std::uint64_t>(position.halfmove_clock()) : 0;
    return position.key() ^ mix_bits(static_cast<std::uint64_t>(moves) + (clock << 16) + 1);
}

MateProof::Entry* MateProof::find(Key key) const {
    if (buckets_ == 0) return nullptr;
    Entry* const bucket = entries_ + key % buckets_ * kBucket;
    for (int i = 0; i < kBucket; ++i)
        if (bucket[i].key == key) return bucket + i;
    return nullptr;
}

// Both numbers are 0 if nothing is known.
MateProof::Numbers MateProof::known(const Position& position, int moves) const {
    if (const Entry* const entry = find(key_of(position, moves))) return entry->numbers;
    // A mate in fewer moves is a mate in this many.
    if (const Entry* const shorter = moves > 1 ? find(key_of(position, moves - 1)) : nullptr;
        shorter && shorter->numbers.proof == 0)
        return kProven;
    return {0, 0};
}

void MateProof::store(const Position& position, int moves, Numbers numbers) {
    if (buckets_ == 0) return;
    const Key key = key_of(position, moves);
    Entry* const bucket = entries_ + key % buckets_ * kBucket;
    // What is nearest to no answer makes room.
    Entry* slot = bucket;
    const auto worth = [](const Entry& e) {
        return e.key == 0 ? ~0u : std::min(e.numbers.proof, e.numbers.disproof);
    };
    for (int i = 0; i < kBucket; ++i) {
        if (bucket[i].key == key) {
            slot = bucket + i;
            break;
        }
        if (worth(bucket[i]) > worth(*slot)) slot = bucket + i;
    }
    *slot = {key, numbers};
}

int MateProof::per_mille_full() const {
    std::uint64_t used = 0;
    const std::uint64_t sample = std::min<std::uint64_t>(buckets_ * kBucket, 1000);
    for (std::uint64_t i = 0; i < sample; ++i) used += entries_[i].key != 0;
    return sample == 0 ? 0 : static_cast<int>(used * 1000 / sample);
}

bool MateProof::mates_at_once(const Position& position) {
    const Checks checks(position);
    for (const Move move : legal_moves(position))
        if ((move.is_en_passant() || checks.given_by(position, move)) &&
            mated(after(position, move)))
            return true;
    return false;
}

// The defender has moves, all of which allow mate at once.
bool MateProof::answers_lose_at_once(const Position& position) {
    for (const Move move : legal_moves(position)) {
        const Position next = after(position, move);
        if (drawn(next) || !mates_at_once(next)) return false;
    }
    return true;
}

MateProof::Numbers MateProof::look(const Position& position, int moves, bool attacks) {
    if (attacks && drawn(position)) return kDisproven;
    const Numbers numbers = known(position, moves);
    return numbers.proof == 0 && numbers.disproof == 0 ? first_look(position, moves, attacks)
                                                       : numbers;
}

// The attacker is to move with `moves` to go, or the defender is and the attacker has `moves` left.
MateProof::Numbers MateProof::first_look(const Position& position, int moves, bool attacks) {
    if (attacks) {
        if (moves == 1) return mates_at_once(position) ? kProven : kDisproven;
        return {1, 1};
    }
    const MoveList answers = legal_moves(position);
    if (answers.empty()) return position.in_check() ? kProven : kDisproven;
    if (moves == 0 || drawn(position)) return kDisproven;
    if (moves == 1) return answers_lose_at_once(position) ? kProven : kDisproven;
    // The fewer answers, the nearer the proof.
    return {static_cast<std::uint32_t>(answers.size()), 1};
}

std::vector<MateProof::Child> MateProof::children(const Position& position, int moves, bool attacks,
                                                  const std::vector<Move>& allowed) {
    std::vector<Child> result;
    const int left = attacks ? moves - 1 : moves;
    for (const Move move : legal_moves(position)) {
        if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), move) == allowed.end())
            continue;
        Child child{move, after(position, move), {}};
        child.numbers = look(child.position, left, !attacks);
        result.push_back(child);
        // One is enough.
        if ((attacks ? child.numbers.proof : child.numbers.disproof) == 0) break;
    }
    return result;
}

// Until the numbers reach their limit. For the attacker one move is enough to prove and all are needed to disprove; for
// the defender it is the other way round.
MateProof::Numbers MateProof::search(const Position& position, int moves, bool attacks,
                                     Numbers limit, const std::vector<Move>& allowed) {
    std::vector<Child> list = children(position, moves, attacks, allowed);
    const int left = attacks ? moves - 1 : moves;
    for (;;) {
        // `one`: what the side to move wants, by its best move; `all`: what the other wants, against all moves.
        std::uint32_t one = kInfinity, second = kInfinity, all = 0;
        Child* best = nullptr;
        for (Child& child : list) {
            const std::uint32_t own = attacks ? child.numbers.proof : child.numbers.disproof;
            const std::uint32_t other = attacks ? child.numbers.disproof : child.numbers.proof;
            // The same position may be counted on many ways: the sum must not reach infinity by itself.
            all = std::min(all + other, kInfinity - 1);
            if (own < one) {
                second = one;
                one = own;
                best = &child;
            } else {
                second = std::min(second, own);
            }
        }
        if (one == 0) all = kInfinity;
        const Numbers numbers = attacks ? Numbers{one, all} : Numbers{all, one};
        if (numbers.proof >= limit.proof || numbers.disproof >= limit.disproof || !best ||
            stopped()) {
            if (!allowed.empty()) return numbers;
            store(position, moves, numbers);
            return numbers;
        }
        const std::uint32_t own_limit = attacks ? limit.proof : limit.disproof;
        const std::uint32_t all_limit = attacks ? limit.disproof : limit.proof;
        const std::uint32_t best_other = attacks ? best->numbers.disproof : best->numbers.proof;
        // Stay with a move a little longer than strictly right, so that work is not done again and again.
        const std::uint32_t one_limit = std::min(own_limit, second + 1 + second / 4);
        const std::uint32_t other_limit =
            all_limit >= kInfinity ? kInfinity : all_limit - all + best_other;
        const Numbers next =
            attacks ? Numbers{one_limit, other_limit} : Numbers{other_limit, one_limit};
        best->numbers = search(best->position, left, !attacks, next, {});
    }
}

MateProof::Answer MateProof::prove(const Position& position, int moves,
                                   const std::vector<Move>& allowed) {
    stopped_ = false;
    clock_matters_ = clock_matters_ || position.halfmove_clock() + 2 * moves > 100;
    const Numbers numbers = search(position, moves, true, {kInfinity, kInfinity}, allowed);
    return numbers.proof == 0      ? Answer::Mate
           : numbers.disproof == 0 ? Answer::None
                                   : Answer::Unknown;
}

Move MateProof::mating_move(const Position& position, int moves, const std::vector<Move>& allowed) {
    const std::vector<Move> candidates = allowed.empty() ? all_moves(position) : allowed;
    // The answer may have had to make room for others; then it is found again.
    for (const bool again : {false, true})
        for (const Move move : candidates) {
            const Position next = after(position, move);
            Numbers numbers = look(next, moves - 1, false);
            if (again && numbers.proof != 0 && numbers.disproof != 0)
                numbers = search(next, moves - 1, false, {kInfinity, kInfinity}, {});
            if (numbers.proof == 0) return move;
        }
    return Move();
}

std::vector<Move> MateProof::line(const Position& start, int moves,
                                  const std::vector<Move>& allowed) {
    std::vector<Move> result;
    Position position = start;
    for (int left = moves; left > 0; --left) {
        // The attacker's move: one after which the rest is a proven mate.
        const std::vector<Move> only = left == moves ? allowed : std::vector<Move>{};
        if (prove(position, left, only) != Answer::Mate) return {};
        const Move mating = mating_move(position, left, only);
        if (!mating) return {};
        result.push_back(mating);
        position.play(mating);
        if (left == 1) break;
        // The defender's: one that is not mated sooner.
        bool found = false;
        for (const Move move : legal_moves(position)) {
            const Position next = after(position, move);
            const Answer sooner = left == 2 ? Answer::None : prove(next, left - 2);
            if (sooner == Answer::Unknown) return {};
            if (sooner == Answer::Mate) continue;
            result.push_back(move);
            position = next;
            found = true;
            break;
        }
        if (!found) return {};
    }
    return mated(position) ? result : std::vector<Move>{};
}

}  // namespace rokada::engine
