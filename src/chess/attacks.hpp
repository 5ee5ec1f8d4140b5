// SPDX-License-Identifier: GPL-3.0-or-later
// Which squares a piece attacks. Sliders use one table lookup: the index comes from PEXT where
// the CPU is fast at it and from magic multiplication elsewhere; both give the same table.
#pragma once

#include "chess/bitboard.hpp"

#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
#define ROKADA_PEXT 1
#include <immintrin.h>
#else
#define ROKADA_PEXT 0
#endif

namespace rokada {

namespace attack_tables {

struct Slider {
    Bitboard mask;  // the squares whose occupation matters
    const Bitboard* attacks = nullptr;
#if !ROKADA_PEXT
    std::uint64_t magic = 0;
    int shift = 0;
#endif
    std::size_t slot(Bitboard occupied) const {
#if ROKADA_PEXT
        return _pext_u64(occupied.bits(), mask.bits());
#else
        return static_cast<std::size_t>(((occupied & mask).bits() * magic) >> shift);
#endif
    }
    Bitboard operator()(Bitboard occupied) const { return attacks[slot(occupied)]; }
};

struct Tables {
    PerSquare<Bitboard> knight, king;
    PerColor<PerSquare<Bitboard>> pawn;
    PerSquare<Bitboard> rook_rays, bishop_rays;  // on an empty board
    PerSquare<Slider> rook, bishop;
    PerSquare<PerSquare<Bitboard>> between, line;
    Tables();
};

// Filled once before main; read-only afterwards.
extern const Tables tables;

}  // namespace attack_tables

inline Bitboard knight_attacks(Square s) { return attack_tables::tables.knight[s]; }
inline Bitboard king_attacks(Square s) { return attack_tables::tables.king[s]; }
inline Bitboard pawn_attacks(Color c, Square s) { return attack_tables::tables.pawn[c][s]; }
inline Bitboard rook_rays(Square s) { return attack_tables::tables.rook_rays[s]; }
inline Bitboard bishop_rays(Square s) { return attack_tables::tables.bishop_rays[s]; }
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    return attack_tables::tables.rook[s](occupied);
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return attack_tables::tables.bishop[s](occupied);
}
inline Bitboard queen_attacks(Square s, Bitboard occupied) {
    return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}
// Attacks of any piece but a pawn.
inline Bitboard piece_attacks(PieceType type, Square s, Bitboard occupied) {
    switch (type) {
        case PieceType::Knight: return knight_attacks(s);
        case PieceType::Bishop: return bishop_attacks(s, occupied);
        case PieceType::Rook: return rook_attacks(s, occupied);
        case PieceType::Queen: return queen_attacks(s, occupied);
        case PieceType::King: return king_attacks(s);
        default: return kNoSquares;
    }
}

// The squares strictly between two squares of one line, diagonal, rank or file; empty otherwise.
inline Bitboard between(Square a, Square b) { return attack_tables::tables.between[a][b]; }
// The whole line through two squares, both included; empty if they share none.
inline Bitboard line_through(Square a, Square b) { return attack_tables::tables.line[a][b]; }

template <Color C>
constexpr Bitboard pawn_attacks(Bitboard pawns) {
    if constexpr (C == Color::White)
        return shift<Direction::NorthEast>(pawns) | shift<Direction::NorthWest>(pawns);
    else
        return shift<Direction::SouthEast>(pawns) | shift<Direction::SouthWest>(pawns);
}
inline Bitboard pawn_attacks(Color c, Bitboard pawns) {
    return c == Color::White ? pawn_attacks<Color::White>(pawns)
                             : pawn_attacks<Color::Black>(pawns);
}

}  // namespace rokada
