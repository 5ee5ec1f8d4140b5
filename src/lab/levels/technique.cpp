// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/levels/technique.hpp"

#include "chess/attacks.hpp"
#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/zobrist.hpp"

namespace rokada::lab {

namespace {

constexpr int kMoves = 50;

// White's men must not be there for the taking: that would not be a won position. Black's king attacks what is next to it.
bool is_won(const Position& position, const Ending& ending) {
    const Square king = position.king(Color::Black);
    for (const Square s : position.pieces(Color::White))
        if (king_attacks(king).contains(s)) return false;
    if (position.in_check()) return false;
    const auto& men = ending.men;
    if (men.size() == 2 && men[0] == PieceType::Bishop && men[1] == PieceType::Bishop) {
        const Bitboard bishops = position.pieces(Color::White, PieceType::Bishop);
        return (bishops & kLightSquares).count() == 1;
    }
    return true;
}

}  // namespace

const std::vector<Ending>& basic_endings() {
    using P = PieceType;
    static const std::vector<Ending> endings{{"KQK", {P::Queen}},
                                             {"KRK", {P::Rook}},
                                             {"KRRK", {P::Rook, P::Rook}},
                                             {"KBBK", {P::Bishop, P::Bishop}},
                                             {"KBNK", {P::Bishop, P::Knight}}};
    return endings;
}

Position ending_position(const Ending& ending, std::uint64_t number) {
    for (std::uint64_t draw = mix_bits(number);; draw = mix_bits(draw + number)) {
        Setup setup;
        std::uint64_t bits = draw;
        bool free = true;
        const auto place = [&](Piece piece) {
            Piece& square = setup.board[square_at(static_cast<int>(bits & 63))];
            bits >>= 6;
            free = free && square == Piece::None;
            square = piece;
        };
        place(make_piece(Color::White, PieceType::King));
        place(make_piece(Color::Black, PieceType::King));
        for (const PieceType man : ending.men) place(make_piece(Color::White, man));
        if (!free) continue;
        const auto position = Position::from_setup(setup);
        if (position && is_won(*position, ending)) return *position;
    }
}

bool wins_ending(LevelPlayer& player, Judge& defender, const Position& start, std::uint64_t seed) {
    Game game(start);
    std::vector<Move> moves;
    while (!game.over() && moves.size() < 2 * kMoves) {
        const Move move = game.position().turn() == Color::White ? player.answer(seed, start, moves)
                                                                 : defender.of(start, moves).best;
        if (!game.play(move)) return false;
        moves.push_back(move);
    }
    return game.over() && game.outcome()->winner == Color::White;
}

}  // namespace rokada::lab
