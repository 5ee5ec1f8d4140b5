// SPDX-License-Identifier: GPL-3.0-or-later
// A move in 16 bits and a list of moves without allocation.
// Castling is stored as "king takes own rook", which covers Chess960 as well.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "chess/types.hpp"

namespace rokada {

enum class MoveKind : std::uint8_t { Normal, Promotion, EnPassant, Castling };

class Move {
  public:
    constexpr Move() = default;  // none
    constexpr Move(Square from, Square to) : Move(from, to, MoveKind::Normal, 0) {}
    static constexpr Move promotion(Square from, Square to, PieceType piece) {
        return Move(from, to, MoveKind::Promotion, index(piece) - index(PieceType::Knight));
    }
    static constexpr Move en_passant(Square from, Square to) {
        return Move(from, to, MoveKind::EnPassant, 0);
    }
    static constexpr Move castling(Square king, Square rook) {
        return Move(king, rook, MoveKind::Castling, 0);
    }
    // For storage outside the program: the bits are stable. Any value is safe to hold; whether it
    // is a legal move is for the position to say.
    static constexpr Move from_bits(std::uint16_t bits) {
        Move m;
        m.bits_ = bits;
        return m;
    }

    constexpr std::uint16_t bits() const { return bits_; }
    constexpr bool none() const { return bits_ == 0; }
    explicit constexpr operator bool() const { return bits_ != 0; }
    constexpr Square from() const { return square_at(bits_ & 63); }
    constexpr Square to() const { return square_at((bits_ >> 6) & 63); }
    constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 14); }
    constexpr bool is_promotion() const { return kind() == MoveKind::Promotion; }
    constexpr bool is_en_passant() const { return kind() == MoveKind::EnPassant; }
    constexpr bool is_castling() const { return kind() == MoveKind::Castling; }
    // Meaningful for promotions only.
    constexpr PieceType promoted() const {
        return static_cast<PieceType>(((bits_ >> 12) & 3) + index(PieceType::Knight));
    }
    // Meaningful for castling only.
    constexpr CastlingSide castling_side() const {
        return to() > from() ? CastlingSide::King : CastlingSide::Queen;
    }
    friend constexpr bool operator==(Move a, Move b) { return a.bits_ == b.bits_; }
    friend constexpr bool operator!=(Move a, Move b) { return a.bits_ != b.bits_; }

  private:
    constexpr Move(Square from, Square to, MoveKind kind, int promotion)
        : bits_(static_cast<std::uint16_t>(index(from) | (index(to) << 6) | (promotion << 12) |
                                           (static_cast<int>(kind) << 14))) {}
    std::uint16_t bits_ = 0;
};

// Games reach 218 moves at most, but a setup may hold fifteen queens beside the king: 15 * 27 + 8.
// The generator writes up to 32 moves at a time and may do so behind the last one.
class MoveList {
  public:
    static constexpr std::size_t kCapacity = 448;

    MoveList() {}  // the moves stay uninitialised on purpose
    void push(Move m) {
        assert(size_ < kCapacity);
        moves_[size_++].move = m;
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    Move operator[](std::size_t i) const { return moves_[i].move; }
    bool contains(Move m) const {
        for (Move other : *this)
            if (other == m) return true;
        return false;
    }

    union Slot {
        Slot() {}
        Move move;
    };
    class Iterator {
      public:
        explicit Iterator(const Slot* at) : at_(at) {}
        Move operator*() const { return at_->move; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        friend bool operator!=(Iterator a, Iterator b) { return a.at_ != b.at_; }
        friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }

      private:
        const Slot* at_;
    };
    // For the generator: where the next moves go, and how far it came.
    Slot* free_slots() { return moves_ + size_; }
    void grow_to(const Slot* end) {
        size_ = static_cast<std::size_t>(end - moves_);
        assert(size_ <= kCapacity);
    }
    Iterator begin() const { return Iterator{moves_}; }
    Iterator end() const { return Iterator{moves_ + size_}; }

  private:
    Slot moves_[kCapacity];
    std::size_t size_ = 0;
};

}  // namespace rokada
