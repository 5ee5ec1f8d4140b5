// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/temper.hpp"

#include <cstdlib>

namespace rokada::protocol {

namespace {

constexpr int kHopeless = -1000;  // centipawns
constexpr int kLevel = 10;        // centipawns
constexpr int kWorse = -50;       // centipawns: a draw would be welcome
constexpr int kSeriousDepth = 6;  // a shallower score decides nothing

}  // namespace

void Temper::note(const engine::Score& score, int depth, const Position& position) {
    ++moves_since_offer_;
    if (depth < kSeriousDepth && !score.is_mate()) return;
    const bool lost =
        score.is_mate() ? score.moves_to_mate() <= 0 : score.centipawns() <= kHopeless;
    hopeless_moves_ = lost ? hopeless_moves_ + 1 : 0;
    const bool level = !score.is_mate() && std::abs(score.centipawns()) <= kLevel;
    // Nothing has happened for a while, and it is no longer early.
    const bool dry = position.fullmove_number() >= 40 && position.halfmove_clock() >= 20;
    level_moves_ = level && dry ? level_moves_ + 1 : 0;
    accepts_ = lost || (!score.is_mate() && score.centipawns() <= kWorse) || level_moves_ >= 4;
}

bool Temper::offers_draw() {
    if (level_moves_ < 8 || moves_since_offer_ < 20) return false;
    moves_since_offer_ = 0;
    return true;
}

}  // namespace rokada::protocol
