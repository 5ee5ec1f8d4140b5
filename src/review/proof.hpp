// SPDX-License-Identifier: GPL-3.0-or-later
// Proofs about material and mate by search over legal moves, independent of the engine's opinion. Every reason in words rests on
// these. They may answer "unknown"; what they call proved is true against every defence.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/position.hpp"

namespace rokada::review {

enum class Verdict : std::uint8_t { Proved, Refuted, Unknown };

// The best net gain in points for the side to move by captures on one square, where either side may stop. Pins, king safety, en passant
// and promotions are respected, since only legal moves are made. Never negative.
int legal_swap(const Position& position, Square square);

// The largest legal_swap over all squares.
struct Capture {
    Square square = Square::None;
    int gain = 0;
};
Capture best_capture(const Position& position);

// No side can win material at once: not in check, no profitable capture or promotion for either, no mate in one for either.
bool is_quiet(const Position& position);

// The balance in points for the side to move once captures, promotions, evasions and a few checks have been played out; none if that takes
// too long.
std::optional<int> settled_balance(const Position& position);

// Whether the side to move can force mate within `moves` of its own moves. Up to three moves every attacking move is tried, so that a failure is a
// refutation; beyond, only checks are, and a failure is merely unknown.
Verdict mate_proof(const Position& position, int moves, std::uint64_t node_limit = 300'000);
// The shortest forced mate up to `longest`; exact only if every shorter one is refuted.
struct Mate {
    int moves = 0;
    bool exact = false;
    Move first;
};
std::optional<Mate> shortest_mate(const Position& position, int longest,
                                  std::uint64_t node_limit = 300'000);

// Whether the side to move, starting with `first`, ends at least `points` better than it stands now, at a quiet end, whatever the opponent does, within
// `plies`. The attacker may use checks, captures, promotions, moves of the piece that made the first move and the moves of `plan`; the defender is
// never restricted.
struct GainProof {
    Verdict verdict = Verdict::Unknown;
    std::vector<Move> line;  // the first move and one best defence, for showing
};
GainProof gain_proof(const Position& position, Move first, int points, int plies,
                     std::uint64_t node_limit = 200'000, const std::vector<Move>& plan = {});

}  // namespace rokada::review
