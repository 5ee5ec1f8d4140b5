// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/correction.hpp"

#include <algorithm>

#include "engine/search/parameters.hpp"
#include "engine/search/switches.hpp"

namespace rokada::engine {

Value Corrections::correction(const Frame* frame) const {
    if (!kUse.corrections) return 0;
    const Position& p = frame->position;
    const Color us = p.turn();
    int sum = kSearch.correction_pawn * pawn_[us][slot(p.pawn_key())] +
              kSearch.correction_minor * minor_[us][slot(p.minor_key())] +
              kSearch.correction_non_pawn * (white_[us][slot(p.non_pawn_key(Color::White))] +
                                             black_[us][slot(p.non_pawn_key(Color::Black))]);
    if (frame[-1].moved_to && frame[-2].moved_to)
        sum += kSearch.correction_continuation *
               continuation_[*frame[-2].moved_to][*frame[-1].moved_to];
    return sum / kLimit;
}

void Corrections::prefetch(const Frame* frame) const {
    const Position& p = frame->position;
    const Color us = p.turn();
    __builtin_prefetch(&pawn_[us][slot(p.pawn_key())]);
    __builtin_prefetch(&minor_[us][slot(p.minor_key())]);
    __builtin_prefetch(&white_[us][slot(p.non_pawn_key(Color::White))]);
    __builtin_prefetch(&black_[us][slot(p.non_pawn_key(Color::Black))]);
    if (frame[-1].moved_to && frame[-2].moved_to)
        __builtin_prefetch(&continuation_[*frame[-2].moved_to][*frame[-1].moved_to]);
}

void Corrections::learn(const Frame* frame, Value error, Depth depth) {
    const Position& p = frame->position;
    const Color us = p.turn();
    const int bonus = std::clamp(error * depth / 8, -kLimit / 4, kLimit / 4);
    pawn_[us][slot(p.pawn_key())].update(bonus);
    minor_[us][slot(p.minor_key())].update(bonus);
    white_[us][slot(p.non_pawn_key(Color::White))].update(bonus);
    black_[us][slot(p.non_pawn_key(Color::Black))].update(bonus);
    if (frame[-1].moved_to && frame[-2].moved_to)
        continuation_[*frame[-2].moved_to][*frame[-1].moved_to].update(bonus);
}

}  // namespace rokada::engine
