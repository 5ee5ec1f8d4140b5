// SPDX-License-Identifier: GPL-3.0-or-later
// The small words of chess: colours, pieces, files, ranks, squares. Strong types used everywhere;
// nothing here converts silently to or from an integer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rokada {

// An array indexed by an enumeration instead of a bare integer.
template <class Index, class T, std::size_t Size>
struct EnumArray {
    std::array<T, Size> items{};

    constexpr T& operator[](Index i) { return items[static_cast<std::size_t>(i)]; }
    constexpr const T& operator[](Index i) const { return items[static_cast<std::size_t>(i)]; }
    constexpr auto begin() { return items.begin(); }
    constexpr auto begin() const { return items.begin(); }
    constexpr auto end() { return items.end(); }
    constexpr auto end() const { return items.end(); }
    static constexpr std::size_t size() { return Size; }
    friend bool operator==(const EnumArray& a, const EnumArray& b) { return a.items == b.items; }
    friend bool operator!=(const EnumArray& a, const EnumArray& b) { return !(a == b); }
};

enum class Color : std::uint8_t { White, Black };
inline constexpr std::array kColors{Color::White, Color::Black};
constexpr Color operator~(Color c) { return static_cast<Color>(static_cast<int>(c) ^ 1); }
constexpr int index(Color c) { return static_cast<int>(c); }
template <class T>
using PerColor = EnumArray<Color, T, 2>;

enum class PieceType : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, None };
inline constexpr std::array kPieceTypes{PieceType::Pawn, PieceType::Knight, PieceType::Bishop,
                                        PieceType::Rook, PieceType::Queen,  PieceType::King};
constexpr int index(PieceType t) { return static_cast<int>(t); }
template <class T>
using PerPieceType = EnumArray<PieceType, T, 6>;

// Colour in bit 3, type in bits 0 to 2.
enum class Piece : std::uint8_t {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    None,
    BlackPawn = 8,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
};
constexpr int index(Piece p) { return static_cast<int>(p); }
constexpr Piece make_piece(Color c, PieceType t) {
    return static_cast<Piece>((index(c) << 3) | index(t));
}
constexpr PieceType type_of(Piece p) { return static_cast<PieceType>(index(p) & 7); }
constexpr Color color_of(Piece p) { return static_cast<Color>(index(p) >> 3); }
template <class T>
using PerPiece = EnumArray<Piece, T, 14>;

enum class File : std::uint8_t { A, B, C, D, E, F, G, H };
enum class Rank : std::uint8_t { R1, R2, R3, R4, R5, R6, R7, R8 };
constexpr int index(File f) { return static_cast<int>(f); }
constexpr int index(Rank r) { return static_cast<int>(r); }
inline constexpr std::array kFiles{File::A, File::B, File::C, File::D,
                                   File::E, File::F, File::G, File::H};
inline constexpr std::array kRanks{Rank::R1, Rank::R2, Rank::R3, Rank::R4,
                                   Rank::R5, Rank::R6, Rank::R7, Rank::R8};

// clang-format off
enum class Square : std::uint8_t {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
    None,
};
// clang-format on
constexpr int index(Square s) { return static_cast<int>(s); }
constexpr Square square_at(int index) { return static_cast<Square>(index); }
constexpr Square make_square(File f, Rank r) { return square_at(index(r) * 8 + index(f)); }
constexpr File file_of(Square s) { return static_cast<File>(index(s) & 7); }
constexpr Rank rank_of(Square s) { return static_cast<Rank>(index(s) >> 3); }
// The same square seen from the other side of the board.
constexpr Square flip_rank(Square s) { return square_at(index(s) ^ 56); }
constexpr Square flip_file(Square s) { return square_at(index(s) ^ 7); }
// A square, rank as White sees it from White's side and Black from Black's.
constexpr Square relative(Color c, Square s) { return square_at(index(s) ^ (56 * index(c))); }
constexpr Rank relative(Color c, Rank r) { return static_cast<Rank>(index(r) ^ (7 * index(c))); }
template <class T>
using PerSquare = EnumArray<Square, T, 64>;

enum class Direction : std::int8_t {
    North = 8,
    South = -8,
    East = 1,
    West = -1,
    NorthEast = 9,
    NorthWest = 7,
    SouthEast = -7,
    SouthWest = -9,
};
constexpr Square operator+(Square s, Direction d) {
    return square_at(index(s) + static_cast<int>(d));
}
constexpr Square operator-(Square s, Direction d) {
    return square_at(index(s) - static_cast<int>(d));
}
constexpr Direction forward(Color c) {
    return c == Color::White ? Direction::North : Direction::South;
}

// The two castlings, named by where the rook stands from the king.
enum class CastlingSide : std::uint8_t { King, Queen };
inline constexpr std::array kCastlingSides{CastlingSide::King, CastlingSide::Queen};
constexpr int index(CastlingSide s) { return static_cast<int>(s); }

constexpr char to_char(File f) { return static_cast<char>('a' + index(f)); }
constexpr char to_char(Rank r) { return static_cast<char>('1' + index(r)); }
inline std::string to_string(Square s) {
    return s == Square::None ? "-" : std::string{to_char(file_of(s)), to_char(rank_of(s))};
}
// Square::None unless the two characters name one.
constexpr Square parse_square(char file, char rank) {
    if (file < 'a' || file > 'h' || rank < '1' || rank > '8') return Square::None;
    return make_square(static_cast<File>(file - 'a'), static_cast<Rank>(rank - '1'));
}

constexpr char to_char(PieceType t) { return "PNBRQK."[index(t)]; }
// Upper case for White, lower case for Black, as in FEN.
constexpr char to_char(Piece p) { return "PNBRQK..pnbrqk"[index(p)]; }
constexpr PieceType parse_piece_type(char upper) {
    switch (upper) {
        case 'P': return PieceType::Pawn;
        case 'N': return PieceType::Knight;
        case 'B': return PieceType::Bishop;
        case 'R': return PieceType::Rook;
        case 'Q': return PieceType::Queen;
        case 'K': return PieceType::King;
        default: return PieceType::None;
    }
}
constexpr Piece parse_piece(char c) {
    const bool lower = c >= 'a' && c <= 'z';
    const PieceType type = parse_piece_type(lower ? static_cast<char>(c - 'a' + 'A') : c);
    if (type == PieceType::None) return Piece::None;
    return make_piece(lower ? Color::Black : Color::White, type);
}

}  // namespace rokada
