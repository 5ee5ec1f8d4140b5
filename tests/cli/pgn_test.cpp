// SPDX-License-Identifier: GPL-3.0-or-later
// rokada pgn, as scripts rely on it.
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace rokada {
namespace {

using testing_support::Answer;
using testing_support::Workplace;

constexpr const char* kGood =
    "[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:01:00] x} e5 (1... c5 $1) 2. Nf3 1-0\n\n"
    "[Event \"B\"]\n\n1. d4 d5 1/2-1/2\n";
constexpr const char* kBad =
    "[Event \"A\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n[Event \"B\"]\n\n1. d4 d5 0-1\n";

TEST(PgnCommand, CheckTellsGoodFromBad) {
    const Workplace place;
    place.write("good.pgn", kGood);
    place.write("bad.pgn", kBad);
    const Answer good = place.run("pgn check good.pgn");
    EXPECT_EQ(good.code, 0);
    EXPECT_EQ(good.out, "2 games, 6 moves: 0 broken, 0 repaired, 0 notes\n");
    EXPECT_EQ(good.err, "");
    const Answer bad = place.run("pgn check good.pgn bad.pgn");
    EXPECT_EQ(bad.code, 1);
    EXPECT_EQ(bad.out, "4 games, 10 moves: 1 broken, 0 repaired, 0 notes\n");
    EXPECT_EQ(bad.err, "bad.pgn:4:4: broken: 'Ke3' is illegal: no king of White can reach e3\n");
}

TEST(PgnCommand, CheckIsStrictWhenAsked) {
    const Workplace place;
    place.write("open.pgn", "[Event \"A\"]\n\n1. e4\n");
    EXPECT_EQ(place.run("pgn check open.pgn").code, 0);
    const Answer strict = place.run("pgn check --strict open.pgn");
    EXPECT_EQ(strict.code, 1);
    EXPECT_EQ(strict.err, "open.pgn:4:1: note: the game has no result\n");
}

TEST(PgnCommand, CountCounts) {
    const Workplace place;
    place.write("good.pgn", kGood);
    const Answer answer = place.run("pgn count good.pgn");
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out,
              "games: 2\nmoves: 5\nmoves in variations: 1\nwhite wins: 1\nblack wins: 0\ndraws: 1\n"
              "unfinished: 0\nbroken: 0\n");
    EXPECT_EQ(place.run("pgn count - < good.pgn").out, answer.out);
}

TEST(PgnCommand, ConvertsToCleanPgn) {
    const Workplace place;
    place.write("good.pgn", "[Event \"A\"] 1.e2e4 {x}   e7-e5 2. Ng1f3!? 1-0");
    const std::string clean =
        "[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
        "[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 { x } 1... e5 2. Nf3 $5 1-0\n\n";
    const Answer answer = place.run("pgn convert good.pgn");
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out, clean);
    EXPECT_EQ(place.run("pgn convert good.pgn -o clean.pgn").code, 0);
    EXPECT_EQ(place.read("clean.pgn"), clean);
    EXPECT_EQ(place.run("pgn convert clean.pgn").out, clean);
    const std::string bare = place.run("pgn convert good.pgn --no-comments --no-nags").out;
    EXPECT_EQ(bare.substr(bare.find("\n\n")), "\n\n1. e4 e5 2. Nf3 1-0\n\n");
}

TEST(PgnCommand, ConvertsToOtherForms) {
    const Workplace place;
    place.write("good.pgn",
                "1. e4 (1. d4) e5 *\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n1. O-O *\n"
                "[Variant \"Chess960\"]\n[FEN \"1k6/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n1. O-O *\n*\n");
    EXPECT_EQ(place.run("pgn convert --to uci good.pgn").out,
              "position startpos moves e2e4 e7e5\n"
              "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1\n"
              "position fen 1k6/8/8/8/8/8/8/5KR1 w K - 0 1 moves f1g1\nposition startpos\n");
    place.write("short.pgn", "1. e4 e5 *");
    EXPECT_EQ(place.run("pgn convert --to fen short.pgn").out,
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
              "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
              "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n");
    EXPECT_EQ(place.run("pgn convert --to epd short.pgn").out,
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4;\n"
              "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - sm e5;\n"
              "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - fmvn 2;\n");
}

TEST(PgnCommand, ConvertLeavesBrokenGamesOutUnlessAsked) {
    const Workplace place;
    place.write("bad.pgn", kBad);
    const Answer answer = place.run("pgn convert --to uci bad.pgn");
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.out, "position startpos moves d2d4 d7d5\n");
    EXPECT_EQ(place.run("pgn convert --to uci --keep-broken bad.pgn").out,
              "position startpos moves e2e4 e7e5\nposition startpos moves d2d4 d7d5\n");
    EXPECT_EQ(place.run("pgn convert bad.pgn").out.find("\"A\""), std::string::npos);
    EXPECT_NE(place.run("pgn convert --keep-broken bad.pgn").out.find("1. e4 e5"),
              std::string::npos);
}

TEST(PgnCommand, SplitsByteForByte) {
    const Workplace place;
    std::string text = "; a word before\n";
    for (int i = 0; i < 7; ++i)
        text += "[Event \"" + std::to_string(i) + "\"]\n\n1. e4  e5 Ke4 1-0\n\n";
    place.write("games.pgn", text);
    const Answer answer = place.run("pgn split games.pgn --games 3");
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out, "3 files\n");
    EXPECT_EQ(
        place.read("games-0001.pgn") + place.read("games-0002.pgn") + place.read("games-0003.pgn"),
        text);
    EXPECT_EQ(place.run("pgn count games-0003.pgn").out.substr(0, 9), "games: 1\n");
    EXPECT_EQ(place.run("pgn split - --games 5 -o part < games.pgn").code, 0);
    EXPECT_TRUE(place.has("part0002.pgn"));
    EXPECT_FALSE(place.has("part0003.pgn"));
}

TEST(PgnCommand, WrongUseIsExitCodeTwo) {
    const Workplace place;
    place.write("good.pgn", kGood);
    const Answer missing = place.run("pgn check nothing.pgn");
    EXPECT_EQ(missing.code, 2);
    EXPECT_EQ(missing.err, "rokada pgn: cannot read nothing.pgn\n");
    EXPECT_EQ(place.run("pgn check .").code, 2);
    EXPECT_EQ(place.run("pgn check").code, 2);
    EXPECT_EQ(place.run("pgn").code, 2);
    EXPECT_EQ(place.run("pgn convert --to klingon good.pgn").code, 2);
    EXPECT_EQ(place.run("pgn split --games 0 good.pgn").code, 2);
    EXPECT_EQ(place.run("pgn convert good.pgn -o no/such/folder").code, 2);
    EXPECT_EQ(place.run("pgn convert good.pgn -o /dev/full").code, 2);
}

}  // namespace
}  // namespace rokada
