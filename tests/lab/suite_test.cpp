// SPDX-License-Identifier: GPL-3.0-or-later
// Test suites: reading questions, and not believing every mate.
#include "lab/suite/suite.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"

namespace rokada::lab {
namespace {

std::string file_with(const std::string& text) {
    const std::string path = testing::TempDir() + "suite_test.epd";
    std::ofstream(path) << text;
    return path;
}

protocol::ThoughtSummary claim(engine::Score score, std::string line) {
    protocol::ThoughtSummary thought;
    thought.score = score;
    thought.line = std::move(line);
    return thought;
}

TEST(Suite, ReadsBestMovesAvoidedMovesPointsAndMates) {
    const auto suite =
        read_suite(file_with("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n"
                             "\n"
                             "6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra7; c0 \"Ra8=10, Kg2=3\";\n"
                             "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm #1;\n"));
    ASSERT_TRUE(suite) << suite.error();
    ASSERT_EQ(suite->size(), 3u);
    EXPECT_EQ((*suite)[0].id, "back rank");
    EXPECT_EQ((*suite)[0].best.size(), 1u);
    EXPECT_EQ((*suite)[1].avoid.size(), 1u);
    ASSERT_EQ((*suite)[1].points.size(), 2u);
    EXPECT_EQ((*suite)[1].points[1].second, 3);
    EXPECT_EQ((*suite)[2].mate, 1);
}

TEST(Suite, NamesTheLineThatIsBroken) {
    const auto suite = read_suite(file_with("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;\nnonsense\n"));
    ASSERT_FALSE(suite);
    EXPECT_NE(suite.error().find(":2: "), std::string::npos) << suite.error();
}

TEST(Suite, WithoutPositionsThereIsNothingToAsk) {
    EXPECT_FALSE(read_suite(file_with("\n\n")));
    EXPECT_FALSE(read_suite(testing::TempDir()));
}

TEST(Suite, DoesNotBelieveEveryMate) {
    using engine::Score;
    SuitePosition asked;
    asked.position = *parse_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    asked.mate = 1;
    EXPECT_EQ(check_mate_claim(asked, claim(Score::mate_in(1), "a1a8")), "");
    EXPECT_NE(check_mate_claim(asked, claim(Score::mate_in(1), "a1a7")), "");
    EXPECT_NE(check_mate_claim(asked, claim(Score::mate_in(2), "a1a8")), "");
    EXPECT_NE(check_mate_claim(asked, claim(Score::mate_in(1), "a1h8")), "");
    EXPECT_NE(check_mate_claim(asked, claim(Score::mated_in(1), "a1a8")), "");
    asked.mate = 2;
    EXPECT_NE(check_mate_claim(asked, claim(Score::mate_in(1), "a1a8")), "");
    // No claim, nothing wrong.
    EXPECT_EQ(check_mate_claim(asked, claim(Score::centipawns(300), "a1a7")), "");
}

}  // namespace
}  // namespace rokada::lab
