// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/classical.hpp"

#include <algorithm>

#include "engine/evaluation/endgame.hpp"
#include "engine/evaluation/king.hpp"
#include "engine/evaluation/passed.hpp"
#include "engine/evaluation/pawns.hpp"
#include "engine/evaluation/pieces.hpp"
#include "engine/evaluation/threats.hpp"

namespace rokada::engine {

namespace {

constexpr int kMaxPhase = 24;

int phase_of(const Position& p) {
    const int phase = p.pieces(PieceType::Knight, PieceType::Bishop).count() +
                      2 * p.pieces(PieceType::Rook).count() +
                      4 * p.pieces(PieceType::Queen).count();
    return std::min(phase, kMaxPhase);
}

// An endgame advantage is worth less in positions that are hard to win: few pawns, all on one side.
template <class Tracer>
Tapered winnable(Context<Tracer>& c, Tapered sum) {
    const int advantage = sum.endgame();
    if (advantage == 0) return {};
    const Color strong = advantage > 0 ? Color::White : Color::Black;
    const Bitboard pawns = c.position.pieces(PieceType::Pawn);
    const bool both_flanks = (pawns & Bitboard{0x0F0F0F0F0F0F0F0Full}).any() &&
                             (pawns & Bitboard{0xF0F0F0F0F0F0F0F0ull}).any();
    const bool pawn_ending = c.position.occupied() == (pawns | c.position.pieces(PieceType::King));
    Tapered change = c.add(strong, kWeights.complexity_base) +
                     c.add(strong, kWeights.complexity_pawn, pawns.count());
    if (both_flanks) change += c.add(strong, kWeights.complexity_both_flanks);
    if (pawn_ending) change += c.add(strong, kWeights.complexity_pawn_ending);
    // It may take the advantage away or double it, but not turn it round.
    const int size = advantage > 0 ? advantage : -advantage;
    const int amount = std::clamp(change.endgame(), -size, size);
    return strong == Color::White ? Tapered{0, amount} : Tapered{0, -amount};
}

// What depends on the attacks of both sides.
template <Color us, class Tracer>
Tapered evaluate_play(Context<Tracer>& c) {
    const Tapered shelter = sheltered<us>(c);
    return shelter + evaluate_danger<us>(c, shelter) + evaluate_threats<us>(c) +
           evaluate_passed<us>(c) + evaluate_space<us>(c);
}

template <class Tracer>
ClassicalResult evaluate(Context<Tracer>& c) {
    const Position& p = c.position;
    prepare_pawn_attacks<Color::White>(c);
    prepare_pawn_attacks<Color::Black>(c);
    prepare_attacks<Color::White>(c);
    prepare_attacks<Color::Black>(c);

    // Each side's attacks must be known before the other side's king is judged.
    PerColor<Tapered> score = c.entry->score;
    score[Color::White] += evaluate_pieces<Color::White>(c);
    score[Color::Black] += evaluate_pieces<Color::Black>(c);
    score[Color::White] += evaluate_play<Color::White>(c);
    score[Color::Black] += evaluate_play<Color::Black>(c);
    score[p.turn()] += c.add(p.turn(), kWeights.tempo);

    ClassicalResult result;
    result.sum = score[Color::White] - score[Color::Black];
    result.sum += winnable(c, result.sum);
    result.phase = phase_of(p);
    const Color strong = result.sum.endgame() > 0 ? Color::White : Color::Black;
    result.scale = endgame_scale(p, strong, c.entry->passed[strong]);
    const int endgame = result.sum.endgame() * result.scale / kFullScale;
    result.value = clamp_evaluation(
        (result.sum.middlegame() * result.phase + endgame * (kMaxPhase - result.phase)) /
        kMaxPhase);
    return result;
}

}  // namespace

Value evaluate_classical(const Position& position, PawnTable& pawns) {
    const Value sign = position.turn() == Color::White ? 1 : -1;
    if (const auto special = special_endgame(position)) return sign * *special;
    NoTrace none;
    Context<NoTrace> c{position, none};
    PawnEntry& entry = pawns.slot(position.pawn_key());
    if (entry.key != position.pawn_key()) entry = evaluate_pawns(c);
    c.entry = &entry;
    return sign * evaluate(c).value;
}

ClassicalResult trace_classical(const Position& position, Trace& trace) {
    Context<Trace> c{position, trace};
    PawnEntry entry = evaluate_pawns(c);
    c.entry = &entry;
    ClassicalResult result = evaluate(c);
    for (const Color us : kColors)
        trace.scale[us] = endgame_scale(position, us, c.entry->passed[us]);
    if (const auto special = special_endgame(position)) {
        result.special = true;
        result.value = *special;
    }
    return result;
}

}  // namespace rokada::engine
