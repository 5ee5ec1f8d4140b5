// SPDX-License-Identifier: GPL-3.0-or-later
// Random but repeatable games for property tests, from the usual start, from Chess960 starts, and from
// positions crowded with pieces that make moves ambiguous.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/position.hpp"

namespace rokada::testing_support {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
    std::uint64_t next() { return mix_bits(state_++); }

  private:
    std::uint64_t state_;
};

// Many queens, rooks, knights and bishops of a colour, so that disambiguation is needed all the time.
inline constexpr const char* kCrowded[] = {
    "k7/8/8/2Q1Q3/8/3Q4/5Q2/2Q1K3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "k7/8/3NN3/1N3N2/8/1N3N2/3NN3/K7 w - - 0 1",
    "3rk3/1r3r2/8/n1n5/4b3/b1b5/8/R3K2R w KQ - 0 1",
    "7k/PPPPPP2/8/8/8/8/pppppp2/7K w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
};

// For positions written in tests: a mistake in one stops with the reason.
inline Position position_of(const char* fen) {
    const auto position = parse_position(fen);
    if (!position) {
        std::fprintf(stderr, "%s: %s\n", fen, position.error().to_string().c_str());
        std::abort();
    }
    return *position;
}

struct RandomGame {
    Position start;
    std::vector<Move> moves;
};

inline Position random_start(Random& random, std::uint64_t number) {
    switch (number % 3) {
        case 0: return Position();
        case 1:
            return Position::from_setup(Setup::chess960(static_cast<int>(random.below(960))))
                .value();
        default: return position_of(kCrowded[random.below(std::size(kCrowded))]);
    }
}

inline RandomGame random_game(std::uint64_t seed, std::size_t longest = 200) {
    Random random(seed * 0x9E3779B97F4A7C15ull + 1);
    RandomGame game{random_start(random, seed), {}};
    Position position = game.start;
    while (game.moves.size() < longest) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        game.moves.push_back(moves[random.below(moves.size())]);
        position.play(game.moves.back());
    }
    return game;
}

// Calls visit(position) for every position of `count` random games, the starts included.
template <class Visit>
void for_random_positions(std::uint64_t count, Visit visit) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        const RandomGame game = random_game(seed);
        Position position = game.start;
        visit(position);
        for (const Move move : game.moves) {
            position.play(move);
            visit(position);
        }
    }
}

}  // namespace rokada::testing_support
