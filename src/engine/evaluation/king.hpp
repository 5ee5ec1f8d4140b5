// SPDX-License-Identifier: GPL-3.0-or-later
// King safety: the pawns before the king, the enemy pawns that storm them, and the force of the
// attackers.
#pragma once

#include <algorithm>

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

template <Color us, class Tracer>
Tapered evaluate_shelter(Context<Tracer>& c) {
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Square king = p.king(us);
    const Bitboard ahead = ranks_ahead(us, rank_of(king)) | Bitboard{rank_of(king)};
    const Bitboard ours = p.pieces(us, PieceType::Pawn) & ahead & ~c.attacks[them][PieceType::Pawn];
    const Bitboard theirs = p.pieces(them, PieceType::Pawn) & ahead;
    const int king_file = index(file_of(king));
    const int centre = king_file < 1 ? 1 : king_file > 6 ? 6 : king_file;
    const auto nearest = [](Bitboard b) {
        return b.empty() ? std::size_t{0}
                         : rank_index(us, us == Color::White ? b.first() : b.last());
    };
    Tapered score;
    for (int f = centre - 1; f <= centre + 1; ++f) {
        const File file = static_cast<File>(f);
        const std::size_t own = nearest(ours & Bitboard{file});
        const std::size_t enemy = nearest(theirs & Bitboard{file});
        const auto edge = static_cast<std::size_t>(edge_distance(file));
        score += c.add(us, kWeights.shelter[edge * 8 + own]);
        if (own && enemy == own + 1)
            score += c.add(us, kWeights.storm_blocked[enemy]);
        else
            score += c.add(us, kWeights.storm[edge * 8 + enemy]);
    }
    const Bitboard file{file_of(king)};
    if ((p.pieces(us, PieceType::Pawn) & file).empty())
        score += c.add(us, (p.pieces(them, PieceType::Pawn) & file).empty()
                               ? kWeights.king_on_open_file
                               : kWeights.king_on_half_open_file);
    if (p.castling().any(us)) score += c.add(us, kWeights.castling_possible);
    // In endings a king far from all pawns guards and supports none of them.
    const Bitboard flank = king_file < 3   ? Bitboard{0x0F0F0F0F0F0F0F0Full}
                           : king_file > 4 ? Bitboard{0xF0F0F0F0F0F0F0F0ull}
                                           : Bitboard{0x3C3C3C3C3C3C3C3Cull};
    if ((p.pieces(PieceType::Pawn) & flank).empty())
        score += c.add(us, kWeights.king_without_pawns_near);
    return score;
}

// The same, remembered with the pawns unless somebody listens.
template <Color us, class Tracer>
Tapered sheltered(Context<Tracer>& c) {
    if constexpr (Tracer::kActive) return evaluate_shelter<us>(c);
    PawnEntry& entry = *c.entry;
    const Square king = c.position.king(us);
    const bool castling = c.position.castling().any(us);
    if (entry.shelter_king[us] != king || entry.shelter_castling[us] != castling) {
        entry.shelter[us] = evaluate_shelter<us>(c);
        entry.shelter_king[us] = king;
        entry.shelter_castling[us] = castling;
    }
    return entry.shelter[us];
}

// From the view of the side that has the king: never positive.
template <Color us, class Tracer>
Tapered evaluate_danger(Context<Tracer>& c, Tapered shelter) {
    if (!kUse.group(TermGroup::King)) return {};
    const Position& p = c.position;
    constexpr Color them = ~us;
    const Square king = p.king(us);
    const Bitboard around = c.attacks[us][PieceType::King];
    // Squares they attack and we defend with king or queen at most.
    const Bitboard weak =
        c.attacked[them] & ~c.attacked_twice[us] &
        (~c.attacked[us] | c.attacks[us][PieceType::King] | c.attacks[us][PieceType::Queen]);
    const Bitboard safe = ~p.pieces(them) & (~c.attacked[us] | (weak & c.attacked_twice[them]));

    int units = kDanger.base + c.attack_units[them] * c.attackers[them] +
                kDanger.zone_attack * c.zone_attacks[them] +
                kDanger.weak_square * (weak & around).count() +
                kDanger.shelter_percent * shelter.middlegame() / 100;

    c.tracer.multiply_attackers(us, c.attackers[them]);
    c.tracer.note_units(kDanger.base, us, 2);
    c.tracer.note_units(kDanger.zone_attack, us, 2 * c.zone_attacks[them]);
    c.tracer.note_units(kDanger.weak_square, us, 2 * (weak & around).count());
    c.tracer.note_units(kDanger.shelter_percent, us, 2);

    const Bitboard without_queen = p.occupied() ^ p.pieces(us, PieceType::Queen);
    const Bitboard straight = rook_attacks(king, without_queen);
    const Bitboard diagonal = bishop_attacks(king, without_queen);
    Bitboard unsafe;
    // Without branches, for nobody could guess them.
    const auto checks = [&](Bitboard squares, const int& weight) {
        const bool any = (squares & safe).any();
        const int halves = any ? 2 + (squares & safe).several() : 0;
        units += weight * halves / 2;
        c.tracer.note_units(weight, us, halves);
        unsafe |= any ? kNoSquares : squares;
    };
    checks(straight & c.attacks[them][PieceType::Rook], kDanger.rook_check);
    checks((straight | diagonal) & c.attacks[them][PieceType::Queen] &
               ~c.attacks[us][PieceType::Queen],
           kDanger.queen_check);
    checks(diagonal & c.attacks[them][PieceType::Bishop], kDanger.bishop_check);
    checks(knight_attacks(king) & c.attacks[them][PieceType::Knight], kDanger.knight_check);
    const auto add = [&](const int& weight, int count) {
        units += weight * count;
        c.tracer.note_units(weight, us, 2 * count);
    };
    add(kDanger.unsafe_check, unsafe.count());
    if (p.turn() == us) add(kDanger.pinned, p.pinned().count());
    if (p.pieces(them, PieceType::Queen).empty()) add(kDanger.no_queen, 1);
    if ((c.attacks[us][PieceType::Knight] & around).any()) add(kDanger.knight_defender, 1);

    units = units <= kDangerThreshold ? 0 : std::min(units, kDangerMost);
    const Tapered value{-(units * units) / kDangerSquareDivisor, -units / kDangerEndgameDivisor};
    c.tracer.note_danger(us, value);
    return value;
}

}  // namespace rokada::engine
