// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/illegal.hpp"

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/move_error.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::position_of;

struct Tried {
    const char* fen;
    Square from, to;
    IllegalReason reason;
    std::vector<Square> at, by;
    PieceType promotion = PieceType::None;
};

Bitboard set_of(const std::vector<Square>& squares) {
    Bitboard set;
    for (const Square s : squares) set |= Bitboard{s};
    return set;
}

void PrintTo(const Tried& t, std::ostream* out) {
    *out << t.fen << ' ' << to_string(t.from) << to_string(t.to);
}

class IllegalTry : public testing::TestWithParam<Tried> {};

TEST_P(IllegalTry, HasItsReasonAndSquares) {
    const Tried& t = GetParam();
    const auto illegal = explain_illegal(position_of(t.fen), t.from, t.to, t.promotion);
    if (!illegal) FAIL() << "it is legal";
    EXPECT_EQ(to_string(illegal->reason), to_string(t.reason));
    EXPECT_EQ(illegal->at, set_of(t.at));
    EXPECT_EQ(illegal->by, set_of(t.by));
}

using enum Square;
using Why = IllegalReason;
constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

INSTANTIATE_TEST_SUITE_P(
    Moves, IllegalTry,
    testing::Values(
        Tried{kStart, E4, E5, Why::NoPiece, {E4}, {}},
        Tried{kStart, E7, E5, Why::NotYourTurn, {E7}, {}},
        Tried{kStart, G1, E2, Why::OwnPieceOnTarget, {E2}, {}},
        Tried{kStart, A1, A2, Why::OwnPieceOnTarget, {A2}, {}},
        Tried{kStart, G1, G3, Why::CannotMoveLikeThat, {G1}, {}},
        Tried{kStart, G1, G1, Why::CannotMoveLikeThat, {G1}, {}},
        Tried{kStart, E2, E5, Why::CannotMoveLikeThat, {E2}, {}},
        Tried{kStart, E2, D3, Why::CannotMoveLikeThat, {E2}, {}},
        Tried{kStart, E1, E3, Why::CannotMoveLikeThat, {E1}, {}},
        Tried{kStart, A1, A4, Why::PathBlocked, {A2}, {}},
        Tried{kStart, E1, E2, Why::OwnPieceOnTarget, {E2}, {}},
        Tried{"4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", E2, E4, Why::PathBlocked, {E4}, {}},
        Tried{"4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", E2, E4, Why::PathBlocked, {E3}, {}},
        Tried{"4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1", E2, D3, Why::OwnPieceOnTarget, {D3}, {}},
        Tried{"4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", E2, C3, Why::Pinned, {E2}, {E4}},
        Tried{"4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1", G1, F3, Why::CheckNotAnswered, {E1}, {E4}},
        Tried{"4k3/8/8/8/4r3/8/6n1/4K1R1 w - - 0 1", G1, G2, Why::CheckNotAnswered, {E1}, {E4}},
        Tried{"4k3/8/8/8/3r4/8/8/4K3 w - - 0 1", E1, D1, Why::KingWouldBeInCheck, {D1}, {D4}},
        Tried{"4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", E1, E2, Why::KingWouldBeInCheck, {E2}, {E4}},
        // The king may not step back along the line of the check.
        Tried{"4k3/8/8/4r3/8/4K3/8/8 w - - 0 1", E3, E2, Why::KingWouldBeInCheck, {E2}, {E5}},
        Tried{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", E1, G1, Why::CastlingRightGone, {E1}, {}},
        Tried{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", E1, A1, Why::CastlingRightGone, {E1}, {}},
        Tried{"4k3/8/8/8/8/5n2/8/R3K2R w KQ - 0 1", E1, G1, Why::CastlingInCheck, {E1}, {F3}},
        Tried{kStart, E1, G1, Why::CastlingBlocked, {F1, G1}, {}},
        Tried{kStart, E1, H1, Why::CastlingBlocked, {F1, G1}, {}},
        Tried{"4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", E1, C1, Why::CastlingBlocked, {B1}, {}},
        Tried{"3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", E1, C1, Why::CastlingThroughAttack, {D1}, {D8}},
        Tried{"2rrk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
              E1,
              C1,
              Why::CastlingThroughAttack,
              {C1, D1},
              {C8, D8}},
        // Chess960: the castling rook was the shield.
        Tried{"4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", D1, B1, Why::CastlingThroughAttack, {C1}, {A1}},
        Tried{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", E5, D6, Why::EnPassantNotAvailable, {D5}, {}},
        Tried{"8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", E4, D3, Why::Pinned, {E4}, {H4}},
        Tried{"4k3/8/8/2KpP2r/8/8/8/8 w - d6 0 1", E5, D6, Why::Pinned, {E5}, {H5}},
        Tried{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1", E7, E8, Why::PromotionPieceNeeded, {E8}, {}},
        Tried{"8/4P2k/8/8/8/8/8/4K3 w - - 0 1",
              E7,
              E8,
              Why::PromotionNotPossible,
              {E8},
              {},
              PieceType::King},
        Tried{kStart, E2, E4, Why::PromotionNotPossible, {E4}, {}, PieceType::Queen},
        Tried{kStart, G1, F3, Why::PromotionNotPossible, {F3}, {}, PieceType::Queen}));

TEST(IllegalTries, AreExactlyThoseNoLegalMoveFits) {
    std::size_t legal = 0;
    testing_support::for_random_positions(12, [&](const Position& position) {
        const MoveList moves = legal_moves(position);
        for (int f = 0; f < 64; ++f) {
            for (int t = 0; t < 64; ++t) {
                const Square from = square_at(f), to = square_at(t);
                if (from == to) continue;  // no gesture, even where a castling king stays
                bool fits = false, promotes = false;
                for (const Move move : moves) {
                    if (move.from() != from) continue;
                    const bool castles = move.is_castling() &&
                                         castled_king(position.turn(), move.castling_side()) == to;
                    fits |= move.to() == to || castles;
                    promotes |= move.to() == to && move.is_promotion();
                }
                const PieceType piece = promotes ? PieceType::Rook : PieceType::None;
                const auto illegal = explain_illegal(position, from, to, piece);
                ASSERT_EQ(!illegal, fits)
                    << to_fen(position) << ' ' << to_string(from) << to_string(to);
                legal += fits;
                if (!illegal) continue;
                ASSERT_FALSE(describe(position, *illegal).empty());
                ASSERT_TRUE(illegal->at.any());
            }
        }
    });
    EXPECT_GT(legal, 10000u);
}

TEST(IllegalReasons, HaveWordsOfTheirOwn) {
    std::vector<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(Why::PromotionNotPossible); ++i)
        words.push_back(to_string(static_cast<IllegalReason>(i)));
    for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_FALSE(words[i].empty());
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(words[i], words[j]);
    }
}

}  // namespace
}  // namespace rokada
