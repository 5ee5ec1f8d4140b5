// SPDX-License-Identifier: GPL-3.0-or-later
// Castling rights as the squares of the rooks that may still castle, so that Chess960 needs no
// special case. Kings end on the g or c file, rooks beside them on f or d.
#pragma once

#include "chess/types.hpp"

namespace rokada {

class CastlingRights {
  public:
    constexpr CastlingRights() {
        for (Square& s : rooks_) s = Square::None;
    }
    // Square::None when the right is gone.
    constexpr Square rook(Color c, CastlingSide side) const { return rooks_[slot(c, side)]; }
    constexpr bool has(Color c, CastlingSide side) const { return rook(c, side) != Square::None; }
    constexpr bool any(Color c) const {
        return has(c, CastlingSide::King) || has(c, CastlingSide::Queen);
    }
    constexpr bool any() const { return any(Color::White) || any(Color::Black); }
    constexpr void set(Color c, CastlingSide side, Square rook) { rooks_[slot(c, side)] = rook; }
    constexpr void remove(Color c) {
        set(c, CastlingSide::King, Square::None);
        set(c, CastlingSide::Queen, Square::None);
    }
    constexpr void remove_rook(Square s) {
        for (Square& rook : rooks_)
            if (rook == s) rook = Square::None;
    }
    // Four bits: white king side, white queen side, black king side, black queen side.
    constexpr unsigned set() const {
        unsigned bits = 0;
        for (unsigned i = 0; i < 4; ++i)
            if (rooks_[i] != Square::None) bits |= 1u << i;
        return bits;
    }
    friend constexpr bool operator==(const CastlingRights& a, const CastlingRights& b) {
        for (unsigned i = 0; i < 4; ++i)
            if (a.rooks_[i] != b.rooks_[i]) return false;
        return true;
    }
    friend constexpr bool operator!=(const CastlingRights& a, const CastlingRights& b) {
        return !(a == b);
    }

  private:
    static constexpr std::size_t slot(Color c, CastlingSide side) {
        return static_cast<std::size_t>(index(c) * 2 + index(side));
    }
    std::array<Square, 4> rooks_{};
};

constexpr Square castled_king(Color c, CastlingSide side) {
    return relative(c, side == CastlingSide::King ? Square::G1 : Square::C1);
}
constexpr Square castled_rook(Color c, CastlingSide side) {
    return relative(c, side == CastlingSide::King ? Square::F1 : Square::D1);
}

}  // namespace rokada
