// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kLegal = R"([White "Ana"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
)";

struct Analyse : ::testing::Test {
    void SetUp() override { place.write("legal.pgn", kLegal); }
    rokada::testing_support::Workplace place;
};

TEST_F(Analyse, NamesTheBlunderAndWhy) {
    const auto answer = place.run("analyse --nodes 20000 legal.pgn");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("Ana - Bob  1-0"));
    EXPECT_THAT(answer.out, HasSubstr("Bxd1??"));
    EXPECT_THAT(answer.out, HasSubstr("After Bxd1, Bxf7+ forces mate in 2."));
    EXPECT_THAT(answer.err, Not(HasSubstr("%")));  // progress is for terminals
}

TEST_F(Analyse, WritesPgnThatReadsBack) {
    const auto answer = place.run("analyse --nodes 20000 --pgn -o out.pgn legal.pgn");
    EXPECT_EQ(answer.code, 0) << answer.err;
    const std::string text = place.read("out.pgn");
    EXPECT_THAT(text, HasSubstr("[Annotator \"Rokada\"]"));
    EXPECT_THAT(text, HasSubstr("[%eval "));
    EXPECT_THAT(text, HasSubstr("Bxd1 $4"));
    EXPECT_EQ(place.run("pgn check --strict out.pgn").code, 0);
}

TEST_F(Analyse, GivesOneJsonObjectForEachGame) {
    place.write("two.pgn", std::string(kLegal) + '\n' + kLegal);
    const auto answer = place.run("analyse --nodes 2000 --json two.pgn");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, StartsWith("{\"tags\":{\"White\":\"Ana\""));
    EXPECT_THAT(answer.out, HasSubstr("\"code\":\"allows-mate\""));
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 2);
}

TEST_F(Analyse, SaysWhatIsWrong) {
    EXPECT_EQ(place.run("analyse missing.pgn").code, 2);
    EXPECT_EQ(place.run("analyse --json --pgn legal.pgn").code, 2);
    EXPECT_EQ(place.run("analyse --evaluation tea legal.pgn").code, 2);
    place.write("broken.pgn", "1. e4 e5 2. Ke3 *\n");
    const auto answer = place.run("analyse --nodes 1000 broken.pgn");
    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.err, HasSubstr("broken.pgn:1:"));
}

}  // namespace
