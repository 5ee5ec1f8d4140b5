// SPDX-License-Identifier: GPL-3.0-or-later
// Castling rights as the squares of the rooks that may still castle, so that Chess960 needs no
// special case. Kings end on the g or c file, rooks beside them on f or d.
#pragma once

#include "chess/types.hpp"

namespace rokada {

class CastlingRights {
  public:
    constexpr CastlingRights() = default;
    // Square::None when the right is gone.
    constexpr Square rook(Color c, CastlingSide side) const {
        return square_at(static_cast<int>(rooks_ >> shift(c, side) & 0xFF));
    }
    constexpr bool has(Color c, CastlingSide side) const { return rook(c, side) != Square::None; }
    constexpr bool any(Color c) const {
        return has(c, CastlingSide::King) || has(c, CastlingSide::Queen);
    }
    constexpr bool any() const { return rooks_ != kNone; }
    // Whether one of the rooks stands there.
    constexpr bool concerns(Square s) const {
        // A byte equal to the square becomes zero; the borrow of subtracting one then shows in its
        // top bit.
        const std::uint32_t differences = rooks_ ^ (kEach * static_cast<std::uint32_t>(s));
        return ((differences - kEach) & ~differences & (kEach << 7)) != 0;
    }
    constexpr void set(Color c, CastlingSide side, Square rook) {
        rooks_ &= ~(std::uint32_t{0xFF} << shift(c, side));
        rooks_ |= static_cast<std::uint32_t>(rook) << shift(c, side);
    }
    constexpr void remove(Color c) {
        set(c, CastlingSide::King, Square::None);
        set(c, CastlingSide::Queen, Square::None);
    }
    constexpr void remove_rook(Square s) {
        for (const Color c : kColors)
            for (const CastlingSide side : kCastlingSides)
                if (rook(c, side) == s) set(c, side, Square::None);
    }
    // Four bits: white king side, white queen side, black king side, black queen side.
    constexpr unsigned set() const {
        unsigned bits = 0;
        for (const Color c : kColors)
            for (const CastlingSide side : kCastlingSides)
                if (has(c, side)) bits |= 1u << (shift(c, side) / 8);
        return bits;
    }
    friend constexpr bool operator==(CastlingRights a, CastlingRights b) {
        return a.rooks_ == b.rooks_;
    }
    friend constexpr bool operator!=(CastlingRights a, CastlingRights b) { return !(a == b); }

  private:
    static constexpr unsigned shift(Color c, CastlingSide side) {
        return static_cast<unsigned>(index(c) * 2 + index(side)) * 8;
    }
    static constexpr std::uint32_t kEach = 0x01010101;
    static constexpr std::uint32_t kNone = kEach * static_cast<std::uint32_t>(Square::None);

    std::uint32_t rooks_ = kNone;  // four squares, one per byte, so that they can be asked at once
};

constexpr Square castled_king(Color c, CastlingSide side) {
    return relative(c, side == CastlingSide::King ? Square::G1 : Square::C1);
}
constexpr Square castled_rook(Color c, CastlingSide side) {
    return relative(c, side == CastlingSide::King ? Square::F1 : Square::D1);
}

}  // namespace rokada
