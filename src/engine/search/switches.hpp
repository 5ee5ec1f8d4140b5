// SPDX-License-Identifier: GPL-3.0-or-later
// Every technique of the engine by name, so that the lab can switch one off and see what it is worth.
// In the playing engine all are on and constants: the compiler leaves no trace of them. The lab's
// engine is the same code built with ROKADA_TUNING, where they are options.
#pragma once

#include <string_view>

#include "engine/evaluation/term_group.hpp"

namespace rokada::engine {

// clang-format off
#define ROKADA_SWITCHES(X)                                                             \
    X(alpha_beta,            "alpha-beta: moves that cannot matter are not searched")  \
    X(aspiration,            "aspiration windows around the expected score")           \
    X(quiescence,            "quiescence search beyond the horizon")                   \
    X(mate_scout,            "mate scout: a proof beside the search")                  \
    X(upcoming_repetition,   "upcoming repetition")                                    \
    X(draws,                 "draws by repetition, fifty moves and material")          \
    X(mate_distance,         "mate distance pruning")                                  \
    X(table,                 "transposition table")                                    \
    X(tablebases,            "tablebases in the search")                               \
    X(corrections,           "correction histories")                                   \
    X(estimates,             "table value as estimate, improving and worsening")       \
    X(hindsight,             "hindsight depth")                                        \
    X(razoring,              "razoring")                                               \
    X(reverse_futility,      "reverse futility")                                       \
    X(null_move,             "null move")                                              \
    X(probcut,               "ProbCut")                                                \
    X(internal_reduction,    "internal iterative reduction")                           \
    X(move_ordering,         "move ordering")                                          \
    X(butterfly_history,     "butterfly history")                                      \
    X(continuation_history,  "continuation histories")                                 \
    X(pawn_history,          "pawn history")                                           \
    X(capture_history,       "capture history")                                        \
    X(late_move_pruning,     "late move pruning")                                      \
    X(futility_pruning,      "futility pruning of moves")                              \
    X(history_pruning,       "history pruning")                                        \
    X(exchange_pruning,      "exchange pruning")                                       \
    X(singular_extension,    "singular extension and multicut")                        \
    X(late_move_reductions,  "late move reductions")                                   \
    X(second_search,         "deeper and shallower second search")                     \
    X(prior_moves,           "learning from the move before")                          \
    /* groups of the classical evaluation, in the order of TermGroup */                \
    X(eval_material,         "evaluation: material")                                   \
    X(eval_placement,        "evaluation: placement")                                  \
    X(eval_mobility,         "evaluation: mobility")                                   \
    X(eval_pawns,            "evaluation: pawn structure")                             \
    X(eval_passed_pawns,     "evaluation: passed pawns")                               \
    X(eval_pieces,           "evaluation: merits of pieces")                           \
    X(eval_king,             "evaluation: king safety")                                \
    X(eval_threats,          "evaluation: threats")                                    \
    X(eval_space,            "evaluation: space")                                      \
    X(eval_tempo,            "evaluation: tempo")                                      \
    X(eval_winnable,         "evaluation: winnable endings")
// clang-format on

struct Switches {
#define ROKADA_MEMBER(name, text) bool name = true;
    ROKADA_SWITCHES(ROKADA_MEMBER)
#undef ROKADA_MEMBER

    constexpr bool group(TermGroup g) const {
        switch (g) {
            case TermGroup::Material: return eval_material;
            case TermGroup::Placement: return eval_placement;
            case TermGroup::Mobility: return eval_mobility;
            case TermGroup::Pawns: return eval_pawns;
            case TermGroup::PassedPawns: return eval_passed_pawns;
            case TermGroup::Pieces: return eval_pieces;
            case TermGroup::King: return eval_king;
            case TermGroup::Threats: return eval_threats;
            case TermGroup::Space: return eval_space;
            case TermGroup::Tempo: return eval_tempo;
            case TermGroup::Winnable: return eval_winnable;
        }
        return true;
    }
};

#ifdef ROKADA_TUNING
inline constexpr bool kAdjustable = true;
inline Switches kUse;
#else
inline constexpr bool kAdjustable = false;
inline constexpr Switches kUse{};
#endif

struct SwitchInfo {
    std::string_view name, text;
    bool Switches::* member;
};
inline constexpr SwitchInfo kSwitchList[] = {
#define ROKADA_ENTRY(name, text) {#name, text, &Switches::name},
    ROKADA_SWITCHES(ROKADA_ENTRY)
#undef ROKADA_ENTRY
};

}  // namespace rokada::engine
