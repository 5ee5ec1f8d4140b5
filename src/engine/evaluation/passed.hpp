// SPDX-License-Identifier: GPL-3.0-or-later
// Passed pawns: how far, how free, how well escorted.
#pragma once

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

// Outside the square: no piece can stop it and the king comes too late.
inline bool outruns_king(const Position& p, Color us, Square pawn) {
    const Color them = ~us;
    if (p.pieces(them).without(p.pieces(PieceType::Pawn, PieceType::King)).any()) return false;
    if ((forward_file(us, pawn) & p.occupied()).any()) return false;
    const Square goal = make_square(file_of(pawn), relative(us, Rank::R8));
    int steps = 7 - index(relative(us, rank_of(pawn)));
    if (relative(us, rank_of(pawn)) == Rank::R2) --steps;
    const int lead = p.turn() == us ? 0 : 1;
    return distance(p.king(them), goal) - lead > steps;
}

template <Color us, class Tracer>
Tapered evaluate_passed(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    Tapered score;
    bool unstoppable = false;
    for (const Square s : c.entry->passed[us]) {
        const std::size_t rank = rank_index(us, s);
        const Square stop = s + forward(us);
        score += c.add(us, kWeights.passed_pawn[rank]);
        score += c.add(us, kWeights.passed_own_king_near[rank], distance(p.king(us), stop));
        score += c.add(us, kWeights.passed_enemy_king_near[rank], distance(p.king(them), stop));
        if (c.attacks[us][PieceType::Pawn].contains(s))
            score += c.add(us, kWeights.passed_protected[rank]);
        if (!p.occupied().contains(stop)) {
            score += c.add(us, kWeights.passed_not_blocked[rank]);
            // A rook or queen behind the pawn covers its whole way.
            const Bitboard way = forward_file(us, s);
            const Bitboard behind = forward_file(them, s) & rook_attacks(s, p.occupied()) &
                                    p.pieces(PieceType::Rook, PieceType::Queen);
            Bitboard danger = way & (c.attacked[them] | p.pieces(them));
            if ((behind & p.pieces(them)).any()) danger = way;
            const Bitboard cover = (behind & p.pieces(us)).any() ? way : c.attacked[us];
            if ((danger & ~cover).empty()) score += c.add(us, kWeights.passed_path_safe[rank]);
            if ((behind & p.pieces(us, PieceType::Rook)).any())
                score += c.add(us, kWeights.rook_behind_passer);
        }
        unstoppable = unstoppable || outruns_king(p, us, s);
    }
    if (unstoppable) score += c.add(us, kWeights.unstoppable_passer);
    return score;
}

}  // namespace rokada::engine
