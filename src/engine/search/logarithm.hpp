// SPDX-License-Identifier: GPL-3.0-or-later
// Binary logarithms in 1/256, computed with integers, so that every compiler and CPU gets the same
// table.
#pragma once

#include <array>
#include <cstdint>

namespace rokada::engine {

// floor(256 * log2(n)) for n >= 1: the whole part by counting bits, the rest by squaring the
// mantissa eight times.
constexpr int log2_256(unsigned n) {
    int whole = 0;
    while (n >> (whole + 1)) ++whole;
    std::uint64_t mantissa = (static_cast<std::uint64_t>(n) << 31) >> whole;  // in [1, 2), 31 bits
    int result = whole;
    for (int bit = 0; bit < 8; ++bit) {
        mantissa = (mantissa * mantissa) >> 31;
        result *= 2;
        if (mantissa >> 32) {
            mantissa >>= 1;
            ++result;
        }
    }
    return result;
}

inline constexpr auto kLog2 = [] {
    std::array<int, 256> table{};
    for (unsigned n = 1; n < table.size(); ++n) table[n] = log2_256(n);
    return table;
}();

}  // namespace rokada::engine
