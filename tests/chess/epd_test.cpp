// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/epd.hpp"

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "tests/chess/random_games.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

Epd read(std::string_view line) {
    auto epd = parse_epd(line);
    EXPECT_TRUE(epd) << line << ": " << epd.error().to_string();
    return epd ? *epd : Epd{};
}

TEST(Epd, StrictFormIsRead) {
    const Epd epd = read(
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+ e4; id \"BK.01; a\"; hmvc 7; "
        "fmvn 31;");
    EXPECT_EQ(to_fen(epd.position), "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 7 31");
    ASSERT_EQ(epd.operations.size(), 2u);
    EXPECT_EQ(epd.operations[0].opcode, "bm");
    EXPECT_EQ(epd.operations[0].text(), "Qd1+ e4");
    EXPECT_EQ(epd.find("id")->operands[0], (EpdOperand{"BK.01; a", true}));
    EXPECT_EQ(epd.find("am"), nullptr);
    const auto moves = epd.moves("bm");
    ASSERT_TRUE(moves);
    EXPECT_EQ(*moves, (std::vector{Move(Square::D6, Square::D1), Move(Square::E5, Square::E4)}));
    EXPECT_TRUE(epd.moves("am").value().empty());
}

TEST(Epd, LooseFormsAreRead) {
    const Epd counters = read("4k3/8/8/8/8/8/4P3/4K3 w - -  3 9; D4 20700");
    EXPECT_EQ(to_fen(counters.position), "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9");
    EXPECT_EQ(counters.find("D4")->text(), "20700");

    const Epd perft = read("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 7 ;D2 33");
    ASSERT_EQ(perft.operations.size(), 2u);
    EXPECT_EQ(perft.find("D2")->text(), "33");

    const Epd parted = read("4k3/8/8/8/8/8/4P3/4K3 w - -  ; bm e4, e3; id Position 3");
    EXPECT_EQ(parted.moves("bm").value().size(), 2u);
    EXPECT_EQ(parted.find("id")->text(), "Position 3");

    const Epd trailing = read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; CCC post, id \"MES.831\"");
    EXPECT_EQ(trailing.operations[1].text(), "post, id MES.831");
    const Epd mate = read("4k3/8/8/8/8/8/4P3/4K3 w - - bm #-12; ep; 00:00;");
    EXPECT_EQ(mate.find("bm")->text(), "#-12");
    EXPECT_TRUE(mate.find("ep")->operands.empty());
    EXPECT_NE(mate.find("00:00"), nullptr);

    EXPECT_TRUE(read("4k3/8/8/8/8/8/4P3/4K3 w - -").operations.empty());
    EXPECT_TRUE(read("4k3/8/8/8/8/8/4P3/4K3 w - -;;; ;").operations.empty());
    EXPECT_EQ(read("4k3/8/8/8/8/8/4P3/4K3 w - - 5").position.halfmove_clock(), 5);
}

TEST(Epd, ErrorsSayWhatAndWhere) {
    const auto problem = [](const char* line) {
        const auto epd = parse_epd(line);
        EXPECT_FALSE(epd) << line;
        return epd ? ParseError{} : epd.error();
    };
    EXPECT_EQ(problem("").message, "the FEN ends before the board");
    EXPECT_EQ(problem("4k3/8/8/8/8/8/4P3/4K3 x - - bm e4;").offset, 22u);
    const ParseError open = problem("4k3/8/8/8/8/8/4P3/4K3 w - - id \"never closed;");
    EXPECT_EQ(open.message, "the string is not closed");
    EXPECT_EQ(open.offset, 31u);
    EXPECT_EQ(problem("4k3/8/8/8/8/8/4P3/4K3 w - - \"id\";").message,
              "a string stands where an opcode should");
    const ParseError counter = problem("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x1;");
    EXPECT_EQ(counter.message, "'x1' is no number from 0 to 9999");
    EXPECT_EQ(counter.offset, 33u);
    EXPECT_EQ(problem("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn;").message, "fmvn needs one number");
    EXPECT_EQ(problem("4k3/8/8/8/8/8/8/8 w - - bm e4;").message.substr(0, 17), "illegal position:");
    EXPECT_EQ(read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;").moves("bm").error().message,
              "'e5' is illegal: no pawn of White can reach e5");
}

TEST(Epd, IsWrittenAndReadBack) {
    testing_support::for_random_positions(60, [](const Position& position) {
        Epd epd{position,
                {{"bm", {{"Nf3", false}}}, {"id", {{"a; b", true}, {"", true}}}, {"x", {}}}};
        const std::string line = to_epd(epd);
        const Epd back = read(line);
        ASSERT_EQ(back.position, position) << line;
        ASSERT_EQ(back.operations, epd.operations) << line;
        ASSERT_EQ(to_epd(back), line);
    });
}

TEST(Epd, NumberIsNoCounterWhereItBeginsAnOperation) {
    const std::string line = "4k3/8/8/8/8/8/4P3/4K3 w - - ;1 e4! e5; 2 x;";
    const Epd epd = read(line);
    EXPECT_EQ(epd.operations[0].text(), "e4! e5");
    EXPECT_EQ(epd.position.halfmove_clock(), 0);
    EXPECT_EQ(to_epd(epd), line);
}

TEST(Epd, WritingNeverBreaksTheLine) {
    const Epd epd{Position(), {{"c0", {{"say \"hi\"\nthere", false}}}}};
    EXPECT_EQ(to_epd(epd),
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"say 'hi' there\";");
}

TEST(Epd, EveryLineOfTheSuitesIsRead) {
    const auto suites = testing_support::shared_data("suites");
    if (suites.empty()) GTEST_SKIP() << "no shared data";
    std::size_t lines = 0, moves = 0;
    std::vector<std::string> mistakes;
    for (const auto& folder : {suites, suites / "mate", testing_support::shared_data("perft")}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".epd") continue;
            for (const std::string& line : testing_support::read_lines(entry.path())) {
                const auto epd = parse_epd(line);
                ASSERT_TRUE(epd) << entry.path() << ' ' << line << ": " << epd.error().to_string();
                ++lines;
                const EpdOperation* best = epd->find("bm");
                if (best == nullptr || best->text().front() == '#') continue;
                const auto found = epd->moves("bm");
                if (found)
                    moves += found->size();
                else
                    mistakes.push_back(found.error().message);
            }
        }
    }
    EXPECT_GT(lines, 25000u);
    EXPECT_GT(moves, 3000u);
    // One best move of these suites is misspelt.
    EXPECT_EQ(mistakes, std::vector<std::string>{"'3' does not belong in the move 'Bcx3'"});
}

}  // namespace
}  // namespace rokada
