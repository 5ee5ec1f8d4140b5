// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/fen.hpp"

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "tests/chess/random_games.hpp"

namespace rokada {
namespace {

using testing_support::position_of;

struct Broken {
    const char* text;
    std::size_t offset;
    const char* message;
};

class BrokenFen : public testing::TestWithParam<Broken> {};

TEST_P(BrokenFen, SaysWhatIsWrongAndWhere) {
    const auto setup = parse_fen(GetParam().text);
    ASSERT_FALSE(setup);
    EXPECT_EQ(setup.error().message, GetParam().message);
    EXPECT_EQ(setup.error().offset, GetParam().offset);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BrokenFen,
    testing::Values(
        Broken{"", 0, "the FEN ends before the board"},
        Broken{"  ", 2, "the FEN ends before the board"},
        Broken{"8/8", 3, "the board ends before h1"},
        Broken{"8/8/8/8/8/8/8/8/8 w - - 0 1", 15, "the board has more than 8 ranks"},
        Broken{"9/8/8/8/8/8/8/8 w - - 0 1", 0, "'9' is no piece, digit or '/'"},
        Broken{"8/7/8/8/8/8/8/8 w - - 0 1", 3, "rank 7 has 7 squares, not 8"},
        Broken{"8/8p/8/8/8/8/8/8 w - - 0 1", 3, "rank 7 has more than 8 squares"},
        Broken{"8/8/8/3x4/8/8/8/8 w - - 0 1", 7, "'x' is no piece, digit or '/'"},
        Broken{"8/8/8/8/8/8/8/8", 15, "the FEN ends before the side to move"},
        Broken{"8/8/8/8/8/8/8/8 x - - 0 1", 16, "'x' is not 'w' or 'b'"},
        Broken{"8/8/8/8/8/8/8/8 w", 17, "the FEN ends before the castling rights"},
        Broken{"8/8/8/8/8/8/8/8 w Z - 0 1", 18, "'Z' is no castling letter"},
        Broken{"4k3/8/8/8/8/8/8/4K2R w KK - 0 1", 24, "'K' names a castling right twice"},
        Broken{"4k3/8/8/8/8/8/8/4K1RR w KG - 0 1", 25, "'G' names a castling right twice"},
        Broken{"8/8/8/8/8/8/8/8 w -", 19, "the FEN ends before the en passant square"},
        Broken{"8/8/8/8/8/8/8/8 w - e9 0 1", 20, "'e9' is no en passant square"},
        Broken{"8/8/8/8/8/8/8/8 w - e33 0 1", 20, "'e33' is no en passant square"},
        Broken{"8/8/8/8/8/8/8/8 w - - x 1", 22, "'x' is no halfmove clock"},
        Broken{"8/8/8/8/8/8/8/8 w - - -1 1", 22, "'-1' is no halfmove clock"},
        Broken{"8/8/8/8/8/8/8/8 w - - 99999999999999999999 1", 22,
               "the halfmove clock is above 9999"},
        Broken{"8/8/8/8/8/8/8/8 w - - 0 1x", 24, "'1x' is no move number"},
        Broken{"8/8/8/8/8/8/8/8 w - - 0 1 x", 26, "unexpected 'x' after the FEN"}));

TEST(Fen, TakesMissingCountersAsZeroAndOne) {
    const auto setup = parse_fen("4k3/8/8/8/8/8/8/4K3 w - -");
    ASSERT_TRUE(setup);
    EXPECT_EQ(setup->halfmove_clock, 0);
    EXPECT_EQ(setup->fullmove_number, 1);
    EXPECT_EQ(to_fen(*setup), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    // Some programs count moves from 0.
    EXPECT_EQ(parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 3 0")->fullmove_number, 1);
}

TEST(Fen, AcceptsAnyBlanksBetweenItsFields) {
    const auto setup = parse_fen("\t4k3/8/8/8/8/8/8/4K3  b\t-  -   5 \r\n");
    ASSERT_TRUE(setup);
    EXPECT_EQ(to_fen(*setup), "4k3/8/8/8/8/8/8/4K3 b - - 5 1");
}

TEST(Fen, WritesCastlingLettersOnlyAsPlainAsTheyAreClear) {
    const struct {
        const char* given;
        const char* x_fen;
        const char* shredder;
    } cases[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w qK - 0 1", "Kq", "Ha"},
        {"4k3/8/8/8/8/8/8/2R1K1RR w GC - 0 1", "GQ", "GC"},
        {"4k3/8/8/8/8/8/8/2R1K1RR w KQ - 0 1", "KQ", "HC"},
        {"1r1k2rr/8/8/8/8/8/8/4K3 b gb - 0 1", "gq", "gb"},
    };
    for (const auto& c : cases) {
        const Position position = position_of(c.given);
        const auto field = [](const std::string& fen) {
            const std::size_t begin = fen.find(' ', fen.find(' ') + 1) + 1;
            return fen.substr(begin, fen.find(' ', begin) - begin);
        };
        EXPECT_EQ(field(to_fen(position)), c.x_fen) << c.given;
        EXPECT_EQ(field(to_fen(position, CastlingStyle::Shredder)), c.shredder) << c.given;
    }
}

TEST(Fen, NamesTheEnPassantSquareOnlyWhereACaptureIsLegal) {
    Position position;
    position.play(Move(Square::E2, Square::E4));
    EXPECT_EQ(to_fen(position), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    EXPECT_EQ(to_fen(position, CastlingStyle::XFen, EnPassantStyle::Always),
              "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    EXPECT_EQ(to_fen_without_counters(position),
              "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
    EXPECT_EQ(to_fen(position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")),
              "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    // Taking would uncover the king.
    EXPECT_EQ(to_fen(position_of("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1")),
              "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1");
}

TEST(IllegalPositions, AreReportedAsSuchWhenReadInOneStep) {
    const auto position = parse_position("8/8/8/8/8/8/8/4K3 w - - 0 1");
    ASSERT_FALSE(position);
    EXPECT_EQ(position.error().message, "illegal position: each side needs exactly one king");
}

}  // namespace
}  // namespace rokada
