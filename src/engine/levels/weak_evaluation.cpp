// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/weak_evaluation.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/levels/tables.hpp"

namespace rokada::engine {

namespace {

int centre(Square s) {
    const int f = index(file_of(s)), r = index(rank_of(s));
    return (f < 4 ? f : 7 - f) + (r < 4 ? r : 7 - r);
}

int steps(Square a, Square b) {
    const int f = std::abs(index(file_of(a)) - index(file_of(b)));
    const int r = std::abs(index(rank_of(a)) - index(rank_of(b)));
    return f > r ? f : r;
}

int walk(Square a, Square b) {
    return std::abs(index(file_of(a)) - index(file_of(b))) +
           std::abs(index(rank_of(a)) - index(rank_of(b)));
}

int placement(const Position& p, Color us, PieceType type, Square s, int men) {
    const int rank = index(relative(us, rank_of(s)));
    const int file = index(file_of(s));
    const bool opening = men > 20;
    switch (type) {
        case PieceType::Pawn:
            // Two steps in the centre early; later the further the better.
            if (opening)
                return (file == 3 || file == 4) ? (rank == 3   ? 26
                                                   : rank == 1 ? -8
                                                               : 8)
                       : rank == 1              ? 2
                                                : 0;
            return rank * rank * 2;
        case PieceType::Knight: return centre(s) * 8 - 26 - (rank == 0 ? 12 : 0);
        case PieceType::Bishop: return centre(s) * 4 - 12 - (rank == 0 ? 14 : 0);
        case PieceType::Rook: return rank == 6 ? 18 : (file == 3 || file == 4) ? 6 : 0;
        case PieceType::Queen: return opening && rank > 1 ? -12 : centre(s) * 2 - 4;
        case PieceType::King:
            if (men <= 12) return centre(s) * 9 - 27;
            // Castled is good, wandering is bad, and losing the right to castle too.
            return (rank == 0 ? (file <= 2 || file >= 6 ? 32 : 0) : -18 * rank) +
                   (p.castling().any(us) ? 12 : 0);
        default: return 0;
    }
}

// What comes with experience: passed and weak pawns, the bishop pair, open lines, a sheltered king.
int knowledge(const Position& p, Color us) {
    const Bitboard ours = p.pieces(us, PieceType::Pawn), theirs = p.pieces(~us, PieceType::Pawn);
    int sum = 0;
    for (const Square s : ours) {
        const Bitboard file{file_of(s)};
        const Bitboard beside = shift<Direction::East>(file) | shift<Direction::West>(file);
        const int rank = index(relative(us, rank_of(s)));
        Bitboard ahead;
        for (int r = index(rank_of(s)); us == Color::White ? r < 7 : r > 0;)
            ahead |= Bitboard{static_cast<Rank>(us == Color::White ? ++r : --r)};
        if ((theirs & ahead & (file | beside)).empty()) sum += rank * rank * 3;
        if ((ours & beside).empty()) sum -= 12;
        if ((ours & file & ahead).any()) sum -= 10;
    }
    if (p.pieces(us, PieceType::Bishop).several()) sum += 30;
    for (const Square s : p.pieces(us, PieceType::Rook))
        if ((Bitboard{file_of(s)} & ours).empty())
            sum += (Bitboard{file_of(s)} & theirs).empty() ? 22 : 10;
    const Square king = p.king(us);
    if (p.pieces(~us, PieceType::Queen).any()) sum += 10 * (king_attacks(king) & ours).count();
    const Bitboard all = p.occupied();
    for (const PieceType type : {PieceType::Knight, PieceType::Bishop, PieceType::Rook})
        for (const Square s : p.pieces(us, type))
            sum += 2 * piece_attacks(type, s, all).without(p.pieces(us)).count() - 8;
    return sum;
}

int mop_up(const Position& p, Color strong) {
    const Square hunter = p.king(strong), prey = p.king(~strong);
    int sum = 40 * (6 - centre(prey)) + 16 * (8 - steps(hunter, prey));
    if (p.pieces(strong, PieceType::Queen, PieceType::Rook).empty()) {
        // Bishops mate in the corner only, and hem the king in from close by.
        int way = 14;
        for (const Square corner : {Square::A1, Square::H1, Square::A8, Square::H8})
            way = std::min(way, walk(prey, corner));
        sum += 12 * (14 - way);
        for (const Square s : p.pieces(strong).without(Bitboard{hunter})) sum -= 4 * steps(s, prey);
        const Bitboard others = p.occupied() ^ Bitboard { prey };
        for (const Square s : king_attacks(prey))
            if (!p.attacked_by(strong, s, others)) sum -= 8;
    }
    // The rook keeps the king in a small box.
    if (p.pieces(strong, PieceType::Rook).single() && p.pieces(strong).count() == 2) {
        const Square rook = p.pieces(strong, PieceType::Rook).first();
        const int df = index(file_of(prey)) - index(file_of(rook));
        const int dr = index(rank_of(prey)) - index(rank_of(rook));
        const int files = df > 0 ? 7 - index(file_of(rook)) : df < 0 ? index(file_of(rook)) : 7;
        const int ranks = dr > 0 ? 7 - index(rank_of(rook)) : dr < 0 ? index(rank_of(rook)) : 7;
        sum -= 4 * (files * ranks);
    }
    return sum;
}

// Between -3 and 3 times a third of the spread: the sum of three dice, nearly a bell.
int misjudgement(std::uint64_t bits, int spread) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += static_cast<int>((bits >> (16 * i)) & 0xFFFF) - 32768;
    return sum / 3 * spread / 10923;
}

}  // namespace

BasicMate basic_mate(const Position& p) {
    for (const Color strong : kColors) {
        if (!p.pieces(~strong).single()) continue;
        if (p.pieces(strong, PieceType::Queen, PieceType::Rook).any()) return BasicMate::Major;
        if (p.pieces(strong, PieceType::Pawn).any()) continue;
        const Bitboard bishops = p.pieces(strong, PieceType::Bishop);
        if ((bishops & kLightSquares).any() && bishops.without(kLightSquares).any())
            return BasicMate::Bishops;
        if (bishops.any() && p.pieces(strong, PieceType::Knight).any())
            return BasicMate::BishopAndKnight;
    }
    return BasicMate::None;
}

int weak_evaluation(const Position& p, const Profile& profile, std::uint64_t seed) {
    const int men = p.occupied().count();
    int sum = 0;
    for (const Square s : p.occupied()) {
        const Piece piece = p.at(s);
        const Color side = color_of(piece);
        const PieceType type = type_of(piece);
        const int value = kManValue[type] + placement(p, side, type, s, men);
        sum += side == Color::White ? value : -value;
    }
    const BasicMate mate = basic_mate(p);
    if (mate == BasicMate::Major || mate == BasicMate::Bishops) {
        const Color strong = p.pieces(Color::Black).single() ? Color::White : Color::Black;
        sum += strong == Color::White ? mop_up(p, strong) : -mop_up(p, strong);
        return p.turn() == Color::White ? sum : -sum;
    }
    sum += (knowledge(p, Color::White) - knowledge(p, Color::Black)) * profile.knowledge / 1000;
    if (profile.noise > 0) {
        // Two thirds of the error belong to the pawns and pieces on the board, one third to the very position.
        std::uint64_t kind = p.pawn_key();
        for (const Color c : kColors)
            for (const PieceType t : kPieceTypes)
                kind = mix_bits(kind + static_cast<std::uint64_t>(p.pieces(c, t).count()));
        sum += misjudgement(mix_bits(kind ^ mix_bits(seed)), profile.noise * 2 / 3) +
               misjudgement(mix_bits(p.key() ^ mix_bits(seed + 1)), profile.noise / 3);
    }
    return (p.turn() == Color::White ? sum : -sum) + 8;
}

}  // namespace rokada::engine
