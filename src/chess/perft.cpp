// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.hpp"

#include "chess/movegen.hpp"

namespace rokada {

std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0) return 1;
    const MoveList moves = legal_moves(position);
    if (depth == 1) return moves.size();
    std::uint64_t leaves = 0;
    for (const Move move : moves) {
        Position next = position;
        next.play(move);
        leaves += perft(next, depth - 1);
    }
    return leaves;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth) {
    std::vector<std::pair<Move, std::uint64_t>> counts;
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        counts.emplace_back(move, perft(next, depth - 1));
    }
    return counts;
}

}  // namespace rokada
