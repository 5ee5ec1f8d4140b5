// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation is fair to both colours, explains itself truthfully and knows its endings.
#include <memory>
#include <random>

#include "engine/evaluation/classical.hpp"
#include "engine/evaluation/endgame.hpp"
#include "engine/evaluation/kpk.hpp"
#include "engine/explain.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

Position colours_swapped(const Position& position) {
    const Setup from = position.to_setup();
    Setup to;
    for (int i = 0; i < 64; ++i) {
        const Piece p = from.board[square_at(i)];
        if (p != Piece::None)
            to.board[flip_rank(square_at(i))] = make_piece(~color_of(p), type_of(p));
    }
    to.turn = ~from.turn;
    for (const Color c : kColors)
        for (const CastlingSide side : kCastlingSides)
            if (from.castling.has(c, side))
                to.castling.set(~c, side, flip_rank(from.castling.rook(c, side)));
    if (from.en_passant != Square::None) to.en_passant = flip_rank(from.en_passant);
    to.halfmove_clock = from.halfmove_clock;
    to.fullmove_number = from.fullmove_number;
    const auto result = Position::from_setup(to);
    EXPECT_TRUE(result);
    return *result;
}

Position files_mirrored(const Position& position) {
    const Setup from = position.to_setup();
    Setup to;
    for (int i = 0; i < 64; ++i) to.board[flip_file(square_at(i))] = from.board[square_at(i)];
    to.turn = from.turn;
    return *Position::from_setup(to);
}

// Positions from random games: everything a search may come across.
template <class Visit>
void random_positions(int games, Visit visit) {
    std::mt19937 random(20240607);
    for (int g = 0; g < games; ++g) {
        Position position =
            *Position::from_setup(Setup::chess960(static_cast<int>(random() % 960)));
        for (int ply = 0; ply < 160; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty() || position.pieces(PieceType::Pawn).empty()) break;
            position.play(moves[random() % moves.size()]);
            visit(position);
        }
    }
}

TEST(Evaluation, IsTheSameForBothColours) {
    PawnTable pawns;
    int checked = 0;
    random_positions(60, [&](const Position& position) {
        const Position swapped = colours_swapped(position);
        EXPECT_EQ(evaluate_classical(position, pawns), evaluate_classical(swapped, pawns))
            << to_fen(position);
        ++checked;
    });
    EXPECT_GT(checked, 2000);
}

TEST(Evaluation, IsTheSameInTheMirrorWithoutCastling) {
    PawnTable pawns;
    random_positions(40, [&](const Position& position) {
        if (position.castling().any() || position.en_passant() != Square::None) return;
        EXPECT_EQ(evaluate_classical(position, pawns),
                  evaluate_classical(files_mirrored(position), pawns))
            << to_fen(position);
    });
}

TEST(Evaluation, TheExplanationAddsUp) {
    PawnTable pawns;
    random_positions(20, [&](const Position& position) {
        const Explanation e = explain(position);
        const Value value = evaluate_classical(position, pawns);
        EXPECT_EQ(e.centipawns, position.turn() == Color::White ? value : -value);
        if (e.special) return;
        int middlegame = 0;
        for (const ExplainedTerm& term : e.terms)
            middlegame += term.value[Color::White].middlegame - term.value[Color::Black].middlegame;
        EXPECT_EQ(middlegame, e.sum.middlegame) << to_fen(position);
    });
}

TEST(Evaluation, EveryWeightBelongsToOneTerm) {
    std::vector<int> owners(kWeightCount, 0);
    for (const Term& term : kTerms)
        for (std::size_t i = term.first; i < term.first + term.count; ++i) ++owners.at(i);
    for (const int n : owners) EXPECT_EQ(n, 1);
}

TEST(Evaluation, NeverLooksLikeAMate) {
    PawnTable pawns;
    const Value v = evaluate_classical(position_of("QQQQQQQk/8/8/8/8/8/8/K7 b - - 0 1"), pawns);
    EXPECT_FALSE(is_decisive(v));
}

TEST(Evaluation, KnownDrawsAreDraws) {
    PawnTable pawns;
    for (const char* fen : {"8/8/8/4k3/8/8/8/KNN5 w - - 0 1",          // two knights
                            "k7/8/8/P7/8/8/5B2/K7 w - - 0 1",          // the wrong bishop
                            "4k3/8/4P3/4K3/8/8/8/8 w - - 0 1",         // the opposition
                            "5k2/8/5P2/8/3b4/8/2B3P1/5K2 b - - 0 1"})  // opposite bishops
        EXPECT_LE(std::abs(evaluate_classical(position_of(fen), pawns)), 120) << fen;
    EXPECT_GT(evaluate_classical(position_of("k7/8/8/P7/8/8/4B3/K7 w - - 0 1"), pawns), 150);
}

// The whole truth about king and pawn against king, by going backwards from the ends with the rules themselves.
TEST(KingAndPawn, AgreesWithRetrogradeTruth) {
    // Depth-limited minimax would be too slow for all positions: decide by value iteration over every placement with the
    // pawn on the e file, using the move generator, where leaving the class by promotion or capture ends it.
    struct Item {
        Position position;
        bool won = false;
    };
    std::vector<std::unique_ptr<Item>> items(2 * 64 * 64 * 6);
    const auto slot = [](const Position& p) {
        const int pawn = index(rank_of(p.pieces(Color::White, PieceType::Pawn).first())) - 1;
        return static_cast<std::size_t>(
            ((pawn * 64 + index(p.king(Color::White))) * 64 + index(p.king(Color::Black))) * 2 +
            index(p.turn()));
    };
    for (int rank = 1; rank < 7; ++rank)
        for (int w = 0; w < 64; ++w)
            for (int b = 0; b < 64; ++b)
                for (const Color turn : kColors) {
                    rokada::Setup setup;
                    const Square pawn = make_square(File::E, static_cast<Rank>(rank));
                    if (w == b || square_at(w) == pawn || square_at(b) == pawn) continue;
                    setup.board[pawn] = Piece::WhitePawn;
                    setup.board[square_at(w)] = Piece::WhiteKing;
                    setup.board[square_at(b)] = Piece::BlackKing;
                    setup.turn = turn;
                    const auto position = Position::from_setup(setup);
                    if (!position) continue;
                    auto item = std::make_unique<Item>();
                    item->position = *position;
                    items[slot(*position)] = std::move(item);
                }
    const auto wins_after = [&](const Position& p, Move m) {
        Position next = p;
        next.play(m);
        if (m.is_promotion()) {
            // A queen that is not lost at once wins, unless it is stalemate.
            if (m.promoted() != PieceType::Queen) return false;
            const MoveList replies = legal_moves(next);
            if (replies.empty()) return next.in_check();
            for (const Move r : replies)
                if (next.is_capture(r)) return false;
            return true;
        }
        if (next.pieces(PieceType::Pawn).empty()) return false;
        return items[slot(next)]->won;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& item : items) {
            if (!item || item->won) continue;
            const Position& p = item->position;
            const MoveList moves = legal_moves(p);
            bool won = p.turn() == Color::Black && !moves.empty();
            for (const Move m : moves) {
                const bool wins = wins_after(p, m);
                if (p.turn() == Color::White && wins) won = true;
                if (p.turn() == Color::Black && !wins) won = false;
            }
            if (moves.empty() && p.in_check()) won = p.turn() == Color::Black;
            if (won) item->won = changed = true;
        }
    }
    int compared = 0, wrong = 0;
    for (const auto& item : items) {
        if (!item) continue;
        const Position& p = item->position;
        const Square pawn = p.pieces(PieceType::Pawn).first();
        ++compared;
        wrong += kpk_is_won(Color::White, p.king(Color::White), pawn, p.king(Color::Black),
                            p.turn()) != item->won;
    }
    EXPECT_GT(compared, 30000);
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rokada::engine
