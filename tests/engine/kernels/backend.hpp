// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of one instruction set as a table of functions. Each back-end is compiled in a file of its own, with the
// flags of its processors (CMakeLists.txt). Nothing of the standard library may come in there, or the linker could
// give code for newer processors to the rest of the program.
#pragma once

#include <cstdint>

namespace rokada::engine {

struct Backend {
    using Row = const std::int16_t*;
    const char* name;
    void (*add_row)(std::int16_t* sums, Row row);
    void (*subtract_row)(std::int16_t* sums, Row row);
    void (*move_one)(std::int16_t* sums, Row old, Row plus, Row minus);
    void (*move_and_take)(std::int16_t* sums, Row old, Row plus, Row minus, Row minus2);
    void (*move_two)(std::int16_t* sums, Row old, Row plus, Row plus2, Row minus, Row minus2);
    std::int64_t (*weigh)(Row own, Row other, Row own_weights, Row other_weights);
};

extern const Backend kPlain, kSse2, kAvx2, kAvx512, kAvx512Vnni;

// In the namespace of a back-end: its functions.
#define ROKADA_BACKEND(name)    \
    {#name,                     \
     simd::name::add_row,       \
     simd::name::subtract_row,  \
     simd::name::move_one,      \
     simd::name::move_and_take, \
     simd::name::move_two,      \
     simd::name::weigh}

}  // namespace rokada::engine
