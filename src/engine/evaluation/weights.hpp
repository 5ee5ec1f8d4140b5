// SPDX-License-Identifier: GPL-3.0-or-later
// Every weight of the classical evaluation, in centipawns for the middlegame and the endgame, by
// name. The struct holds nothing but Tapered values, so that a tuner can take it as one flat
// vector; kTerms says which name lies where. Squares and ranks are seen from the side that owns the
// piece; piece-square tables hold the files a to d, the others mirror them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/evaluation/tapered.hpp"
#include "engine/evaluation/term_group.hpp"

namespace rokada::engine {

template <std::size_t N>
using WeightArray = std::array<Tapered, N>;
using S = Tapered;

struct Weights {
    // clang-format off
    WeightArray<5> material{S{82, 104}, S{330, 318}, S{352, 338}, S{478, 560}, S{1010, 1030}};

    WeightArray<32> pawn_square{
        S{0, 0},     S{0, 0},     S{0, 0},     S{0, 0},
        S{-12, 6},   S{-4, 6},    S{-8, 8},    S{-10, 4},
        S{-12, 0},   S{-6, 2},    S{-2, -2},   S{2, -4},
        S{-10, 6},   S{-6, 6},    S{4, -4},    S{16, -10},
        S{-4, 14},   S{2, 12},    S{8, 4},     S{20, -4},
        S{4, 24},    S{14, 24},   S{26, 14},   S{30, 8},
        S{30, 40},   S{34, 38},   S{40, 34},   S{46, 30},
        S{0, 0},     S{0, 0},     S{0, 0},     S{0, 0}};
    WeightArray<32> knight_square{
        S{-72, -46}, S{-36, -34}, S{-28, -22}, S{-22, -14},
        S{-34, -30}, S{-22, -20}, S{-10, -12}, S{-4, -4},
        S{-24, -22}, S{-6, -8},   S{6, 0},     S{12, 12},
        S{-12, -14}, S{8, 2},     S{16, 14},   S{20, 24},
        S{-4, -12},  S{12, 4},    S{28, 16},   S{30, 26},
        S{-12, -20}, S{18, -4},   S{32, 10},   S{38, 16},
        S{-40, -32}, S{-12, -16}, S{16, -8},   S{24, 4},
        S{-120, -56},S{-60, -34}, S{-40, -20}, S{-20, -12}};
    WeightArray<32> bishop_square{
        S{-18, -22}, S{-4, -12},  S{-12, -14}, S{-16, -8},
        S{-2, -16},  S{12, -12},  S{8, -6},    S{2, 0},
        S{0, -10},   S{12, -2},   S{12, 4},    S{10, 8},
        S{-4, -8},   S{4, 0},     S{10, 8},    S{22, 12},
        S{-8, -6},   S{8, 4},     S{14, 8},    S{24, 14},
        S{-8, -6},   S{10, 0},    S{18, 4},    S{16, 8},
        S{-22, -12}, S{-14, -4},  S{-4, -2},   S{-4, 0},
        S{-34, -18}, S{-20, -14}, S{-30, -10}, S{-28, -8}};
    WeightArray<32> rook_square{
        S{-16, -8},  S{-10, -4},  S{-2, -4},   S{6, -8},
        S{-26, -8},  S{-12, -8},  S{-6, -6},   S{-4, -6},
        S{-22, -4},  S{-8, -2},   S{-8, -4},   S{-6, -4},
        S{-18, 4},   S{-8, 4},    S{-6, 4},    S{-2, 2},
        S{-10, 10},  S{0, 8},     S{8, 8},     S{14, 4},
        S{-2, 12},   S{12, 10},   S{16, 8},    S{20, 6},
        S{4, 14},    S{8, 14},    S{20, 12},   S{28, 10},
        S{8, 14},    S{10, 14},   S{8, 16},    S{12, 14}};
    WeightArray<32> queen_square{
        S{-6, -40},  S{-8, -34},  S{-4, -30},  S{6, -24},
        S{-6, -34},  S{0, -26},   S{8, -20},   S{6, -10},
        S{-6, -24},  S{4, -8},    S{2, 4},     S{0, 8},
        S{-4, -10},  S{-4, 8},    S{-4, 16},   S{-6, 28},
        S{-8, 2},    S{-6, 18},   S{-4, 22},   S{-8, 32},
        S{-2, 2},    S{-2, 14},   S{4, 22},    S{4, 28},
        S{-12, 0},   S{-28, 16},  S{-4, 20},   S{-8, 28},
        S{4, -4},    S{6, 6},     S{12, 12},   S{16, 16}};
    WeightArray<32> king_square{
        S{28, -56},  S{38, -36},  S{12, -26},  S{-8, -28},
        S{22, -32},  S{16, -16},  S{-10, -6},  S{-28, -2},
        S{-14, -22}, S{-10, -6},  S{-26, 6},   S{-34, 12},
        S{-36, -16}, S{-20, 4},   S{-34, 18},  S{-46, 24},
        S{-34, -6},  S{-20, 18},  S{-34, 28},  S{-46, 32},
        S{-20, 0},   S{0, 26},    S{-16, 34},  S{-26, 34},
        S{-16, -12}, S{-6, 16},   S{-12, 22},  S{-16, 22},
        S{-30, -50}, S{-10, -24}, S{-10, -12}, S{-16, -10}};

    WeightArray<9> knight_mobility{
        S{-46, -60}, S{-28, -40}, S{-14, -18}, S{-6, -4},  S{2, 4},
        S{8, 12},    S{14, 16},   S{20, 18},   S{26, 16}};
    WeightArray<14> bishop_mobility{
        S{-40, -56}, S{-22, -34}, S{-8, -16},  S{-2, -4},  S{6, 4},    S{12, 12},  S{16, 18},
        S{20, 22},   S{22, 26},   S{24, 28},   S{26, 30},  S{32, 28},  S{36, 30},  S{44, 28}};
    WeightArray<15> rook_mobility{
        S{-44, -70}, S{-26, -44}, S{-16, -22}, S{-10, -6}, S{-8, 4},   S{-4, 12},  S{0, 20},
        S{4, 24},    S{8, 28},    S{12, 32},   S{14, 36},  S{16, 40},  S{18, 42},  S{22, 44},  S{28, 42}};
    WeightArray<28> queen_mobility{
        S{-40, -60}, S{-30, -50}, S{-20, -40}, S{-14, -30},S{-10, -20},S{-6, -12}, S{-4, -4},
        S{-2, 2},    S{0, 6},     S{2, 10},    S{4, 14},   S{6, 16},   S{8, 18},   S{10, 20},
        S{12, 22},   S{12, 24},   S{12, 26},   S{14, 28},  S{14, 28},  S{16, 28},  S{18, 28},
        S{20, 26},   S{22, 26},   S{26, 26},   S{28, 26},  S{28, 26},  S{30, 28},  S{30, 28}};

    Tapered doubled_pawn{-6, -22};
    Tapered isolated_pawn{-8, -10};
    Tapered isolated_on_open_file{-10, -8};
    Tapered backward_pawn{-5, -8};
    Tapered backward_on_open_file{-10, -8};
    WeightArray<8> phalanx_pawn{S{}, S{4, -2}, S{8, 4}, S{12, 10}, S{26, 24}, S{60, 54}, S{90, 80}, S{}};
    WeightArray<8> supported_pawn{S{}, S{}, S{10, 6}, S{8, 6}, S{12, 12}, S{30, 28}, S{60, 60}, S{}};
    WeightArray<8> candidate_passer{S{}, S{-2, 4}, S{-2, 6}, S{4, 12}, S{14, 26}, S{30, 44}, S{}, S{}};
    Tapered edge_pawn_pair{-4, 4};

    WeightArray<8> passed_pawn{S{}, S{0, 8}, S{-2, 12}, S{-2, 28}, S{18, 52}, S{46, 92}, S{82, 150}, S{}};
    WeightArray<8> passed_not_blocked{S{}, S{0, 2}, S{0, 4}, S{2, 8}, S{4, 16}, S{8, 28}, S{16, 46}, S{}};
    WeightArray<8> passed_path_safe{S{}, S{0, 2}, S{0, 4}, S{2, 8}, S{6, 18}, S{14, 38}, S{26, 60}, S{}};
    WeightArray<8> passed_protected{S{}, S{2, 2}, S{2, 4}, S{2, 6}, S{6, 10}, S{12, 16}, S{16, 20}, S{}};
    WeightArray<8> passed_own_king_near{S{}, S{0, -1}, S{0, -2}, S{0, -4}, S{0, -7}, S{0, -10}, S{0, -12}, S{}};
    WeightArray<8> passed_enemy_king_near{S{}, S{0, 2}, S{0, 4}, S{0, 8}, S{0, 12}, S{0, 18}, S{0, 22}, S{}};
    Tapered rook_behind_passer{6, 18};
    Tapered unstoppable_passer{0, 420};

    Tapered bishop_pair{24, 50};
    Tapered knight_outpost{26, 16};
    Tapered bishop_outpost{16, 6};
    Tapered outpost_in_reach{14, 4};
    Tapered minor_behind_pawn{10, 4};
    Tapered bishop_own_colour_pawn{-2, -6};
    Tapered bishop_blocked_centre{-4, -6};
    Tapered bishop_long_diagonal{18, 2};
    Tapered minor_far_from_king{-4, -3};
    Tapered rook_open_file{30, 8};
    Tapered rook_half_open_file{12, 6};
    Tapered rook_on_seventh{6, 26};
    Tapered rook_doubled{8, 6};
    Tapered rook_trapped_by_king{-36, -12};
    Tapered queen_exposed_to_slider{-22, -8};
    Tapered knight_per_pawn{2, 4};
    Tapered rook_per_pawn{-2, -4};

    // By distance of the file from the edge and rank of the nearest pawn before the king, own (shelter) or
    // enemy (storm); rank 0 means none.
    WeightArray<32> shelter{
        S{-8, 0},  S{32, -4}, S{36, -2}, S{18, 0},  S{12, 0},  S{6, 0},   S{4, 0},   S{},
        S{-20, 0}, S{24, -4}, S{14, 0},  S{-14, 0}, S{-10, 0}, S{-4, 0},  S{-12, 0}, S{},
        S{-6, 0},  S{28, -4}, S{10, 0},  S{0, 0},   S{8, 0},   S{2, 0},   S{-16, 0}, S{},
        S{-18, 0}, S{16, -2}, S{6, 0},   S{-10, 0}, S{-12, 0}, S{-8, 0},  S{-20, 0}, S{}};
    WeightArray<32> storm{
        S{6, 0},   S{-80, 0}, S{-36, 0}, S{-26, 0}, S{-12, 0}, S{-8, 0},  S{-6, 0},  S{},
        S{8, 0},   S{-14, 0}, S{-34, 0}, S{-18, 0}, S{-8, 0},  S{-4, 0},  S{2, 0},   S{},
        S{2, 0},   S{-20, 0}, S{-50, 0}, S{-18, 0}, S{-6, 0},  S{2, 0},   S{4, 0},   S{},
        S{4, 0},   S{-6, 0},  S{-40, 0}, S{-16, 0}, S{-2, 0},  S{4, 0},   S{8, 0},   S{}};
    WeightArray<8> storm_blocked{S{}, S{0, 0}, S{-34, -20}, S{2, -6}, S{4, -4}, S{2, -2}, S{0, 0}, S{}};
    Tapered king_on_open_file{-20, 0};
    Tapered king_on_half_open_file{-8, 2};
    Tapered king_without_pawns_near{-6, -36};
    Tapered castling_possible{14, 0};

    WeightArray<5> threat_by_pawn{S{}, S{62, 36}, S{60, 44}, S{84, 30}, S{72, 30}};
    WeightArray<5> threat_by_minor{S{2, 10}, S{22, 18}, S{28, 20}, S{44, 32}, S{36, 44}};
    WeightArray<5> threat_by_rook{S{0, 14}, S{14, 22}, S{18, 22}, S{4, 14}, S{40, 28}};
    Tapered threat_by_king{8, 30};
    Tapered hanging_piece{26, 16};
    Tapered restricted_square{2, 2};
    Tapered pawn_push_threat{16, 12};
    Tapered weakly_defended_pawn{-2, -8};

    Tapered space{2, 0};
    Tapered tempo{18, 12};

    Tapered complexity_pawn{0, 5};
    Tapered complexity_both_flanks{0, 14};
    Tapered complexity_pawn_ending{0, 28};
    Tapered complexity_base{0, -52};
    // clang-format on
};

inline constexpr Weights kWeights{};
inline constexpr std::size_t kWeightCount = sizeof(Weights) / sizeof(Tapered);

struct Term {
    std::string_view name;
    TermGroup group;
    std::size_t first;  // index of its first weight
    std::size_t count;
};

#define ROKADA_TERM(group, name)                                            \
    Term {                                                                  \
        #name, TermGroup::group, offsetof(Weights, name) / sizeof(Tapered), \
            sizeof(Weights::name) / sizeof(Tapered)                         \
    }
inline constexpr std::array kTerms{
    ROKADA_TERM(Material, material),
    ROKADA_TERM(Placement, pawn_square),
    ROKADA_TERM(Placement, knight_square),
    ROKADA_TERM(Placement, bishop_square),
    ROKADA_TERM(Placement, rook_square),
    ROKADA_TERM(Placement, queen_square),
    ROKADA_TERM(Placement, king_square),
    ROKADA_TERM(Mobility, knight_mobility),
    ROKADA_TERM(Mobility, bishop_mobility),
    ROKADA_TERM(Mobility, rook_mobility),
    ROKADA_TERM(Mobility, queen_mobility),
    ROKADA_TERM(Pawns, doubled_pawn),
    ROKADA_TERM(Pawns, isolated_pawn),
    ROKADA_TERM(Pawns, isolated_on_open_file),
    ROKADA_TERM(Pawns, backward_pawn),
    ROKADA_TERM(Pawns, backward_on_open_file),
    ROKADA_TERM(Pawns, phalanx_pawn),
    ROKADA_TERM(Pawns, supported_pawn),
    ROKADA_TERM(Pawns, candidate_passer),
    ROKADA_TERM(Pawns, edge_pawn_pair),
    ROKADA_TERM(PassedPawns, passed_pawn),
    ROKADA_TERM(PassedPawns, passed_not_blocked),
    ROKADA_TERM(PassedPawns, passed_path_safe),
    ROKADA_TERM(PassedPawns, passed_protected),
    ROKADA_TERM(PassedPawns, passed_own_king_near),
    ROKADA_TERM(PassedPawns, passed_enemy_king_near),
    ROKADA_TERM(PassedPawns, rook_behind_passer),
    ROKADA_TERM(PassedPawns, unstoppable_passer),
    ROKADA_TERM(Pieces, bishop_pair),
    ROKADA_TERM(Pieces, knight_outpost),
    ROKADA_TERM(Pieces, bishop_outpost),
    ROKADA_TERM(Pieces, outpost_in_reach),
    ROKADA_TERM(Pieces, minor_behind_pawn),
    ROKADA_TERM(Pieces, bishop_own_colour_pawn),
    ROKADA_TERM(Pieces, bishop_blocked_centre),
    ROKADA_TERM(Pieces, bishop_long_diagonal),
    ROKADA_TERM(Pieces, minor_far_from_king),
    ROKADA_TERM(Pieces, rook_open_file),
    ROKADA_TERM(Pieces, rook_half_open_file),
    ROKADA_TERM(Pieces, rook_on_seventh),
    ROKADA_TERM(Pieces, rook_doubled),
    ROKADA_TERM(Pieces, rook_trapped_by_king),
    ROKADA_TERM(Pieces, queen_exposed_to_slider),
    ROKADA_TERM(Pieces, knight_per_pawn),
    ROKADA_TERM(Pieces, rook_per_pawn),
    ROKADA_TERM(King, shelter),
    ROKADA_TERM(King, storm),
    ROKADA_TERM(King, storm_blocked),
    ROKADA_TERM(King, king_on_open_file),
    ROKADA_TERM(King, king_on_half_open_file),
    ROKADA_TERM(King, king_without_pawns_near),
    ROKADA_TERM(King, castling_possible),
    ROKADA_TERM(Threats, threat_by_pawn),
    ROKADA_TERM(Threats, threat_by_minor),
    ROKADA_TERM(Threats, threat_by_rook),
    ROKADA_TERM(Threats, threat_by_king),
    ROKADA_TERM(Threats, hanging_piece),
    ROKADA_TERM(Threats, restricted_square),
    ROKADA_TERM(Threats, pawn_push_threat),
    ROKADA_TERM(Threats, weakly_defended_pawn),
    ROKADA_TERM(Space, space),
    ROKADA_TERM(Tempo, tempo),
    ROKADA_TERM(Winnable, complexity_pawn),
    ROKADA_TERM(Winnable, complexity_both_flanks),
    ROKADA_TERM(Winnable, complexity_pawn_ending),
    ROKADA_TERM(Winnable, complexity_base),
};
#undef ROKADA_TERM

// The group of each weight.
inline constexpr auto kGroupOfWeight = [] {
    std::array<TermGroup, kWeightCount> groups{};
    for (const Term& term : kTerms)
        for (std::size_t i = 0; i < term.count; ++i) groups[term.first + i] = term.group;
    return groups;
}();

// The danger to a king is counted in units first and turned into centipawns at the end, because
// attackers multiply each other's force. Units of these:
struct DangerWeights {
    int knight_attacker = 38, bishop_attacker = 26, rook_attacker = 24, queen_attacker = 8;
    int zone_attack = 32;  // per attack on a square next to the king
    int weak_square = 88;  // per square next to it that only king or queen defend
    int knight_check = 360, bishop_check = 280, rook_check = 480, queen_check = 340;
    int unsafe_check = 64;
    int pinned = 44;
    int no_queen = -420;        // attackers without a queen seldom mate
    int shelter_percent = -50;  // of the shelter's middlegame value
    int knight_defender = -48;
    int base = -20;
};
inline constexpr DangerWeights kDanger{};
inline constexpr std::size_t kDangerCount = sizeof(DangerWeights) / sizeof(int);
// Their names, in order.
inline constexpr std::array<std::string_view, kDangerCount> kDangerTerms{
    "knight_attacker", "bishop_attacker", "rook_attacker",   "queen_attacker",
    "zone_attack",     "weak_square",     "knight_check",    "bishop_check",
    "rook_check",      "queen_check",     "unsafe_check",    "pinned",
    "no_queen",        "shelter_percent", "knight_defender", "base"};
// How units become centipawns: none up to the first, no more than the second.
inline constexpr int kDangerThreshold = 60, kDangerMost = 2400;
inline constexpr int kDangerSquareDivisor = 7800, kDangerEndgameDivisor = 30;

}  // namespace rokada::engine
