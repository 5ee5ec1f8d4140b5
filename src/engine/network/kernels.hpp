// SPDX-License-Identifier: GPL-3.0-or-later
// The loops over the hidden layer, where an evaluation by the network spends its time. All rows have kHiddenNeurons values
// and are aligned to 64 bytes. Includes nothing that a test could not compile for another processor.
#pragma once

#include "engine/network/simd.hpp"
#include "engine/network/width.hpp"

namespace rokada::engine::simd::inline ROKADA_SIMD {

using Row = const std::int16_t*;

inline void add_row(std::int16_t* sums, Row row) {
    for (int i = 0; i < kHiddenNeurons; i += kShorts)
        store(sums + i, add(load(sums + i), load(row + i)));
}

inline void subtract_row(std::int16_t* sums, Row row) {
    for (int i = 0; i < kHiddenNeurons; i += kShorts)
        store(sums + i, subtract(load(sums + i), load(row + i)));
}

// Each shape of move in one pass: a man goes from one square to another,
inline void move_one(std::int16_t* sums, Row old, Row plus, Row minus) {
    for (int i = 0; i < kHiddenNeurons; i += kShorts)
        store(sums + i, subtract(add(load(old + i), load(plus + i)), load(minus + i)));
}

// takes another one,
inline void move_and_take(std::int16_t* sums, Row old, Row plus, Row minus, Row minus2) {
    for (int i = 0; i < kHiddenNeurons; i += kShorts)
        store(sums + i, subtract(subtract(add(load(old + i), load(plus + i)), load(minus + i)),
                                 load(minus2 + i)));
}

// or two move at once.
inline void move_two(std::int16_t* sums, Row old, Row plus, Row plus2, Row minus, Row minus2) {
    for (int i = 0; i < kHiddenNeurons; i += kShorts)
        store(sums + i, subtract(subtract(add(add(load(old + i), load(plus + i)), load(plus2 + i)),
                                          load(minus + i)),
                                 load(minus2 + i)));
}

// The output before its bias: the sum of clamp(x)^2 * weight over both views.
inline std::int64_t weigh(Row own, Row other, Row own_weights, Row other_weights) {
    Sum a = zero(), b = zero();
    for (int i = 0; i < kHiddenNeurons; i += kShorts) {
        a = square_dot(a, load(own + i), load(own_weights + i));
        b = square_dot(b, load(other + i), load(other_weights + i));
    }
    return total(a) + total(b);
}

}  // namespace rokada::engine::simd::inline ROKADA_SIMD
