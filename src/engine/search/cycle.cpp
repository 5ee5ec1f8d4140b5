// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/cycle.hpp"

#include <utility>

namespace rokada::engine {

namespace {

// A cuckoo hash: each move lies in one of two places.
struct ReversibleMoves {
    static constexpr std::size_t kSize = 8192;
    std::array<Key, kSize> keys{};
    std::array<Move, kSize> moves{};

    static std::size_t first(Key key) { return key & (kSize - 1); }
    static std::size_t second(Key key) { return (key >> 16) & (kSize - 1); }

    ReversibleMoves() {
        for (const Color c : kColors)
            for (const PieceType type : kPieceTypes) {
                if (type == PieceType::Pawn) continue;
                const auto& squares = kZobrist.piece_square[make_piece(c, type)];
                for (int a = 0; a < 64; ++a)
                    for (int b = a + 1; b < 64; ++b)
                        if (piece_attacks(type, square_at(a), kNoSquares).contains(square_at(b)))
                            insert(squares[square_at(a)] ^ squares[square_at(b)] ^
                                       kZobrist.black_to_move,
                                   Move(square_at(a), square_at(b)));
            }
    }

    void insert(Key key, Move move) {
        for (std::size_t at = first(key); move; at = at == first(key) ? second(key) : first(key)) {
            std::swap(keys[at], key);
            std::swap(moves[at], move);
        }
    }

    Move find(Key key) const {
        if (keys[first(key)] == key) return moves[first(key)];
        if (keys[second(key)] == key) return moves[second(key)];
        return Move();
    }
};

const ReversibleMoves& reversible_moves() {
    static const ReversibleMoves table;
    return table;
}

}  // namespace

bool can_repeat(const Position& position, const Key* keys, int reach) {
    if (reach < 3) return false;
    const ReversibleMoves& table = reversible_moves();
    const Bitboard occupied = position.occupied();
    for (int back = 3; back <= reach; back += 2) {
        const Move move = table.find(keys[0] ^ keys[-back]);
        if (move && (between(move.from(), move.to()) & occupied).empty()) return true;
    }
    return false;
}

}  // namespace rokada::engine
