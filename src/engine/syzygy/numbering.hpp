// SPDX-License-Identifier: GPL-3.0-or-later
// How Syzygy tables number positions. The men are put in an order kept in the file and taken in groups: first the
// leading one (two or three pieces, or the pawns of one side), whose squares are folded by the symmetry of the
// board; then, one group after the other, equal men on the squares still free. Used by the tables only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chess/position.hpp"

namespace rokada::engine {

inline constexpr int kMaxTableMen = 7;

// Which men are on the board. Four bits per kind and colour; kings are understood.
class Material {
  public:
    constexpr Material() = default;
    static Material of(const Position& position);

    constexpr void add(Color c, PieceType t) { bits_ += std::uint64_t{1} << shift(c, t); }
    constexpr int count(Color c, PieceType t) const {
        return static_cast<int>(bits_ >> shift(c, t) & 15);
    }
    constexpr Material swapped() const {
        Material other;
        other.bits_ = (bits_ >> 20) | (bits_ & 0xFFFFF) << 20;
        return other;
    }
    int men() const;
    bool has_pawns() const;
    // A kind of which one side has exactly one.
    bool has_single_piece() const;
    constexpr std::uint64_t bits() const { return bits_; }
    friend constexpr bool operator==(Material a, Material b) { return a.bits_ == b.bits_; }
    friend constexpr bool operator!=(Material a, Material b) { return a.bits_ != b.bits_; }

  private:
    static constexpr unsigned shift(Color c, PieceType t) {
        return static_cast<unsigned>(index(c) * 20 + index(t) * 4);
    }
    std::uint64_t bits_ = 0;
};

// The side whose pawns lead: the one with fewer of them, if it has any; White when equal.
Color leading_pawns(Material material);

// The men of a position as one table sees them: perhaps with the colours exchanged.
struct PlacedMen {
    std::array<Piece, kMaxTableMen> pieces{};
    std::array<std::uint8_t, kMaxTableMen> squares{};
    int count = 0;
};
// Swaps the colours and turns the board round if asked to.
PlacedMen place_men(const Position& position, bool swap_colors);

// Which of the four parts of a table with pawns holds the position: the file of its leading pawn, folded to a..d.
int part_of(const PlacedMen& men, Color leading);

// How one part of a table, for one side to move, numbers its positions.
class Numbering {
  public:
    // `pieces` in the order of the file; `leading_place` and `pawn_place` say as how manyth the leading group and
    // the other side's pawns are counted. None if that cannot be.
    static std::optional<Numbering> make(Material material,
                                         const std::array<Piece, kMaxTableMen>& pieces,
                                         int leading_place, int pawn_place, int file);

    std::uint64_t positions() const { return positions_; }
    // Below positions(), if the men are those of the table.
    std::uint64_t number(PlacedMen men) const;

  private:
    std::uint64_t number_of_pawns(PlacedMen& men) const;
    std::uint64_t number_of_pieces(PlacedMen& men) const;

    int men_ = 0;
    bool pawns_ = false;          // pawns lead
    bool other_pawns_ = false;    // both sides have some
    bool three_leading_ = false;  // otherwise two: the kings
    std::array<Piece, kMaxTableMen> pieces_{};
    std::array<int, kMaxTableMen + 1> group_size_{};  // ends with 0
    std::array<std::uint64_t, kMaxTableMen> factor_{};
    std::uint64_t positions_ = 0;
};

}  // namespace rokada::engine
