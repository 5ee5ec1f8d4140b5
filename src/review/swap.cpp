// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "chess/movegen.hpp"
#include "review/material.hpp"
#include "review/proof.hpp"

namespace rokada::review {

namespace {

// What a capture or promotion brings at once.
int immediate_gain(const Position& position, Move move) {
    int gain = 0;
    if (const Piece taken = position.captured(move); taken != Piece::None)
        gain += points(type_of(taken));
    if (move.is_promotion()) gain += points(move.promoted()) - points(PieceType::Pawn);
    return gain;
}

int swap(const Position& position, Square square, int depth) {
    if (depth == 0) return 0;
    MoveList moves;
    generate(position, MoveSet::Noisy, moves);
    // Cheapest attacker first: it is the best choice nearly always, and it bounds the rest.
    struct Try {
        Move move;
        int cost;
    };
    std::array<Try, 32> tries;
    std::size_t count = 0;
    for (const Move move : moves)
        if (move.to() == square && count < tries.size())
            tries[count++] = {move, points(type_of(position.at(move.from())))};
    std::sort(tries.begin(), tries.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Try& a, const Try& b) { return a.cost < b.cost; });
    int best = 0;
    int last_cost = -1;
    for (std::size_t i = 0; i < count; ++i) {
        // Pieces of one kind are interchangeable up to x-rays; two of them are tried, no more.
        if (i >= 2 && tries[i].cost == last_cost && tries[i - 2].cost == last_cost) continue;
        last_cost = tries[i].cost;
        const int gain = immediate_gain(position, tries[i].move);
        if (gain <= best) continue;
        Position after = position;
        after.play(tries[i].move);
        best = std::max(best, gain - swap(after, square, depth - 1));
    }
    return best;
}

constexpr int kLongestExchange = 12;

}  // namespace

int legal_swap(const Position& position, Square square) {
    return swap(position, square, kLongestExchange);
}

Capture best_capture(const Position& position) {
    MoveList moves;
    generate(position, MoveSet::Noisy, moves);
    Bitboard seen;
    Capture best;
    for (const Move move : moves) {
        const Square square = move.to();
        if (seen.contains(square)) continue;
        seen |= Bitboard{square};
        if (const int gain = legal_swap(position, square); gain > best.gain) best = {square, gain};
    }
    return best;
}

bool is_quiet(const Position& position) {
    if (position.in_check()) return false;
    if (best_capture(position).gain > 0) return false;
    if (mate_proof(position, 1) == Verdict::Proved) return false;
    Position other = position;
    other.pass();
    return best_capture(other).gain <= 0 && mate_proof(other, 1) != Verdict::Proved;
}

namespace {

constexpr int kCheckPlies = 2;
constexpr std::uint64_t kSettleNodes = 20'000;

// Quiescence on material only.
struct Settler {
    std::uint64_t nodes = 0;
    bool exhausted = false;

    int search(const Position& position, int alpha, int beta, int ply) {
        if (++nodes > kSettleNodes || ply > 40) {
            exhausted = true;
            return alpha;
        }
        const bool in_check = position.in_check();
        int best = in_check ? -100 - balance(position, position.turn())
                            : balance(position, position.turn());
        MoveList moves;
        if (in_check || ply < kCheckPlies)
            generate(position, MoveSet::All, moves);
        else
            generate(position, MoveSet::Noisy, moves);
        if (moves.empty()) {
            if (in_check) return -1000 + ply;
            if (!has_legal_move(position)) return 0;
            return best;
        }
        if (!in_check) {
            if (best >= beta) return best;
            alpha = std::max(alpha, best);
        } else {
            best = -1000 + ply;
        }
        for (const Move move : moves) {
            const bool noisy = position.is_capture(move) || move.is_promotion();
            Position after = position;
            after.play(move);
            if (!in_check && !noisy && !after.in_check()) continue;
            const int value = -search(after, -beta, -alpha, ply + 1);
            if (exhausted) return alpha;
            if (value > best) {
                best = value;
                if (value >= beta) return value;
                alpha = std::max(alpha, value);
            }
        }
        return best;
    }
};

}  // namespace

std::optional<int> settled_balance(const Position& position) {
    Settler settler;
    const int value = settler.search(position, -2000, 2000, 0);
    if (settler.exhausted) return std::nullopt;
    return value;
}

}  // namespace rokada::review
