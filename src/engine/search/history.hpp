// SPDX-License-Identifier: GPL-3.0-or-later
// What past searches say about moves, independent of the position: each table remembers how well a
// move did in some context. Values move towards a limit with "gravity", so that old experience
// fades by itself.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "chess/position.hpp"

namespace rokada::engine {

// One remembered value within [-Limit, Limit]: the nearer it is to a limit, the less further praise
// adds.
template <int Limit>
class Gravity {
  public:
    operator int() const { return value_; }
    void update(int bonus) {
        const int b = bonus > Limit ? Limit : bonus < -Limit ? -Limit : bonus;
        value_ = static_cast<std::int16_t>(value_ + b - value_ * std::abs(b) / Limit);
    }
    void scale(int numerator, int denominator) {
        value_ = static_cast<std::int16_t>(value_ * numerator / denominator);
    }

  private:
    static_assert(Limit < 32768);
    std::int16_t value_ = 0;
};

inline constexpr int kHistoryLimit = 16384;
using HistoryValue = Gravity<kHistoryLimit>;

// The twelve pieces without the holes of Piece.
constexpr std::size_t dense(Piece p) {
    return static_cast<std::size_t>(index(color_of(p)) * 6 + index(type_of(p)));
}
constexpr std::size_t piece_to(Piece p, Square to) {
    return dense(p) * 64 + static_cast<std::size_t>(index(to));
}
inline constexpr std::size_t kPieceTo = 12 * 64;
constexpr std::size_t from_to(Move m) { return m.bits() & 0xFFF; }

// By piece and target square.
using PieceToHistory = std::array<HistoryValue, kPieceTo>;
inline constexpr std::size_t kHalf = kPieceTo / 2;
// The entries of one side's pieces.
inline const HistoryValue* half_of(const PieceToHistory& table, Color side) {
    return table.data() + kHalf * static_cast<std::size_t>(index(side));
}
// Asks memory for them all.
inline void prefetch_half(const HistoryValue* half) {
    constexpr std::size_t line = 64 / sizeof(HistoryValue);
    for (std::size_t i = 0; i < kHalf; i += line) __builtin_prefetch(half + i);
}
// By side, origin and target.
using ButterflyHistory = PerColor<std::array<HistoryValue, 4096>>;
// By what moved before: [that move was noisy][its piece and target][our piece and target].
using ContinuationHistory = std::array<std::array<PieceToHistory, kPieceTo>, 2>;
// By piece and target and kind of the piece taken (none for a promotion without capture).
using CaptureHistory = std::array<std::array<HistoryValue, 7>, kPieceTo>;
// By pawn structure, piece and target.
inline constexpr std::size_t kPawnHistorySize = 1024;
using PawnHistory = std::array<PieceToHistory, kPawnHistorySize>;

struct alignas(64) Histories {
    ButterflyHistory butterfly;
    CaptureHistory capture;
    PawnHistory pawn;
    ContinuationHistory continuation;
    PieceToHistory nothing;  // stands in where no move was made; never updated

    PieceToHistory& pawn_of(const Position& position) {
        return pawn[position.pawn_key() & (kPawnHistorySize - 1)];
    }
    HistoryValue& capture_of(const Position& position, Move m) {
        return capture[piece_to(position.at(m.from()), m.to())]
                      [static_cast<std::size_t>(index(type_of(position.captured(m))))];
    }
    // Megabytes: not to be made on the stack and copied.
    void clear() { std::memset(static_cast<void*>(this), 0, sizeof *this); }
    // Between two moves of a game the general experience is kept at a discount.
    void age() {
        for (auto& side : butterfly)
            for (HistoryValue& value : side) value.scale(3, 4);
    }
};

static_assert(std::is_trivially_copyable_v<Histories>);

// Captures and queen promotions: what the generator calls noisy.
inline bool is_noisy(const Position& position, Move m) {
    return m.is_promotion() ? m.promoted() == PieceType::Queen : position.is_capture(m);
}

}  // namespace rokada::engine
