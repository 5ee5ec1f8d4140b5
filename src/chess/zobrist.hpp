// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers whose exclusive or names a position. They are fixed: keys may be stored.
#pragma once

#include <cstdint>

#include "chess/types.hpp"

namespace rokada {

using Key = std::uint64_t;

// A good mix of 64 bits (splitmix64); also used wherever a stable hash is needed.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

struct Zobrist {
    EnumArray<Piece, PerSquare<Key>, 16> piece_square;
    std::array<Key, 16> castling;  // by the set of rights
    std::array<Key, 8> en_passant_file;
    Key black_to_move = 0;

    constexpr Zobrist() {
        std::uint64_t counter = 0x526F6B616461ull << 8;
        for (auto& squares : piece_square.items)
            for (Key& key : squares.items) key = mix_bits(counter++);
        // Rights are independent, so a set's key is the exclusive or of its members' keys.
        std::array<Key, 4> right{};
        for (Key& key : right) key = mix_bits(counter++);
        castling = {};
        for (std::size_t set = 0; set < 16; ++set)
            for (std::size_t i = 0; i < 4; ++i)
                if (set >> i & 1) castling[set] ^= right[i];
        en_passant_file = {};
        for (Key& key : en_passant_file) key = mix_bits(counter++);
        black_to_move = mix_bits(counter++);
        // An empty square changes no key.
        piece_square[Piece::None] = {};
    }
};

inline constexpr Zobrist kZobrist{};

}  // namespace rokada
