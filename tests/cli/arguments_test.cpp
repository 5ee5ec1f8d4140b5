// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong arguments: one line that names the word that is wrong, exit code 2, whatever the command.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace rokada {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::Answer;
using testing_support::Workplace;

TEST(Arguments, WhatIsWrongIsNamedInOneLine) {
    const Workplace place;
    const struct {
        const char* arguments;
        const char* begin;
        const char* named;
    } cases[] = {
        {"nosuch", "rokada: ", "there is no command 'nosuch'"},
        {"--nosuch", "rokada: ", "there is no option '--nosuch'"},
        {"lab nosuch", "rokada lab: ", "there is no command 'nosuch'"},
        {"lab", "rokada lab: ", "subcommand"},
        {"match --engin x", "rokada match: ", "there is no option '--engin'"},
        {"match", "rokada match: ", "--engine"},
        {"match --games 0 --engine a --engine b", "rokada match: ", "--games"},
        {"bench --banana 3", "rokada bench: ", "there is no option '--banana'"},
        {"perft 31", "rokada perft: ", "31"},
        {"perft 3 --threads x", "rokada perft: ", "x"},
        {"lab levels --games x", "rokada lab levels: ", "--games"},
        {"lab spsa --itertions 3", "rokada lab spsa: ", "there is no option '--itertions'"},
        {"play --color green", "rokada play: ", "green"},
        {"play --level banana", "rokada play: --level: ", "banana"},
        {"play --level 90000", "rokada play: --level: ", "90000"},
        {"play --clock abc", "rokada play: --clock: ", "for example `clock 5+3`"},
    };
    for (const auto& c : cases) {
        const Answer answer = place.run(c.arguments);
        EXPECT_EQ(answer.code, 2) << c.arguments;
        EXPECT_EQ(answer.out, "") << c.arguments;
        EXPECT_THAT(answer.err, StartsWith(c.begin)) << c.arguments;
        EXPECT_THAT(answer.err, HasSubstr(c.named)) << c.arguments;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
}

TEST(Arguments, NumbersThatMakeNoSenseAreRefused) {
    const Workplace place;
    for (const char* arguments :
         {"lab levels --games -1",
          "lab levels --endings -3",
          "lab evaluation x.bin --worst -1",
          "lab calibrate --from 100000",
          "lab spsa --iterations 0",
          "lab spsa --pairs -2",
          "lab perft-diff --positions -1",
          "lab datagen --out x.bin --games -1",
          "lab datagen --out x.bin --branches -0.1",
          "lab datagen --out x.bin --branches 1.01",
          "lab datagen --out x.bin --branches nan",
          "lab datagen --out x.bin --branches 20%",
          "lab datagen --out x.bin --branches ''",
          "lab datagen --out x.bin --branches inf",
          "lab datagen --out x.bin --random-moves nan",
          "lab datagen --out x.bin --branch-nodes 0",
          "lab datagen --out x.bin --branch-nodes -5",
          "match --engine cmd=x --engine cmd=y --concurrency 0",
          "match --engine 'cmd=x tc=1' --engine 'cmd=y tc=1' --draw 40,-1,5",
          "match --engine 'cmd=x tc=1' --engine 'cmd=y tc=1' --resign 3,99999999999999999999"}) {
        const Answer answer = place.run(arguments);
        EXPECT_EQ(answer.code, 2) << arguments;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1)
            << arguments << answer.err;
    }
}

}  // namespace
}  // namespace rokada
