// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lichess` without a server: the table of results, and no start without a token.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace rokada {
namespace {

using testing::HasSubstr;
using testing_support::Answer;
using testing_support::Workplace;

std::string line(const std::string& id, bool bot, const std::string& result) {
    return R"({"time":"2026-01-01T00:00:00Z","id":")" + id +
           R"(","opponent":"someone","opponentRating":1500,"bot":)" + (bot ? "true" : "false") +
           R"(,"color":"white","variant":"standard","speed":"blitz","rated":false,"result":")" +
           result + R"(","status":"mate","plies":40,"reconnects":0,"latencyMs":30})" + "\n";
}

TEST(LichessCommand, SumsItsResultsUp) {
    const Workplace place;
    place.write("games", line("a", true, "win") + line("b", true, "draw") +
                             line("c", false, "loss") + line("d", false, "none") + "not a game\n");
    const Answer answer = place.run("lichess stats --ledger games");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out,
              "                  games    won  drawn   lost   score\n"
              "against bots          2      1      1      0   75.0%\n"
              "against people        2      0      0      1    0.0%\n"
              "all                   4      1      1      1   50.0%\n"
              "blitz                 4      1      1      1   50.0%\n");
    EXPECT_THAT(answer.err, HasSubstr("1 lines"));
    EXPECT_EQ(place.run("lichess stats --ledger nothing").code, 1);
}

TEST(LichessCommand, StartsOnlyWithAToken) {
    const Workplace place;
    place.write("empty", "\n");
    const Answer answer = place.run("lichess --token-file empty --url http://127.0.0.1:9");
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.err, HasSubstr("no token"));
}

// The configuration for the Python bridge names options that the engine has.
TEST(LichessCommand, TheBridgesOptionsAreTheEngines) {
    std::ifstream guide(std::string(ROKADA_SOURCE_DIR) + "/docs/bot.md");
    const std::string text{std::istreambuf_iterator<char>(guide), std::istreambuf_iterator<char>()};
    const std::size_t begin = text.find("uci_options:\n"), end = text.find("challenge:", begin);
    ASSERT_NE(end, std::string::npos);
    std::istringstream lines(text.substr(begin, end - begin));
    const Workplace place;
    place.write("commands", "uci\nquit\n");
    const Answer answer = place.run("<commands");  // without a command, as the bridge starts it
    int options = 0;
    std::string name;
    std::getline(lines, name);
    while (std::getline(lines, name)) {
        name = name.substr(name.find_first_not_of(' '));
        EXPECT_THAT(answer.out,
                    HasSubstr("option name " + name.substr(0, name.find(':')) + " type"));
        ++options;
    }
    EXPECT_GE(options, 3);
}

}  // namespace
}  // namespace rokada
