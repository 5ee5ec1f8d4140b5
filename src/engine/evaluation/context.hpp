// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the classical evaluation tell each other about one position, and how they note
// what they count. All of it is internal to the evaluation.
#pragma once

#include "chess/position.hpp"
#include "engine/evaluation/weights.hpp"
#include "engine/search/switches.hpp"
#include "engine/search/value.hpp"

namespace rokada::engine {

// Counts how often each weight was used by each side: the evaluation as a table, and the features
// for a tuner.
struct Trace {
    static constexpr bool kActive = true;
    std::array<PerColor<int>, kWeightCount> counts{};
    PerColor<Tapered> king_danger{};
    // Of the danger to each side's king: how often each weight of kDanger was used, in halves.
    PerColor<std::array<int, kDangerCount>> danger_halves{};
    PerColor<int> scale{};  // endgame_scale() if that side were the stronger one

    void note(std::size_t weight, Color side, int count) { counts[weight][side] += count; }
    void note_danger(Color side, Tapered value) { king_danger[side] = value; }
    void note_units(const int& weight, Color king, int halves) {
        danger_halves[king][static_cast<std::size_t>(&weight - &kDanger.knight_attacker)] += halves;
    }
    // Attackers multiply each other's force.
    void multiply_attackers(Color king, int attackers) {
        for (std::size_t i = 0; i < 4; ++i) danger_halves[king][i] *= attackers;
    }
};

struct NoTrace {
    static constexpr bool kActive = false;
    void note(std::size_t, Color, int) {}
    void note_danger(Color, Tapered) {}
    void note_units(const int&, Color, int) {}
    void multiply_attackers(Color, int) {}
};

// Everything that depends on pawns alone, kept in a small hash table. One cache line: reading it is one wait at most.
struct alignas(64) PawnEntry {
    Key key = ~Key{0};
    PerColor<Tapered> score{};
    PerColor<Bitboard> passed{};
    PerColor<Bitboard> attack_span{};  // squares its pawns attack now or could after advancing
    // The last shelter counted with these pawns, and for which king.
    PerColor<Tapered> shelter{};
    PerColor<Square> shelter_king{{Square::None, Square::None}};
    PerColor<bool> shelter_castling{};
};
static_assert(sizeof(PawnEntry) == 64);

template <class Tracer>
struct Context {
    const Position& position;
    Tracer& tracer;
    PawnEntry* entry = nullptr;

    PerColor<Bitboard> mobility_area{};
    PerColor<PerPieceType<Bitboard>> attacks{};
    PerColor<Bitboard> attacked{};  // by anything
    PerColor<Bitboard> attacked_twice{};
    PerColor<Bitboard> king_zone{};
    PerColor<int> attack_units{};  // of the side's pieces against the enemy king
    PerColor<int> attackers{};
    PerColor<int> zone_attacks{};

    // The weight times the count, noted if anybody listens.
    Tapered add(Color side, const Tapered& weight, int count = 1) {
        [[maybe_unused]] const auto index = static_cast<std::size_t>(&weight - first_weight());
        if constexpr (kAdjustable)
            if (!kUse.group(kGroupOfWeight[index])) return {};
        if constexpr (Tracer::kActive) tracer.note(index, side, count);
        return weight * count;
    }

  private:
    static const Tapered* first_weight() { return kWeights.material.data(); }
};

// In steps of a king, for all pairs of squares.
inline constexpr auto kDistances = [] {
    PerSquare<PerSquare<std::uint8_t>> table{};
    for (int a = 0; a < 64; ++a)
        for (int b = 0; b < 64; ++b) {
            const int files = (a & 7) - (b & 7), ranks = (a >> 3) - (b >> 3);
            const int f = files < 0 ? -files : files, r = ranks < 0 ? -ranks : ranks;
            table[square_at(a)][square_at(b)] = static_cast<std::uint8_t>(f > r ? f : r);
        }
    return table;
}();
inline int distance(Square a, Square b) { return kDistances[a][b]; }
constexpr int edge_distance(File f) { return index(f) < 4 ? index(f) : 7 - index(f); }
// The place of a square in a table of the files a to d.
constexpr std::size_t half_board(Color c, Square s) {
    const Square r = relative(c, s);
    return static_cast<std::size_t>(index(rank_of(r)) * 4 + edge_distance(file_of(r)));
}
constexpr std::size_t rank_index(Color c, Square s) {
    return static_cast<std::size_t>(index(relative(c, rank_of(s))));
}
constexpr std::size_t type_index(PieceType t) { return static_cast<std::size_t>(index(t)); }

constexpr Bitboard adjacent_files(File f) {
    const Bitboard file{f};
    return shift<Direction::East>(file) | shift<Direction::West>(file);
}
// Every file with one of the squares on it.
constexpr Bitboard files_of(Bitboard b) {
    std::uint64_t x = b.bits();
    x |= x >> 8;
    x |= x >> 16;
    x |= x >> 32;
    return Bitboard{(x & 0xFF) * Bitboard{File::A}.bits()};
}
// All squares on ranks ahead of the square, as its side sees it.
constexpr Bitboard ranks_ahead(Color c, Rank r) {
    const std::uint64_t all = ~std::uint64_t{0};
    if (c == Color::White)
        return index(r) == 7 ? kNoSquares : Bitboard{all << (8 * (index(r) + 1))};
    return index(r) == 0 ? kNoSquares : Bitboard{all >> (8 * (8 - index(r)))};
}
constexpr Bitboard forward_file(Color c, Square s) {
    return Bitboard{file_of(s)} & ranks_ahead(c, rank_of(s));
}
// The squares from which enemy pawns could stop or take a pawn on its way.
constexpr Bitboard passed_span(Color c, Square s) {
    return (Bitboard{file_of(s)} | adjacent_files(file_of(s))) & ranks_ahead(c, rank_of(s));
}
inline Bitboard push(Color c, Bitboard b) {
    return c == Color::White ? shift<Direction::North>(b) : shift<Direction::South>(b);
}

}  // namespace rokada::engine
