// SPDX-License-Identifier: GPL-3.0-or-later
// Pawn structure: what is true of the pawns whatever stands beside them.
#pragma once

#include "engine/evaluation/context.hpp"

namespace rokada::engine {

template <Color us, class Tracer>
Tapered evaluate_pawns_of(Context<Tracer>& c, PawnEntry& entry) {
    constexpr Color them = ~us;
    const Bitboard ours = c.position.pieces(us, PieceType::Pawn);
    const Bitboard theirs = c.position.pieces(them, PieceType::Pawn);
    Tapered score;
    for (const Square s : ours) {
        score +=
            c.add(us, kWeights.material[0]) + c.add(us, kWeights.pawn_square[half_board(us, s)]);
        const File file = file_of(s);
        const std::size_t rank = rank_index(us, s);
        const Bitboard beside = adjacent_files(file);
        const Bitboard neighbours = ours & beside;
        const Bitboard supporters = pawn_attacks(them, s) & ours;
        const Bitboard phalanx = neighbours & Bitboard{rank_of(s)};
        const Square stop = s + forward(us);
        const bool opposed = (theirs & forward_file(us, s)).any();
        const bool doubled = (ours & forward_file(us, s)).any();

        entry.attack_span[us] |= pawn_attacks(us, s) | (beside & ranks_ahead(us, rank_of(stop)));

        const Bitboard stoppers = theirs & passed_span(us, s);
        if (stoppers.empty() && !doubled) {
            entry.passed[us] |= Bitboard{s};
        } else if (!doubled && !opposed) {
            // As many helpers as guards on its way: it may become passed.
            const Bitboard guards = pawn_attacks(us, stop) & theirs;
            const Bitboard helpers = (pawn_attacks(them, stop) | phalanx) & ours & beside;
            if ((stoppers & ~guards).without(Bitboard{file}).count() <= helpers.count() &&
                helpers.count() >= guards.count())
                score += c.add(us, kWeights.candidate_passer[rank]);
        }

        if (doubled && supporters.empty()) score += c.add(us, kWeights.doubled_pawn);
        if (phalanx.any()) score += c.add(us, kWeights.phalanx_pawn[rank]);
        if (supporters.any()) score += c.add(us, kWeights.supported_pawn[rank]);
        if (neighbours.empty()) {
            score += c.add(us, kWeights.isolated_pawn);
            if (!opposed) score += c.add(us, kWeights.isolated_on_open_file);
            // Two isolated pawns on the edges hold out longer than they look.
            if (edge_distance(file) == 0) score += c.add(us, kWeights.edge_pawn_pair);
        } else if ((neighbours & ~ranks_ahead(us, rank_of(s))).empty() &&
                   (pawn_attacks(us, stop) & theirs).any()) {
            score += c.add(us, kWeights.backward_pawn);
            if (!opposed) score += c.add(us, kWeights.backward_on_open_file);
        }
    }
    return score;
}

template <class Tracer>
PawnEntry evaluate_pawns(Context<Tracer>& c) {
    PawnEntry entry;
    entry.key = c.position.pawn_key();
    entry.score[Color::White] = evaluate_pawns_of<Color::White>(c, entry);
    entry.score[Color::Black] = evaluate_pawns_of<Color::Black>(c, entry);
    return entry;
}

}  // namespace rokada::engine
