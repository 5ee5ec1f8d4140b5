// SPDX-License-Identifier: GPL-3.0-or-later
// Every number that steers the search, in one table: name, value, and the range in which a tuner
// may look. Values in centipawns, plies or history units; depths with "_1024" are in 1/1024 ply. A
// build with ROKADA_TUNING can change them at run time; in any other build they are constants.
#pragma once

#include <string_view>

namespace rokada::engine {

// clang-format off
#define ROKADA_SEARCH_PARAMETERS(X)                      \
    /* move ordering */                                  \
    X(order_victim,                    16,    4,    40)  \
    X(order_good_capture_divisor,      32,   10,   100)  \
    X(order_check,                   8000,    0, 20000)  \
    X(order_check_exchange,            75,    0,   200)  \
    X(order_pawn_threat,             4000,    0,  9000)  \
    X(order_under_promotion,        20000,    0, 40000)  \
    /* aspiration windows */                             \
    X(aspiration_depth,                 4,    2,     8)  \
    X(aspiration_delta,                10,    5,    40)  \
    X(aspiration_score_divisor,     15000, 5000, 40000)  \
    X(aspiration_growth,               50,   20,   150)  \
    /* rewards of good moves */                          \
    X(bonus_slope,                    160,   50,   400)  \
    X(bonus_offset,                    80,    0,   400)  \
    X(bonus_max,                     1600,  500,  4000)  \
    X(malus_slope,                    190,   50,   600)  \
    X(malus_offset,                   100,    0,   400)  \
    X(malus_max,                     1500,  500,  4000)  \
    X(prior_bonus_slope,              120,    0,   300)  \
    X(prior_bonus_max,               1200,  200,  3000)  \
    X(evaluation_nudge,                 8,    0,    30)  \
    X(evaluation_nudge_max,           600,    0,  2000)  \
    /* correction of the static evaluation */            \
    X(correction_pawn,                 36,    0,   100)  \
    X(correction_minor,                32,    0,   100)  \
    X(correction_non_pawn,             40,    0,   100)  \
    X(correction_continuation,         28,    0,   100)  \
    /* whole-node pruning */                             \
    X(razoring_base,                  250,  100,   600)  \
    X(razoring_slope,                 160,   60,   400)  \
    X(futility_node_depth,             11,    6,    16)  \
    X(futility_node_margin,            74,   30,   150)  \
    X(futility_node_improving,         60,    0,   140)  \
    X(futility_node_worsening,         15,    0,    60)  \
    X(null_move_margin,               170,    0,   400)  \
    X(null_move_margin_slope,          16,    0,    40)  \
    X(null_move_base,                   5,    3,     8)  \
    X(null_move_divisor,                3,    2,     6)  \
    X(null_move_verify_depth,          15,   10,    20)  \
    X(probcut_margin,                 180,   80,   350)  \
    X(probcut_improving,               50,    0,   120)  \
    X(probcut_depth,                    5,    3,     8)  \
    X(small_probcut_margin,           350,  200,   700)  \
    /* late moves */                                     \
    X(late_moves_base,                  3,    1,     8)  \
    X(futility_move_depth,             10,    5,    15)  \
    X(futility_move_base,              85,   20,   300)  \
    X(futility_move_slope,             80,   30,   200)  \
    X(history_pruning,              -3800,-9000, -1000)  \
    X(exchange_quiet,                  22,    8,    60)  \
    X(exchange_noisy,                 110,   40,   250)  \
    X(futility_capture_base,          180,   50,   500)  \
    X(futility_capture_slope,         180,   50,   400)  \
    /* singular extension */                             \
    X(singular_depth,                   6,    4,    10)  \
    X(singular_margin,                 52,   20,   120)  \
    X(singular_double,                 16,    0,    60)  \
    X(singular_triple,                 95,   30,   250)  \
    /* late move reductions */                           \
    X(reduction_base_1024,            700,    0,  2000)  \
    X(reduction_factor,               190,   80,   350)  \
    X(reduction_not_improving_1024,   600,    0,  1500)  \
    X(reduction_cut_node_1024,       1800,    0,  4000)  \
    X(reduction_no_table_move_1024,   800,    0,  2500)  \
    X(reduction_was_pv_1024,         1600,    0,  4000)  \
    X(reduction_pv_node_1024,        1000,    0,  2500)  \
    X(reduction_noisy_table_1024,    1000,    0,  2500)  \
    X(reduction_cutoffs_1024,         900,    0,  2500)  \
    X(reduction_check_1024,          1000,    0,  2500)  \
    X(reduction_first_move_1024,     1500,    0,  3000)  \
    X(reduction_history_divisor,       11,    4,    40)  \
    X(reduction_correction,            20,    0,    60)  \
    X(deeper_margin,                   35,   10,   100)  \
    X(shallower_margin,                 8,    0,    30)  \
    /* quiescence */                                     \
    X(quiescence_futility,            170,   60,   400)  \
    X(quiescence_exchange,            -35, -150,     0)  \
    /* mate scout: one of its moves for so many of the search */ \
    X(scout_share,                     32,    8,   256)  \
    /* time */                                           \
    X(time_node_base,                2100, 1500,  3000)  \
    X(time_node_slope,               1500,  500,  2500)  \
    X(time_stable_base,              1280, 1000,  1600)  \
    X(time_stable_slope,               55,   10,   100)  \
    X(time_drop_slope,                  9,    0,    30)
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
    int SearchParameters::* member;
    int value, low, high;
};

inline constexpr ParameterInfo kSearchParameterList[] = {
#define ROKADA_ENTRY(name, value, low, high) {#name, &SearchParameters::name, value, low, high},
    ROKADA_SEARCH_PARAMETERS(ROKADA_ENTRY)
#undef ROKADA_ENTRY
};

}  // namespace rokada::engine
