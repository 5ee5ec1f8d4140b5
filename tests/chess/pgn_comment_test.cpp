// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_comment.hpp"

#include <gtest/gtest.h>

namespace rokada {
namespace {

using std::chrono::milliseconds;

PgnComment read(std::string_view text) {
    PgnComment comment;
    read_pgn_comment(text, comment);
    return comment;
}

TEST(PgnComments, ClocksAreRead) {
    EXPECT_EQ(read(" [%clk 0:05:00] ").clock, milliseconds(300000));
    EXPECT_EQ(read("[%clk 1:02:03.5]").clock, milliseconds(3723500));
    EXPECT_EQ(read("[%clk 10:00:00.045]").clock, milliseconds(36000045));
    EXPECT_EQ(read("[%clk 0:00:00.123456]").clock, milliseconds(123));
    EXPECT_EQ(read("[%emt 0:00:07]").elapsed, milliseconds(7000));
    EXPECT_EQ(read("[%clk\n0:05:00]").clock, milliseconds(300000));
    EXPECT_EQ(read("[%clk 0:05:00] [%emt 0:00:01]").text, "");
}

TEST(PgnComments, EvaluationsAreRead) {
    const auto eval = [](std::string_view text) { return read(text).evaluation.value(); };
    EXPECT_EQ(eval("[%eval 0.17]"), (PgnEvaluation{17, {}, {}}));
    EXPECT_EQ(eval("[%eval -1.5]"), (PgnEvaluation{-150, {}, {}}));
    EXPECT_EQ(eval("[%eval +3]"), (PgnEvaluation{300, {}, {}}));
    EXPECT_EQ(eval("[%eval 0.175,22]"), (PgnEvaluation{18, {}, 22}));
    EXPECT_EQ(eval("[%eval -0.05]"), (PgnEvaluation{-5, {}, {}}));
    EXPECT_EQ(eval("[%eval #3]"), (PgnEvaluation{0, 3, {}}));
    EXPECT_EQ(eval("[%eval #-12,40]"), (PgnEvaluation{0, -12, 40}));
}

TEST(PgnComments, ArrowsAndSquaresAreRead) {
    const PgnComment comment = read("[%csl Gd4,Rf6][%cal Yd1d5, Be1e8]");
    EXPECT_EQ(comment.marks, (std::vector<PgnMark>{{'G', Square::D4, Square::D4},
                                                   {'R', Square::F6, Square::F6},
                                                   {'Y', Square::D1, Square::D5},
                                                   {'B', Square::E1, Square::E8}}));
}

TEST(PgnComments, TextStaysWithSingleBlanks) {
    EXPECT_EQ(read("  a\n  good\tmove [%clk 0:00:01]  indeed ").text, "a good move indeed");
    PgnComment two = read("one");
    read_pgn_comment(" two ", two);
    EXPECT_EQ(two.text, "one two");
    EXPECT_TRUE(read("  \n ").empty());
    EXPECT_FALSE(read("x").empty());
}

TEST(PgnComments, UnknownAndMalformedCommandsStayInTheText) {
    for (const char* text :
         {"[%mdl 1024]",      "[%clk abc]",    "[%clk 5:00]",  "[%clk 0:99:00]", "[%clk 0:005:00]",
          "[%clk]",           "[%eval x]",     "[%eval #]",    "[%eval 1,]",     "[%eval 1.]",
          "[%eval 99999999]", "[%cal d1d5]",   "[%cal Gd1d1]", "[%csl Gd9]",     "[%csl gd4]",
          "[%csl Gd4,]",      "[%clk 0:00:00", "[%",           "[% ]",           "[%clk -1:00:00]"})
        EXPECT_EQ(read(text).text, text);
    EXPECT_TRUE(read("[%csl Gd4,Xd9]").marks.empty());
}

TEST(PgnComments, CommandsAreWrittenAndReadBack) {
    PgnComment comment;
    comment.clock = milliseconds(3723450);
    comment.elapsed = milliseconds(5);
    comment.evaluation = PgnEvaluation{-7, {}, 31};
    comment.marks = {{'G', Square::D4, Square::D4}, {'R', Square::E1, Square::E8}};
    const auto commands = pgn_commands(comment);
    EXPECT_EQ(commands,
              (std::vector<std::string>{"[%eval -0.07,31]", "[%clk 1:02:03.45]",
                                        "[%emt 0:00:00.005]", "[%csl Gd4]", "[%cal Re1e8]"}));
    PgnComment back;
    for (const std::string& command : commands) read_pgn_comment(command, back);
    EXPECT_EQ(back, comment);
    EXPECT_TRUE(pgn_commands(read("text")).empty());
    EXPECT_EQ(pgn_commands(read("[%eval #-3]")), std::vector<std::string>{"[%eval #-3]"});
}

TEST(ClockText, RoundTripsToTheMillisecond) {
    for (const long long ms :
         {0LL, 1LL, 10LL, 100LL, 999LL, 60000LL, 3599999LL, 3600000LL, 359999999LL})
        EXPECT_EQ(parse_clock_text(to_clock_text(milliseconds(ms))), milliseconds(ms));
    EXPECT_EQ(to_clock_text(milliseconds(-5)), "0:00:00");
}

}  // namespace
}  // namespace rokada
