// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the lab as somebody runs them who measures: they start, work and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace rokada {
namespace {

using testing::HasSubstr;
using testing_support::Answer;
using testing_support::Workplace;

TEST(LabSpsa, TakesAStepAndGoesOnFromIt) {
    const Workplace place;
    const std::string command = "lab spsa --only null_move_base --pairs 1 --each nodes=50";
    const Answer first = place.run(command + " --iterations 1");
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("null_move_base"));
    EXPECT_EQ(first.err, "");
    EXPECT_TRUE(place.has("spsa.txt"));
    EXPECT_EQ(place.run(command + " --iterations 1").code, 0)
        << "a finished plan has nothing to do";
}

// In a pipe there is nothing to draw over: a line for every game, the standings after every ten.
TEST(MatchCommand, TellsEveryGameInPlainLines) {
    const Workplace place;
    const std::string engine = " --engine 'cmd=\"" + std::string(ROKADA_BINARY) + " uci\" name=";
    const Answer answer =
        place.run("match --each nodes=30 --max-moves 5 --games 12" + engine + "a'" + engine + "b'");
    EXPECT_EQ(answer.code, 0) << answer.err;
    for (int done = 1; done <= 12; ++done)
        EXPECT_THAT(answer.out, HasSubstr(" (" + std::to_string(done) + " of 12): "));
    EXPECT_THAT(answer.out, HasSubstr("Game 1 (1 of 12): a v b  "));
    EXPECT_THAT(answer.out, testing::ContainsRegex("10 of 12 games, [0-9]+ running, 0:[0-9][0-9], "
                                                   "at most 0:[0-9][0-9] left"));
    EXPECT_THAT(answer.out, HasSubstr("Finished after 12 of 12 games."));
    EXPECT_THAT(answer.out, testing::Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace rokada
