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
    WeightArray<5> material{S{43, 82},  S{317, 286}, S{332, 295}, S{401, 456}, S{812, 834}};

    WeightArray<32> pawn_square{
        S{0, 0},     S{0, 0},     S{0, 0},     S{0, 0},
        S{-19, 2},   S{-4, 4},    S{-10, 4},   S{-9, 2},
        S{-18, -4},  S{-9, -2},   S{-9, -6},   S{-8, -7},
        S{-18, 1},   S{-13, 3},   S{-5, -7},   S{1, -11},
        S{-7, 9},    S{-1, 10},   S{-3, 5},    S{6, -4},
        S{-3, 14},   S{7, 24},    S{20, 15},   S{31, 10},
        S{62, -6},   S{34, 10},   S{45, 3},    S{69, -1},
        S{0, 0},     S{0, 0},     S{0, 0},     S{0, 0}};
    WeightArray<32> knight_square{
        S{-47, -14}, S{-29, -23}, S{-30, -10}, S{-17, -6},
        S{-27, -13}, S{-13, -9},  S{-16, -11}, S{-18, -8},
        S{-19, -14}, S{-8, -9},   S{-7, -8},   S{-1, 0},
        S{0, -9},    S{9, -4},    S{13, -1},   S{8, 3},
        S{13, -4},   S{10, -2},   S{19, 0},    S{23, 7},
        S{2, -22},   S{8, -12},   S{23, -7},   S{29, -5},
        S{-14, -19}, S{-26, -1},  S{22, -14},  S{10, -6},
        S{-82, -56}, S{-65, -6},  S{-107, 3},  S{-52, -3}};
    WeightArray<32> bishop_square{
        S{-6, -18},  S{9, -10},   S{-16, -12}, S{-11, -7},
        S{13, -15},  S{0, -30},   S{7, -10},   S{-5, -10},
        S{3, -12},   S{16, -6},   S{-2, -18},  S{4, -2},
        S{8, -13},   S{11, -7},   S{11, 2},    S{19, 0},
        S{3, -12},   S{9, -3},    S{21, -6},   S{23, 2},
        S{11, -10},  S{20, -7},   S{1, -15},   S{24, -9},
        S{-9, -5},   S{-18, -15}, S{7, -5},    S{-10, -4},
        S{-38, -19}, S{-40, 3},   S{-90, 8},   S{-56, 4}};
    WeightArray<32> rook_square{
        S{-29, -13}, S{-23, -9},  S{-20, -9},  S{-9, -18},
        S{-36, -9},  S{-20, -13}, S{-17, -12}, S{-14, -13},
        S{-26, -10}, S{-10, -8},  S{-18, -7},  S{-13, -9},
        S{-25, -5},  S{-11, -4},  S{-11, -4},  S{-16, -6},
        S{-17, 0},   S{3, -2},    S{5, -5},    S{5, -11},
        S{-4, 0},    S{12, -4},   S{14, -6},   S{29, -15},
        S{33, -11},  S{26, -7},   S{42, -14},  S{55, -22},
        S{14, 1},    S{21, 4},    S{27, -3},   S{25, -8}};
    WeightArray<32> queen_square{
        S{-9, -49},  S{-14, -57}, S{-18, -49}, S{-17, -42},
        S{-10, -42}, S{-10, -45}, S{-7, -48},  S{-9, -35},
        S{-9, -33},  S{-13, -21}, S{-11, -14}, S{-19, -12},
        S{-7, -31},  S{-4, -16},  S{-23, 5},   S{-23, 4},
        S{-2, -21},  S{-25, 11},  S{-20, 4},   S{-31, 24},
        S{-15, -9},  S{-14, 10},  S{-29, 21},  S{-25, 21},
        S{-11, -1},  S{-27, 7},   S{-25, 15},  S{-43, 20},
        S{-28, -18}, S{-6, -16},  S{-5, -18},  S{0, -13}};
    WeightArray<32> king_square{
        S{53, -48},  S{46, -33},  S{8, -28},   S{-23, -27},
        S{43, -33},  S{33, -20},  S{-16, -10}, S{-45, -2},
        S{26, -28},  S{31, -14},  S{-38, 4},   S{-77, 13},
        S{-33, -15}, S{-10, 4},   S{-50, 11},  S{-104, 24},
        S{-24, 1},   S{-7, 22},   S{-67, 33},  S{-99, 32},
        S{-26, 7},   S{33, 36},   S{-28, 48},  S{-59, 40},
        S{19, -15},  S{41, 29},   S{1, 33},    S{-29, 22},
        S{30, -55},  S{43, -2},   S{18, 1},    S{11, -5}};

    WeightArray<9> knight_mobility{
        S{-36, -25}, S{-25, -39}, S{-15, -18}, S{-8, -10}, S{-3, -4},
        S{1, 0},     S{4, 2},     S{8, -1},    S{11, -5}};
    WeightArray<14> bishop_mobility{
        S{-31, -37}, S{-20, -26}, S{-8, -16},  S{-3, -5},  S{3, -1},   S{7, 4},    S{8, 5},
        S{9, 7},     S{11, 6},    S{13, 8},    S{15, 5},   S{13, 4},   S{17, 5},   S{0, 3}};
    WeightArray<15> rook_mobility{
        S{-69, -69}, S{-32, -30}, S{-18, -13}, S{-18, -7}, S{-17, -3}, S{-14, 1},  S{-12, 5},
        S{-9, 5},    S{-5, 7},    S{-3, 10},   S{2, 9},    S{7, 10},   S{8, 12},   S{14, 11},  S{39, 9}};
    WeightArray<28> queen_mobility{
        S{-142, -40}, S{-33, -215}, S{-29, -145}, S{-25, -61}, S{-25, -38}, S{-24, -17}, S{-23, -8},
        S{-22, 3},   S{-20, 10},  S{-19, 15},  S{-18, 19}, S{-17, 21}, S{-15, 21}, S{-15, 22},
        S{-15, 25},  S{-13, 21},  S{-16, 24},  S{-11, 15}, S{-2, 10},  S{6, 2},    S{16, -11},
        S{58, -41},  S{52, -39},  S{132, -86}, S{109, -78}, S{195, -148}, S{26, -45}, S{91, -89}};

    Tapered doubled_pawn{-8, -13};
    Tapered isolated_pawn{-3, -2};
    Tapered isolated_on_open_file{-4, -4};
    Tapered backward_pawn{1, -4};
    Tapered backward_on_open_file{-11, 0};
    WeightArray<8> phalanx_pawn{S{}, S{4, 0},  S{4, 4}, S{7, 4},   S{14, 16}, S{61, 47}, S{80, 55}, S{}};
    WeightArray<8> supported_pawn{S{}, S{}, S{10, 7}, S{7, 8}, S{15, 8},  S{25, 18}, S{74, 41}, S{}};
    WeightArray<8> candidate_passer{S{}, S{1, -6}, S{2, -1}, S{3, 10}, S{9, 18},  S{-57, 45}, S{}, S{}};
    Tapered edge_pawn_pair{5, 5};

    WeightArray<8> passed_pawn{S{}, S{32, 25}, S{-3, 30}, S{-21, 37}, S{0, 47},  S{74, 55}, S{112, 90}, S{}};
    WeightArray<8> passed_not_blocked{S{}, S{-1, -1}, S{0, -1}, S{1, 4}, S{5, -1}, S{5, 5},  S{20, 19}, S{}};
    WeightArray<8> passed_path_safe{S{}, S{-6, 13}, S{-14, 12}, S{-12, 20}, S{-3, 37}, S{-2, 80}, S{-25, 159}, S{}};
    WeightArray<8> passed_protected{S{}, S{2, 2}, S{11, -5}, S{13, -4}, S{22, 4}, S{42, 4},  S{30, 1},  S{}};
    WeightArray<8> passed_own_king_near{S{}, S{-2, -1}, S{2, -4}, S{6, -9}, S{1, -12}, S{-11, -11}, S{-12, -12}, S{}};
    WeightArray<8> passed_enemy_king_near{S{}, S{-7, -4}, S{-4, -2}, S{-4, 4}, S{-2, 10}, S{1, 16}, S{-4, 22}, S{}};
    Tapered rook_behind_passer{17, -15};
    Tapered unstoppable_passer{-180, 149};

    Tapered bishop_pair{32, 30};
    Tapered knight_outpost{20, 7};
    Tapered bishop_outpost{20, 5};
    Tapered outpost_in_reach{16, 8};
    Tapered minor_behind_pawn{4, 9};
    Tapered bishop_own_colour_pawn{-2, -2};
    Tapered bishop_blocked_centre{-2, -3};
    Tapered bishop_long_diagonal{15, 17};
    Tapered minor_far_from_king{-3, -2};
    Tapered rook_open_file{28, 2};
    Tapered rook_half_open_file{12, 3};
    Tapered rook_on_seventh{-37, 20};
    Tapered rook_doubled{2, -3};
    Tapered rook_trapped_by_king{-1, -13};
    Tapered queen_exposed_to_slider{-21, -2};
    Tapered knight_per_pawn{7, 3};
    Tapered rook_per_pawn{13, -11};

    // By distance of the file from the edge and rank of the nearest pawn before the king, own (shelter) or
    // enemy (storm); rank 0 means none.
    WeightArray<32> shelter{
        S{-12, 6}, S{10, -11}, S{9, -5},  S{-1, 2},  S{-9, 7},  S{-15, 16}, S{7, 10},  S{},
        S{-14, 1}, S{14, -1}, S{9, -4},  S{-3, 2},  S{-8, 5},  S{-12, 8}, S{4, 4},   S{},
        S{-8, -4}, S{16, 0},  S{1, 1},   S{-2, -2}, S{0, -4},  S{-2, -1}, S{7, 1},   S{},
        S{-5, -2}, S{5, 4},   S{5, -4},  S{3, -4},  S{1, -5},  S{-6, -12}, S{-7, 1},  S{}};
    WeightArray<32> storm{
        S{-11, -8}, S{15, 14}, S{-26, 12}, S{-23, 5}, S{-14, 3}, S{-8, -1}, S{-11, -1}, S{},
        S{-9, 2},  S{-11, 28}, S{-27, 32}, S{-17, 11}, S{-12, 8}, S{-5, 1},  S{-9, 1},  S{},
        S{-1, -3}, S{-9, 14}, S{-33, 20}, S{-14, 4}, S{-2, -4}, S{3, -6},  S{2, -3},  S{},
        S{-10, 6}, S{-23, 28}, S{-22, 6}, S{-11, -6}, S{-3, -8}, S{0, -5},  S{-2, -6}, S{}};
    WeightArray<8> storm_blocked{S{}, S{0, 0}, S{-22, -17}, S{-6, -6}, S{0, -11}, S{0, -15}, S{4, -16}, S{}};
    Tapered king_on_open_file{-13, -3};
    Tapered king_on_half_open_file{-2, 1};
    Tapered king_without_pawns_near{54, -71};
    Tapered castling_possible{17, -7};

    WeightArray<5> threat_by_pawn{S{}, S{72, 40}, S{77, 43}, S{83, 27}, S{72, 7}};
    WeightArray<5> threat_by_minor{S{2, 6},  S{24, 26}, S{46, 23}, S{62, 28}, S{65, 8}};
    WeightArray<5> threat_by_rook{S{1, 10}, S{20, 20}, S{31, 21}, S{-4, 11}, S{75, -5}};
    Tapered threat_by_king{33, 22};
    Tapered hanging_piece{16, 23};
    Tapered restricted_square{4, 1};
    Tapered pawn_push_threat{17, 13};
    Tapered weakly_defended_pawn{-9, -12};

    Tapered space{2, -2};
    Tapered tempo{66, 45};

    Tapered complexity_pawn{0, -5};
    Tapered complexity_both_flanks{0, 69};
    Tapered complexity_pawn_ending{0, 95};
    Tapered complexity_base{0, 234};
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
    int knight_attacker = 48, bishop_attacker = 34, rook_attacker = 22, queen_attacker = 21;
    int zone_attack = 47;  // per attack on a square next to the king
    int weak_square = 19;  // per square next to it that only king or queen defend
    int knight_check = 444, bishop_check = 277, rook_check = 439, queen_check = 396;
    int unsafe_check = 54;
    int pinned = -116;
    int no_queen = -409;         // attackers without a queen seldom mate
    int shelter_percent = -652;  // of the shelter's middlegame value
    int knight_defender = -67;
    int base = 208;
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
