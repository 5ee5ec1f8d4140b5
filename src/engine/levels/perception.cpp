// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/perception.hpp"

#include <cstdlib>

#include "engine/levels/tables.hpp"

namespace rokada::engine {

namespace {

// In 1/100 logit; from the ratings of puzzles, where 400 points are a factor of ten in the odds.
constexpr int kQuiet = -88, kBackward = -63, kSideways = -60, kCheck = 61, kRecapture = 56;
constexpr int kNearLastMove = 50, kSamePiece = 40, kFarSlider = -40;
constexpr int kPerMissingMan = 4;  // an emptier board is easier to look over
// A gain that needs no counting: a piece for nothing, a piece for a pawn, a rook for a minor piece.
constexpr int kPlainGain = 175;

int steps(Square a, Square b) {
    const int f = std::abs(index(file_of(a)) - index(file_of(b)));
    const int r = std::abs(index(rank_of(a)) - index(rank_of(b)));
    return f > r ? f : r;
}

// The share of the pieces still on the board, from 30 % with bare kings to 100 %: endings are seen deeper.
int depth_percent(const Position& p) {
    const int men = p.occupied().count() - 2;
    return 30 + 70 * (men > 30 ? 30 : men) / 30;
}

// Taking and being taken back once, as everybody counts.
int plain_gain(const Position& p, Move m) {
    const Bitboard left = p.occupied() ^ Bitboard { m.from() };
    const int given =
        p.attacked_by(~p.turn(), m.to(), left) ? kManValue[type_of(p.at(m.from()))] : 0;
    return kManValue[type_of(p.captured(m))] - given;
}

bool checks(const Position& p, Move m) {
    Position next = p;
    next.play(m);
    return next.in_check();
}

}  // namespace

bool Perception::sees(const Position& p, Move m, int ply, Move last, Move own_last) const {
    if (all_ || profile_.clear_sighted() || p.in_check()) return true;
    const Square from = m.from(), to = m.to();
    const Piece piece = p.at(from);
    const Piece prey = p.captured(m);
    const Color us = p.turn();
    if (minds_queen_ && (ply == 0 ? type_of(piece) : type_of(prey)) == PieceType::Queen && ply <= 1)
        return true;
    const bool recaptures = prey != Piece::None && last && last.to() == to;

    int logit = profile_.perception - profile_.fading * ply * depth_percent(p) / 100;
    logit += kPerMissingMan * (32 - p.occupied().count());
    if (prey == Piece::None && !m.is_promotion()) logit += kQuiet;
    const int climb = index(relative(us, rank_of(to))) - index(relative(us, rank_of(from)));
    if (climb < 0 && !m.is_castling()) logit += kBackward;
    if (climb == 0 && !m.is_castling()) logit += kSideways;
    if (checks(p, m)) logit += kCheck;
    if (recaptures) logit += kRecapture;
    if (last && (steps(from, last.to()) <= 2 || steps(to, last.to()) <= 2)) logit += kNearLastMove;
    if (own_last && own_last.to() == from) logit += kSamePiece;
    if (steps(from, to) >= 5) logit += kFarSlider;
    int chance = logistic_16(logit);

    // What hardly anybody overlooks.
    if (ply == 0 && recaptures && type_of(prey) != PieceType::Pawn)
        chance = std::max(chance, profile_.recapture);
    if (ply > 0 && recaptures) chance = std::max(chance, profile_.guarded);
    const bool takes_queen = prey != Piece::None && type_of(prey) == PieceType::Queen;
    if (ply == 0 && prey != Piece::None && plain_gain(p, m) >= kPlainGain)
        chance = std::max(chance, takes_queen ? profile_.notice_queen : profile_.take_free);
    if (ply == 1 && takes_queen && type_of(piece) != PieceType::Queen)
        chance = std::max(chance, profile_.notice_queen);

    std::uint64_t key = 0;
    if (ply <= 1) {
        // The same blindness for three moves, unless one of the men involved has just moved.
        const bool touched = recaptures || (own_last && own_last.to() == from);
        const int epoch = touched ? 1000 + p.fullmove_number() : p.fullmove_number() / 3;
        key = static_cast<std::uint64_t>(index(piece)) |
              static_cast<std::uint64_t>(index(prey)) << 4 |
              static_cast<std::uint64_t>(m.bits()) << 8 | static_cast<std::uint64_t>(epoch) << 24;
    } else {
        key = p.key() ^ (static_cast<std::uint64_t>(m.bits()) << 20);
    }
    return static_cast<int>(mix_bits(key ^ mix_bits(seed_)) & 0xFFFF) < chance;
}

}  // namespace rokada::engine
