// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/lan.hpp"

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/san.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::position_of;

TEST(Lan, IsWrittenWithBothSquares) {
    const Position start;
    EXPECT_EQ(to_lan(start, Move(Square::G1, Square::F3)), "Ng1-f3");
    EXPECT_EQ(to_lan(start, Move(Square::E2, Square::E4)), "e2-e4");
    EXPECT_EQ(to_lan(start, Move(Square::G1, Square::F3), kFigurines), "\u2658g1-f3");
    const Position promotion = position_of("3r3k/4P1pp/8/8/8/8/8/R3K3 w Q - 0 1");
    EXPECT_EQ(to_lan(promotion, Move::promotion(Square::E7, Square::D8, PieceType::Queen)),
              "e7xd8=Q#");
    EXPECT_EQ(to_lan(promotion, Move::promotion(Square::E7, Square::E8, PieceType::Knight)),
              "e7-e8=N");
    EXPECT_EQ(to_lan(promotion, Move::castling(Square::E1, Square::A1)), "O-O-O");
    EXPECT_EQ(to_lan(promotion, Move(Square::A1, Square::A8)), "Ra1-a8");
    const Position en_passant =
        position_of("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    EXPECT_EQ(to_lan(en_passant, Move::en_passant(Square::E5, Square::D6)), "e5xd6");
}

TEST(Lan, IsReadInEveryUsualForm) {
    const Position start;
    for (const char* text : {"Ng1-f3", "Ng1f3", "g1f3", "g1-f3", "Ng1-f3!", "Ng1-f3+"})
        EXPECT_EQ(parse_lan(start, text).value(), Move(Square::G1, Square::F3)) << text;
    for (const char* text : {"e2e4", "e2-e4", "Pe2-e4"})
        EXPECT_EQ(parse_lan(start, text).value(), Move(Square::E2, Square::E4)) << text;
    const Position queen = position_of("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1");
    EXPECT_EQ(parse_lan(queen, "Qd2d4").value(), Move(Square::D2, Square::D4));
    const Position promotion = position_of("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    for (const char* text : {"e7-e8=Q", "e7e8q", "e7e8=Q", "e7-e8Q"})
        EXPECT_EQ(parse_lan(promotion, text).value(),
                  Move::promotion(Square::E7, Square::E8, PieceType::Queen))
            << text;
    const Position castling = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (const char* text : {"O-O", "0-0", "e1g1", "Ke1-g1", "e1h1"})
        EXPECT_EQ(parse_lan(castling, text).value(), Move::castling(Square::E1, Square::H1))
            << text;
}

TEST(Lan, SaysWhatIsWrong) {
    const Position start;
    const auto message = [&](const char* text) { return parse_lan(start, text).error().message; };
    EXPECT_EQ(message("Nf3"), "'Nf3' does not name the square the piece leaves");
    EXPECT_EQ(message("e4"), "'e4' does not name the square the piece leaves");
    EXPECT_EQ(message(""), "a move is missing");
    EXPECT_EQ(message("Bg1-f3"), "'Bg1-f3' is illegal: on g1 stands a knight, not a bishop");
    EXPECT_EQ(message("e2-e5"), "'e2-e5' is illegal: the pawn on e2 cannot move like that");
    EXPECT_EQ(message("Ng1-"), "'Ng1-' ends before the square to move to");
    EXPECT_EQ(message("e2-e4=Q"), "'e2-e4=Q' is illegal: there is no promotion on e4");
}

TEST(Lan, OfEveryLegalMoveIsReadBack) {
    testing_support::for_random_positions(150, [](const Position& position) {
        for (const Move move : legal_moves(position)) {
            const std::string lan = to_lan(position, move);
            const auto back = parse_lan(position, lan);
            ASSERT_TRUE(back) << to_fen(position) << ' ' << back.error().to_string();
            ASSERT_EQ(*back, move) << lan << " in " << to_fen(position);
            ASSERT_EQ(parse_san(position, lan).value(), move) << lan;
        }
    });
}

}  // namespace
}  // namespace rokada
