// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/setup.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> errors_of(const char* fen) {
    const auto setup = parse_fen(fen);
    EXPECT_TRUE(setup) << fen << ": " << setup.error().to_string();
    return setup ? check(*setup).codes() : std::vector<std::string>{"unreadable"};
}

TEST(IllegalSetups, NameTheirReason) {
    const struct {
        const char* fen;
        const char* code;
    } cases[] = {
        {"8/8/8/8/8/8/8/4K3 w - - 0 1", "king-count"},
        {"4k3/8/8/8/8/8/8/8 w - - 0 1", "king-count"},
        {"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "king-count"},
        {"8/8/8/8/8/8/8/8 w - - 0 1", "king-count"},
        {"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn-on-back-rank"},
        {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn-on-back-rank"},
        {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "too-many-pawns"},
        {"4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1", "too-many-pieces"},
        {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "opponent-in-check"},
        {"4k3/4K3/8/8/8/8/8/8 w - - 0 1", "opponent-in-check"},
        {"4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", "opponent-in-check"},
        {"4k3/8/8/4r3/7b/8/3p4/4K3 w - - 0 1", "too-many-checkers"},
        {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling-right"},
        {"4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling-right"},
        {"4k3/8/8/8/8/8/8/3NK2r w K - 0 1", "castling-right"},
        {"4k3/8/8/8/8/8/8/R3K3 w H - 0 1", "castling-right"},
        {"4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "en-passant-square"},
        {"4k3/8/8/3P4/8/8/8/4K3 w - d6 0 1", "en-passant-square"},
        {"4k3/3r4/8/3p4/8/8/8/4K3 w - d6 0 1", "en-passant-square"},
        {"4k3/8/3n4/3p4/8/8/8/4K3 w - d6 0 1", "en-passant-square"},
        {"4k3/8/8/3p4/8/8/8/4K3 b - d6 0 1", "en-passant-square"},
        {"4k3/8/8/3p4/8/8/8/4K3 w - d5 0 1", "en-passant-square"},
        {"4k3/8/8/3p4/8/8/4r3/4K3 w - d6 0 1", "en-passant-check"},
        {"4k3/8/8/3p4/8/5n2/8/4K3 w - d6 0 1", "en-passant-check"},
    };
    for (const auto& c : cases) EXPECT_THAT(errors_of(c.fen), ElementsAre(c.code)) << c.fen;
}

TEST(IllegalSetups, NameAllTheirReasonsAtOnce) {
    EXPECT_THAT(errors_of("P3k3/8/8/8/8/P7/PPPPPPPP/NNNNNNNN w KQ d6 0 1"),
                ElementsAre("king-count", "pawn-on-back-rank", "too-many-pawns", "too-many-pieces",
                            "castling-right", "en-passant-square"));
    const auto setup = parse_fen("4k3/8/8/8/8/8/4R3/4K3 w K - 0 1");
    ASSERT_TRUE(setup);
    const SetupErrors errors = check(*setup);
    EXPECT_TRUE(errors.has(SetupError::OpponentInCheck));
    EXPECT_EQ(errors.message(),
              "the side that just moved is in check; a castling right without its king and rook");
    const auto position = Position::from_setup(*setup);
    ASSERT_FALSE(position);
    EXPECT_EQ(position.error().codes(), errors.codes());
}

TEST(LegalSetups, IncludeStrangeOnesThatNoRuleForbids) {
    for (const char* fen : {
             "k7/8/8/8/8/8/QQQQQQQ1/KQQQQQQQ b - - 0 1",  // fifteen queens
             "4k3/8/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1",
             "4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1",  // the inner rook has the right
             "4k3/8/8/8/1b6/8/8/4K2R w K - 0 1",   // in check, rights stay
             // The double step itself gives check, or uncovers it.
             "4k3/8/8/3p4/4K3/8/8/8 w - d6 0 1", "3rk3/8/8/3p4/8/8/8/3K4 w - d6 0 1",
             "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
             "4k3/b7/8/2pP4/8/4K3/8/8 w - c6 0 1",  // no check, whatever came before
             "8/8/8/4k3/2b5/8/4p3/3K4 w - - 0 1",   // two checkers
         })
        EXPECT_THAT(errors_of(fen), IsEmpty()) << fen;
}

TEST(Chess960, HasTheUsualStartAtNumber518AndNoTwoAlike) {
    EXPECT_EQ(to_fen(rokada::Setup::standard()), kStartFen);
    EXPECT_EQ(rokada::Setup::chess960(518), rokada::Setup::standard());
    EXPECT_EQ(to_fen(rokada::Setup::chess960(0), CastlingStyle::Shredder),
              "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    EXPECT_EQ(to_fen(rokada::Setup::chess960(959), CastlingStyle::Shredder),
              "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");
    std::set<std::string> boards;
    for (int number = 0; number < 960; ++number) {
        const rokada::Setup setup = rokada::Setup::chess960(number);
        EXPECT_FALSE(check(setup).any()) << number;
        boards.insert(to_fen(setup));
    }
    EXPECT_EQ(boards.size(), 960u);
}

TEST(SharedSetups, AreToldApartLegalFromIllegal) {
    const auto folder = testing_support::shared_data("fen");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    const auto legal = testing_support::read_lines(folder / "cozy-chess-valid.sfens");
    const auto illegal = testing_support::read_lines(folder / "cozy-chess-invalid.sfens");
    EXPECT_EQ(legal.size(), 5000u);
    EXPECT_EQ(illegal.size(), 5000u);
    for (const std::string& fen : legal) {
        const auto position = parse_position(fen);
        ASSERT_TRUE(position) << fen << ": " << position.error().to_string();
        EXPECT_EQ(to_fen(*position, CastlingStyle::Shredder, EnPassantStyle::Always), fen);
    }
    for (const std::string& fen : illegal) {
        const auto setup = parse_fen(fen);
        ASSERT_TRUE(setup) << fen << ": " << setup.error().to_string();
        EXPECT_TRUE(check(*setup).any()) << fen;
    }
    const auto starts =
        testing_support::read_lines(folder / "cozy-chess-chess960_start_positions.sfens");
    ASSERT_EQ(starts.size(), 960u);
    for (int number = 0; number < 960; ++number)
        EXPECT_EQ(to_fen(rokada::Setup::chess960(number), CastlingStyle::Shredder),
                  starts[static_cast<std::size_t>(number)]);
}

}  // namespace
}  // namespace rokada
