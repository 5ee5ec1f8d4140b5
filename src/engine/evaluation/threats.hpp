// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces under attack, squares denied to the enemy, room behind the own pawns.
#pragma once

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

template <Color us, class Tracer>
Tapered evaluate_threats(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    Tapered score;
    const Bitboard pieces = p.pieces(them).without(p.pieces(PieceType::Pawn, PieceType::King));
    const Bitboard held =
        c.attacks[them][PieceType::Pawn] | (c.attacked_twice[them] & ~c.attacked_twice[us]);
    const Bitboard weak = p.pieces(them) & ~held & c.attacked[us];
    const Bitboard defended = pieces & held;
    // Counted kind by kind: how many there are cannot be guessed, and a loop over them would have to.
    const auto by_type = [&](Bitboard targets, const WeightArray<5>& weights) {
        for (std::size_t type = 0; type < weights.size(); ++type)
            score += c.add(us, weights[type],
                           (targets & p.pieces(static_cast<PieceType>(type))).count());
    };
    const Bitboard not_king = ~p.pieces(PieceType::King);
    by_type((defended | weak) & not_king &
                (c.attacks[us][PieceType::Knight] | c.attacks[us][PieceType::Bishop]),
            kWeights.threat_by_minor);
    by_type(weak & not_king & c.attacks[us][PieceType::Rook], kWeights.threat_by_rook);
    if ((weak & not_king & c.attacks[us][PieceType::King]).any())
        score += c.add(us, kWeights.threat_by_king);
    const Bitboard hanging =
        weak & not_king & (~c.attacked[them] | (pieces & c.attacked_twice[us]));
    score += c.add(us, kWeights.hanging_piece, hanging.count());

    // Pawns that cannot simply be taken hit pieces, now or after a push.
    const Bitboard safe = ~c.attacked[them] | c.attacked[us];
    const Bitboard safe_pawns = p.pieces(us, PieceType::Pawn) & safe;
    by_type(pawn_attacks(us, safe_pawns) & pieces, kWeights.threat_by_pawn);
    Bitboard pushes = push(us, p.pieces(us, PieceType::Pawn)) & ~p.occupied();
    pushes |= push(us, pushes & Bitboard{relative(us, Rank::R3)}) & ~p.occupied();
    pushes &= ~c.attacks[them][PieceType::Pawn] & safe;
    score += c.add(us, kWeights.pawn_push_threat, (pawn_attacks(us, pushes) & pieces).count());

    // Squares the enemy would like to use, but we cover as well.
    const Bitboard restricted = c.attacked[them] & ~held & c.attacked[us];
    score += c.add(us, kWeights.restricted_square, restricted.count());

    const Bitboard own_weak =
        p.pieces(us, PieceType::Pawn) & c.attacked_twice[them] & ~c.attacks[us][PieceType::Pawn];
    score += c.add(us, kWeights.weakly_defended_pawn, own_weak.count());
    return score;
}

template <Color us, class Tracer>
Tapered evaluate_space(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    constexpr Bitboard centre_files =
        Bitboard{File::C} | Bitboard{File::D} | Bitboard{File::E} | Bitboard{File::F};
    const Bitboard ranks = Bitboard{relative(us, Rank::R2)} | Bitboard{relative(us, Rank::R3)} |
                           Bitboard{relative(us, Rank::R4)};
    const Bitboard pawns = p.pieces(us, PieceType::Pawn);
    const Bitboard safe = centre_files & ranks & ~pawns & ~c.attacks[them][PieceType::Pawn];
    Bitboard behind = pawns | push(them, pawns);
    behind |= push(them, push(them, behind));
    const int squares = safe.count() + (behind & safe & ~c.attacked[them]).count();
    const int pieces = p.pieces(us).without(pawns).count();
    // Room matters only while there are pieces to use it.
    return c.add(us, kWeights.space, squares * (pieces > 3 ? pieces - 3 : 0) / 4);
}

}  // namespace rokada::engine
