// SPDX-License-Identifier: GPL-3.0-or-later
// Scores inside the search, always from the side to move: centipawns in the middle, wins read from
// tablebases above and below, mates at both ends. A mate is worth less the more plies it is away
// from the root.
#pragma once

#include "engine/score.hpp"

namespace rokada::engine {

using Value = int;
using Depth = int;  // in plies

inline constexpr int kMaxPly = 246;

inline constexpr Value kDraw = 0;
inline constexpr Value kMate = 32000;
inline constexpr Value kInfinite = 32001;
inline constexpr Value kNoValue = 32002;
inline constexpr Value kMateInMaxPly = kMate - kMaxPly;
inline constexpr Value kTablebaseWin = kMateInMaxPly - 1;
inline constexpr Value kTablebaseWinInMaxPly = kTablebaseWin - kMaxPly;
// No evaluation reaches into the proven results.
inline constexpr Value kMaxEvaluation = kTablebaseWinInMaxPly - 1;

constexpr Value mate_in(int ply) { return kMate - ply; }
constexpr Value mated_in(int ply) { return ply - kMate; }
constexpr bool is_win(Value v) { return v >= kTablebaseWinInMaxPly && v != kNoValue; }
constexpr bool is_loss(Value v) { return v <= -kTablebaseWinInMaxPly; }
constexpr bool is_decisive(Value v) { return is_win(v) || is_loss(v); }
constexpr bool is_mate(Value v) { return v >= kMateInMaxPly || v <= -kMateInMaxPly; }
constexpr Value clamp_evaluation(Value v) {
    return v > kMaxEvaluation ? kMaxEvaluation : v < -kMaxEvaluation ? -kMaxEvaluation : v;
}

// For the user: moves to mate instead of plies, and wins read from tables as 200 pawns less the plies to go.
constexpr Score to_score(Value v) {
    if (v >= kMateInMaxPly) return Score::mate_in((kMate - v + 1) / 2);
    if (v <= -kMateInMaxPly) return Score::mated_in((kMate + v) / 2);
    if (is_win(v)) return Score::centipawns(20000 - (kTablebaseWin - v));
    if (is_loss(v)) return Score::centipawns(-20000 + (kTablebaseWin + v));
    return Score::centipawns(v);
}

}  // namespace rokada::engine
