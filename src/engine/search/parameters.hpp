// SPDX-License-Identifier: GPL-3.0-or-later
// Every number that steers the search, in one table: name, value, and the range in which a tuner
// may look. Values in centipawns, plies or history units; depths with "_1024" are in 1/1024 ply. A
// build with ROKADA_TUNING can change them at run time; in any other build they are constants.
#pragma once

#include <string_view>

namespace rokada::engine {

// clang-format off
#define ROKADA_SEARCH_PARAMETERS(X)                   \
    /* move ordering */                               \
    X(order_victim,                 16,    4,    40)  \
    X(order_good_capture_divisor,   32,   10,   100)  \
    X(order_check,                8000,    0, 20000)  \
    X(order_check_exchange,         75,    0,   200)  \
    X(order_pawn_threat,          4000,    0,  9000)  \
    X(order_under_promotion,     20000,    0, 40000)  \
    /* aspiration windows */                          \
    X(aspiration_depth,              4,    2,     8)  \
    X(aspiration_delta,             12,    5,    40)  \
    X(aspiration_growth,            50,   20,   150)  \
    /* rewards of good moves */                       \
    X(bonus_slope,                 170,   50,   400)  \
    X(bonus_offset,                 90,    0,   400)  \
    X(bonus_max,                  1700,  500,  4000)  \
    X(malus_slope,                 200,   50,   600)  \
    X(malus_offset,                100,    0,   400)  \
    X(malus_max,                  1600,  500,  4000)
// clang-format on

struct SearchParameters {
#define ROKADA_MEMBER(name, value, low, high) int name = value;
    ROKADA_SEARCH_PARAMETERS(ROKADA_MEMBER)
#undef ROKADA_MEMBER
};

#ifdef ROKADA_TUNING
inline SearchParameters kSearch;
#else
inline constexpr SearchParameters kSearch{};
#endif

struct ParameterInfo {
    std::string_view name;
    int SearchParameters::*member;
    int value, low, high;
};

inline constexpr ParameterInfo kSearchParameterList[] = {
#define ROKADA_ENTRY(name, value, low, high) {#name, &SearchParameters::name, value, low, high},
    ROKADA_SEARCH_PARAMETERS(ROKADA_ENTRY)
#undef ROKADA_ENTRY
};

}  // namespace rokada::engine
