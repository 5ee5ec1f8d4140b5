// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.hpp"

#include "chess/magic_numbers.hpp"

namespace rokada::attack_tables {

namespace {

struct Step {
    int file, rank;
};
constexpr Step kRookSteps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr Step kBishopSteps[] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr Step kKnightSteps[] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                 {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

Square step_from(Square s, Step step) {
    const int file = index(file_of(s)) + step.file;
    const int rank = index(rank_of(s)) + step.rank;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return Square::None;
    return make_square(static_cast<File>(file), static_cast<Rank>(rank));
}

// Walks each ray up to and including the first occupied square.
template <std::size_t N>
Bitboard walk(Square from, const Step (&steps)[N], Bitboard occupied) {
    Bitboard seen;
    for (const Step step : steps) {
        Square s = from;
        while ((s = step_from(s, step)) != Square::None) {
            seen |= Bitboard{s};
            if (occupied.contains(s)) break;
        }
    }
    return seen;
}

template <std::size_t N>
Bitboard leap(Square from, const Step (&steps)[N]) {
    Bitboard reached;
    for (const Step step : steps)
        if (const Square s = step_from(from, step); s != Square::None) reached |= Bitboard{s};
    return reached;
}

// Occupation of the last square of a ray never changes the attacks, so edges are left out.
template <std::size_t N>
Bitboard relevant(Square from, const Step (&steps)[N]) {
    Bitboard mask;
    for (const Step step : steps)
        for (Square s = step_from(from, step); s != Square::None; s = step_from(s, step))
            if (step_from(s, step) != Square::None) mask |= Bitboard{s};
    return mask;
}

constexpr std::size_t kRookEntries = 102400;
constexpr std::size_t kBishopEntries = 5248;
Bitboard rook_entries[kRookEntries];
Bitboard bishop_entries[kBishopEntries];

template <std::size_t N>
void fill(PerSquare<Slider>& sliders, const Step (&steps)[N], Bitboard* entries,
          [[maybe_unused]] const std::array<std::uint64_t, 64>& magics) {
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        Slider& slider = sliders[s];
        slider.mask = relevant(s, steps);
        slider.attacks = entries;
#if !ROKADA_PEXT
        slider.magic = magics[static_cast<std::size_t>(i)];
        slider.shift = 64 - slider.mask.count();
#endif
        // Every subset of the mask, by the carry-rippler trick.
        std::uint64_t subset = 0;
        do {
            const Bitboard occupied{subset};
            entries[slider.slot(occupied)] = walk(s, steps, occupied);
            subset = (subset - slider.mask.bits()) & slider.mask.bits();
        } while (subset != 0);
        entries += std::size_t{1} << slider.mask.count();
    }
}

}  // namespace

Tables::Tables() {
    fill(rook, kRookSteps, rook_entries, kRookMagics);
    fill(bishop, kBishopSteps, bishop_entries, kBishopMagics);
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        const Bitboard here{s};
        knight[s] = leap(s, kKnightSteps);
        king[s] = leap(s, kRookSteps) | leap(s, kBishopSteps);
        pawn[Color::White][s] = rokada::pawn_attacks<Color::White>(here);
        pawn[Color::Black][s] = rokada::pawn_attacks<Color::Black>(here);
        rook_rays[s] = walk(s, kRookSteps, kNoSquares);
        bishop_rays[s] = walk(s, kBishopSteps, kNoSquares);
    }
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            const Square a = square_at(i), b = square_at(j);
            const Bitboard ends = Bitboard{a} | Bitboard{b};
            if (rook_rays[a].contains(b)) {
                line[a][b] = (rook_rays[a] & rook_rays[b]) | ends;
                between[a][b] = rook[a](Bitboard{b}) & rook[b](Bitboard{a});
            } else if (bishop_rays[a].contains(b)) {
                line[a][b] = (bishop_rays[a] & bishop_rays[b]) | ends;
                between[a][b] = bishop[a](Bitboard{b}) & bishop[b](Bitboard{a});
            }
        }
    }
}

const Tables tables;

}  // namespace rokada::attack_tables
