// SPDX-License-Identifier: GPL-3.0-or-later
// A set of squares in 64 bits, bit 0 = a1. Iterating gives the squares from a1 to h8.
#pragma once

#include <cstdint>

#include "chess/types.hpp"

namespace rokada {

class Bitboard {
  public:
    constexpr Bitboard() = default;
    explicit constexpr Bitboard(std::uint64_t bits) : bits_(bits) {}
    explicit constexpr Bitboard(Square s) : bits_(std::uint64_t{1} << index(s)) {}
    explicit constexpr Bitboard(File f) : bits_(0x0101010101010101ull << index(f)) {}
    explicit constexpr Bitboard(Rank r) : bits_(0xFFull << (8 * index(r))) {}

    constexpr std::uint64_t bits() const { return bits_; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool any() const { return bits_ != 0; }
    constexpr bool several() const { return (bits_ & (bits_ - 1)) != 0; }
    constexpr bool single() const { return any() && !several(); }
    constexpr int count() const { return __builtin_popcountll(bits_); }
    constexpr bool contains(Square s) const { return (bits_ >> index(s)) & 1; }
    // The lowest square; the set must not be empty.
    constexpr Square first() const { return square_at(__builtin_ctzll(bits_)); }
    constexpr Square last() const { return square_at(63 - __builtin_clzll(bits_)); }
    constexpr Square pop_first() {
        const Square s = first();
        bits_ &= bits_ - 1;
        return s;
    }

    constexpr Bitboard operator&(Bitboard o) const { return Bitboard{bits_ & o.bits_}; }
    constexpr Bitboard operator|(Bitboard o) const { return Bitboard{bits_ | o.bits_}; }
    constexpr Bitboard operator^(Bitboard o) const { return Bitboard{bits_ ^ o.bits_}; }
    constexpr Bitboard operator~() const { return Bitboard{~bits_}; }
    constexpr Bitboard& operator&=(Bitboard o) { return *this = *this & o; }
    constexpr Bitboard& operator|=(Bitboard o) { return *this = *this | o; }
    constexpr Bitboard& operator^=(Bitboard o) { return *this = *this ^ o; }
    constexpr Bitboard without(Bitboard o) const { return Bitboard{bits_ & ~o.bits_}; }
    constexpr Bitboard with(Square s) const { return *this | Bitboard{s}; }
    friend constexpr bool operator==(Bitboard a, Bitboard b) { return a.bits_ == b.bits_; }
    friend constexpr bool operator!=(Bitboard a, Bitboard b) { return a.bits_ != b.bits_; }

    class Iterator {
      public:
        explicit constexpr Iterator(std::uint64_t bits) : rest_(bits) {}
        constexpr Square operator*() const { return Bitboard{rest_}.first(); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        friend constexpr bool operator!=(Iterator a, Iterator b) { return a.rest_ != b.rest_; }

      private:
        std::uint64_t rest_;
    };
    constexpr Iterator begin() const { return Iterator{bits_}; }
    constexpr Iterator end() const { return Iterator{0}; }

  private:
    std::uint64_t bits_ = 0;
};

inline constexpr Bitboard kNoSquares{};
inline constexpr Bitboard kAllSquares{~std::uint64_t{0}};
inline constexpr Bitboard kLightSquares{0x55AA55AA55AA55AAull};
inline constexpr Bitboard kDarkSquares = ~kLightSquares;

// Every square of the set moved one step; those that would leave the board vanish.
template <Direction D>
constexpr Bitboard shift(Bitboard b) {
    constexpr std::uint64_t not_a = ~Bitboard{File::A}.bits();
    constexpr std::uint64_t not_h = ~Bitboard{File::H}.bits();
    const std::uint64_t x = b.bits();
    switch (D) {
        case Direction::North: return Bitboard{x << 8};
        case Direction::South: return Bitboard{x >> 8};
        case Direction::East: return Bitboard{(x & not_h) << 1};
        case Direction::West: return Bitboard{(x & not_a) >> 1};
        case Direction::NorthEast: return Bitboard{(x & not_h) << 9};
        case Direction::NorthWest: return Bitboard{(x & not_a) << 7};
        case Direction::SouthEast: return Bitboard{(x & not_h) >> 7};
        case Direction::SouthWest: return Bitboard{(x & not_a) >> 9};
    }
    return kNoSquares;
}

}  // namespace rokada
