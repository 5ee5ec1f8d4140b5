// SPDX-License-Identifier: GPL-3.0-or-later
// Eight sets of squares at once, one for each direction of the board, and the rays that run along
// them. One fill moves all sliders of a side without a branch, and because no two of them reach the
// same square in the same direction, the population of the lanes is their number of moves.
// Used by the list-free counter; plain vectors, so it compiles to whatever the CPU has.
#pragma once

#include "chess/bitboard.hpp"

// Vectors wider than the CPU's are passed in memory; everything here is inlined, so nobody cares.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace rokada {

// The lines a piece can be pinned on; each joins two opposite directions.
enum class Axis : std::uint8_t { Horizontal, Diagonal, Vertical, AntiDiagonal };

class Compass {
  public:
    // East, north-east, north, north-west; and their opposites, in the same order.
    typedef std::uint64_t Half __attribute__((vector_size(32)));

    explicit Compass(Bitboard everywhere) : up_(Half{} + everywhere.bits()), down_(up_) {}
    Compass(Bitboard straight, Bitboard diagonal)
        : up_(__builtin_shufflevector(Half{} + straight.bits(), Half{} + diagonal.bits(), 0, 5, 2,
                                      7)),
          down_(up_) {}
    constexpr Compass(const Half& up, const Half& down) : up_(up), down_(down) {}

    Compass operator&(Compass o) const { return {up_ & o.up_, down_ & o.down_}; }
    Compass operator|(Compass o) const { return {up_ | o.up_, down_ | o.down_}; }
    Compass operator~() const { return {~up_, ~down_}; }
    Compass operator+(Compass o) const { return {up_ + o.up_, down_ + o.down_}; }

    // Each lane moved in its direction. What leaves the board at a side comes back at the other:
    // the caller masks it.
    template <int Times>
    Compass moved() const {
        constexpr Half by{1 * Times, 9 * Times, 8 * Times, 7 * Times};
        return {up_ << by, down_ >> by};
    }
    // Each lane moved by one of the eight jumps of a knight; the same warning holds.
    Compass jumped() const {
        constexpr Half by{6, 10, 15, 17};
        return {up_ << by, down_ >> by};
    }
    // What lies on either direction of each axis.
    Compass both_ways() const { return {up_ | down_, up_ | down_}; }
    // The union of all axes in every lane; only after both_ways().
    Compass spread() const {
        const Half pairs = up_ | __builtin_shufflevector(up_, up_, 2, 3, 0, 1);
        const Half all = pairs | __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2);
        return {all, all};
    }
    // One axis; only after both_ways().
    Bitboard on(Axis axis) const { return Bitboard{up_[static_cast<int>(axis)]}; }
    Bitboard united() const {
        const Half all = up_ | down_;
        return Bitboard{all[0] | all[1] | all[2] | all[3]};
    }

    // The number of squares in each lane, and the sum of such numbers.
    Compass counts() const { return {count(up_), count(down_)}; }
    std::uint64_t sum() const {
        const Half all = up_ + down_;
        return all[0] + all[1] + all[2] + all[3];
    }

  private:
    static Half count(Half half) {
        const auto population = [half](int lane) {
            return static_cast<std::uint64_t>(__builtin_popcountll(half[lane]));
        };
        return Half{population(0), population(1), population(2), population(3)};
    }

    Half up_, down_;
};

namespace compass_tables {

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};
inline constexpr std::uint64_t kNotA = ~Bitboard{File::A}.bits(), kNotH = ~Bitboard{File::H}.bits();
inline constexpr std::uint64_t kNotAB = kNotA & ~Bitboard{File::B}.bits();
inline constexpr std::uint64_t kNotGH = kNotH & ~Bitboard{File::G}.bits();

// The squares a step or a knight's jump in each direction can really arrive on.
inline constexpr Compass kEntered{Compass::Half{kNotA, kNotA, kAll, kNotH},
                                  Compass::Half{kNotH, kNotH, kAll, kNotA}};
inline constexpr Compass kJumpedOnto{Compass::Half{kNotGH, kNotAB, kNotH, kNotA},
                                     Compass::Half{kNotAB, kNotGH, kNotA, kNotH}};

constexpr std::uint64_t leading_to(int square, int file_step, int rank_step) {
    std::uint64_t squares = 0;
    int file = square % 8 - file_step, rank = square / 8 - rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file -= file_step, rank -= rank_step)
        squares |= std::uint64_t{1} << (rank * 8 + file);
    return squares;
}
struct Towards {
    Compass::Half up[64] = {}, down[64] = {};
    constexpr Towards() {
        for (int s = 0; s < 64; ++s) {
            up[s] = Compass::Half{leading_to(s, 1, 0), leading_to(s, 1, 1), leading_to(s, 0, 1),
                                  leading_to(s, -1, 1)};
            down[s] = Compass::Half{leading_to(s, -1, 0), leading_to(s, -1, -1),
                                    leading_to(s, 0, -1), leading_to(s, 1, -1)};
        }
    }
};
inline constexpr Towards kTowards{};

}  // namespace compass_tables

// The rays on one board.
class Rays {
  public:
    explicit Rays(Bitboard occupied)
        : one_(Compass{~occupied} & compass_tables::kEntered),
          two_(one_ & one_.moved<1>()),
          four_(two_ & two_.moved<2>()) {}

    // Every square the pieces see in the direction of their lane, up to and including the first
    // occupied one. The distance doubles with each step (Kogge-Stone).
    Compass from(Compass pieces) const {
        pieces = pieces | (one_ & pieces.moved<1>());
        pieces = pieces | (two_ & pieces.moved<2>());
        pieces = pieces | (four_ & pieces.moved<4>());
        return step(pieces);
    }
    static Compass step(Compass pieces) { return pieces.moved<1>() & compass_tables::kEntered; }
    static Compass jump(Compass knights) { return knights.jumped() & compass_tables::kJumpedOnto; }
    // The squares from which each direction leads to `s` on an empty board.
    static Compass towards(Square s) {
        return {compass_tables::kTowards.up[index(s)], compass_tables::kTowards.down[index(s)]};
    }

  private:
    Compass one_, two_, four_;
};

}  // namespace rokada

#pragma GCC diagnostic pop
