// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/endgame.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/evaluation/context.hpp"
#include "engine/evaluation/kpk.hpp"

namespace rokada::engine {

namespace {

constexpr Value kKnownWin = 4000;
constexpr PerPieceType<int> kPieceValue{{0, 320, 340, 540, 1000, 0}};
constexpr int kBishop = 340, kRook = 540;

// 0 in the four central squares, 3 on the edge, 6 in the corners.
int away_from_centre(Square s) {
    const int f = index(file_of(s)), r = index(rank_of(s));
    return (f < 4 ? 3 - f : f - 4) + (r < 4 ? 3 - r : r - 4);
}

// 7 in a corner of the bishop's colour, 0 in one of the other and on the diagonal between those, so that the way along the edge into
// the right corner, and every way there from the centre, goes up.
int towards_corner(Square s, bool light) {
    const int f = index(file_of(s)), r = index(rank_of(s));
    return std::abs(light ? f - r : 7 - f - r);
}

bool bare_king(const Position& p, Color side) { return p.pieces(side).single(); }

// A lone king is driven to the edge, or into the right corner by bishop and knight, with the own
// king's help.
Value mate_lone_king(const Position& p, Color strong) {
    const Color weak = ~strong;
    const Square hunter = p.king(strong), prey = p.king(weak);
    const int material =
        piece_material(p, strong) + 100 * p.pieces(strong, PieceType::Pawn).count();
    const int close = 8 - distance(hunter, prey);
    Value value = kKnownWin + material;
    const Bitboard bishops = p.pieces(strong, PieceType::Bishop);
    const bool bishop_and_knight = bishops.single() &&
                                   p.pieces(strong, PieceType::Knight).single() &&
                                   p.pieces(strong).count() == 3;
    if (bishop_and_knight) {
        const bool light = (bishops & kLightSquares).any();
        value += 120 * towards_corner(prey, light) + 20 * away_from_centre(prey) + 50 * close;
    } else {
        value += 30 * away_from_centre(prey) + 12 * close;
    }
    // A rook cuts the king off: the smaller its box, the better.
    if (p.pieces(strong, PieceType::Rook).single() && p.pieces(strong).count() == 2) {
        const Square rook = p.pieces(strong, PieceType::Rook).first();
        const int df = index(file_of(prey)) - index(file_of(rook));
        const int dr = index(rank_of(prey)) - index(rank_of(rook));
        const int files = df > 0 ? 7 - index(file_of(rook)) : df < 0 ? index(file_of(rook)) : 7;
        const int ranks = dr > 0 ? 7 - index(rank_of(rook)) : dr < 0 ? index(rank_of(rook)) : 7;
        value -= 3 * std::min(files * ranks, 49);
    }
    return value;
}

bool can_mate_alone(const Position& p, Color strong) {
    if (p.pieces(strong, PieceType::Queen, PieceType::Rook).any()) return true;
    const Bitboard bishops = p.pieces(strong, PieceType::Bishop);
    if ((bishops & kLightSquares).any() && (bishops & kDarkSquares).any()) return true;
    const int knights = p.pieces(strong, PieceType::Knight).count();
    return (bishops.any() && knights > 0) || knights >= 3;
}

// Pawns on one rook file, no piece but perhaps a bishop of the wrong colour, the defender's king at
// the corner.
bool wrong_rook_pawn(const Position& p, Color strong) {
    const Bitboard pawns = p.pieces(strong, PieceType::Pawn);
    const File file = file_of(pawns.first());
    if (edge_distance(file) != 0 || pawns.without(Bitboard{file}).any()) return false;
    const Bitboard others = p.pieces(strong).without(p.pieces(PieceType::Pawn, PieceType::King));
    if (others.without(p.pieces(PieceType::Bishop)).any()) return false;
    const Square corner = make_square(file, relative(strong, Rank::R8));
    const Bitboard right = kLightSquares.contains(corner) ? kLightSquares : kDarkSquares;
    if ((others & right).any()) return false;
    const Square foremost = strong == Color::White ? pawns.last() : pawns.first();
    // The king must stand before the pawns and reach the corner first.
    const Square defender = p.king(~strong);
    return distance(defender, corner) <= 1 ||
           (p.pieces(~strong).single() &&
            distance(defender, corner) < distance(p.king(strong), corner) &&
            distance(defender, corner) + (p.turn() == strong) <= distance(foremost, corner) &&
            ranks_ahead(strong, rank_of(foremost)).contains(defender) &&
            distance(defender, corner) <= 2);
}

// One bishop each, on squares of different colours.
bool opposite_bishops(const Position& p) {
    const Bitboard bishops = p.pieces(PieceType::Bishop);
    return (bishops & p.pieces(Color::White)).single() &&
           (bishops & p.pieces(Color::Black)).single() && (bishops & kLightSquares).single();
}

}  // namespace

int piece_material(const Position& position, Color side) {
    int sum = 0;
    for (const PieceType type : kPieceTypes)
        sum += kPieceValue[type] * position.pieces(side, type).count();
    return sum;
}

std::optional<Value> special_endgame(const Position& p) {
    if (!bare_king(p, Color::White) && !bare_king(p, Color::Black)) [[likely]]
        return std::nullopt;
    for (const Color strong : kColors) {
        const Color weak = ~strong;
        if (!bare_king(p, weak)) continue;
        const Value sign = strong == Color::White ? 1 : -1;
        const Bitboard pawns = p.pieces(strong, PieceType::Pawn);
        if (pawns.single() && p.pieces(strong).count() == 2) {
            const Square pawn = pawns.first();
            if (!kpk_is_won(strong, p.king(strong), pawn, p.king(weak), p.turn())) return kDraw;
            return sign * (kKnownWin / 2 + 30 * index(relative(strong, rank_of(pawn))) -
                           4 * distance(p.king(strong), pawn));
        }
        if (can_mate_alone(p, strong)) return sign * mate_lone_king(p, strong);
        if (pawns.empty()) return kDraw;  // knights alone
    }
    return std::nullopt;
}

int endgame_scale(const Position& p, Color strong, Bitboard passed_pawns) {
    const Color weak = ~strong;
    const Bitboard pawns = p.pieces(strong, PieceType::Pawn);
    const int count = pawns.count();
    // With more than two pieces a side none of the exceptions below applies; adding up is dear.
    const Bitboard pieces = p.occupied().without(p.pieces(PieceType::Pawn, PieceType::King));
    const bool opposite = opposite_bishops(p);
    if (count > 1 && !opposite && pieces.count() > 4) [[likely]]
        return std::min(36 + 7 * count, kFullScale);
    const int strong_material = piece_material(p, strong), weak_material = piece_material(p, weak);

    if (pawns.empty()) {
        // A minor piece more does not win without pawns.
        if (strong_material - weak_material <= kBishop)
            return strong_material < kRook ? 0 : weak_material <= kBishop ? 4 : 14;
        return kFullScale;
    }
    if (strong_material <= 2 * kBishop && weak_material == 0 && wrong_rook_pawn(p, strong))
        return 0;

    if (opposite) {
        if (strong_material == kBishop && weak_material == kBishop)
            return std::min(18 + 5 * (passed_pawns & p.pieces(strong)).count(), kFullScale);
        return std::min(24 + 3 * p.pieces(strong).without(pawns).count(), kFullScale);
    }
    // The last pawn may be given a piece for.
    if (count == 1 && strong_material - weak_material <= kBishop && weak_material >= 320 &&
        strong_material <= kRook)
        return 32;
    if (strong_material == kRook && weak_material == kRook) {
        const Bitboard all = p.pieces(PieceType::Pawn);
        const bool one_flank = (all & Bitboard{0x0F0F0F0F0F0F0F0Full}).empty() ||
                               (all & Bitboard{0xF0F0F0F0F0F0F0F0ull}).empty();
        if (one_flank && count - p.pieces(weak, PieceType::Pawn).count() <= 1) return 36;
    }
    return std::min(36 + 7 * count, kFullScale);
}

}  // namespace rokada::engine
