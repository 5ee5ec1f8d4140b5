// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/terminal/play.hpp"

#include <cstdio>

#include <gmock/gmock.h>

#include "tests/protocol/fake_thinker.hpp"

namespace rokada::protocol {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Lines = std::vector<std::string>;

class PlayTest : public TestSession<PlaySession> {
  public:
    explicit PlayTest(std::optional<Color> own = Color::White)
        : TestSession(House{}, [own] {
              PlaySettings settings;
              settings.own = own;
              return settings;
          }()) {
        session().begin();
        settle();
    }
};

TEST(Play, TakesSanAndUciAndTheEngineAnswers) {
    PlayTest play;
    EXPECT_THAT(play.say("e4"), ElementsAre("1. e4", StartsWith("1... ")));
    EXPECT_THAT(play.say("g1f3"), ElementsAre("2. Nf3", StartsWith("2... ")));
}

TEST(Play, SaysWhatIsWrongWithAMove) {
    PlayTest play;
    EXPECT_THAT(play.say("e5"), ElementsAre(HasSubstr("e5")));
    EXPECT_THAT(play.say("hello"), ElementsAre(HasSubstr("help")));
    EXPECT_EQ(play.thinker->searches, 0);
}

TEST(Play, UndoTakesBackBothMoves) {
    PlayTest play;
    play.say("e4");
    play.say("undo");
    EXPECT_THAT(play.say("fen"),
                ElementsAre("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    EXPECT_THAT(play.say("undo"), ElementsAre(HasSubstr("nothing")));
}

TEST(Play, TheEngineBeginsWhenThePersonHasBlack) {
    PlayTest play(Color::Black);
    EXPECT_EQ(play.thinker->searches, 1);
    EXPECT_THAT(play.say("record"), ElementsAre(StartsWith("1. ")));
}

TEST(Play, SavesAndLoadsAGame) {
    const std::string path = testing::TempDir() + "rokada_play_test.pgn";
    PlayTest play(std::nullopt);
    for (const char* move : {"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6"}) play.say(move);
    EXPECT_THAT(play.say("Qxf7#"), Contains(HasSubstr("1-0")));
    EXPECT_THAT(play.say("save " + path), ElementsAre(HasSubstr("Saved")));
    PlayTest other(std::nullopt);
    other.say("load " + path);
    EXPECT_THAT(other.say("record"), ElementsAre("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"));
    EXPECT_THAT(other.say("load /nowhere/at all"), ElementsAre(HasSubstr("Cannot read")));
    std::remove(path.c_str());
}

TEST(Play, EveryCommandAnswersNonsenseWithoutHarm) {
    PlayTest play;
    for (const char* line : {"moves z9",
                             "undo x",
                             "new 960",
                             "new green",
                             "search never",
                             "perft x",
                             "level 99999999999",
                             "level strongest",
                             "clock x",
                             "time -1",
                             "set",
                             "set Nothing 3",
                             "set Hash lots",
                             "symbols runes",
                             "fen 8/8",
                             "save",
                             "load",
                             "board extra words",
                             "eval",
                             "draw",
                             "now",
                             "flip",
                             "options",
                             "help",
                             "\xff\xff",
                             "symbols ascii",
                             "record"})
        EXPECT_FALSE(play.finished()) << line << ' ' << play.say(line).size();
    EXPECT_THAT(play.say("e4"), Contains(StartsWith("1. e4")));
}

TEST(Play, SetsOptionsWhoseNamesHoldBlanks) {
    PlayTest play;
    play.say("set Style Very Wild");
    EXPECT_EQ(find_option(*play.thinker, "Style")->value, "Very Wild");
    play.say("set Clear Hash");
    EXPECT_EQ(play.thinker->options_set, 2);
}

TEST(Play, PerftCountsFromTheBoard) {
    PlayTest play;
    EXPECT_THAT(play.say("perft 3"), ElementsAre(StartsWith("Nodes: 8902 ")));
}

TEST(Play, ResigningEndsTheGame) {
    PlayTest play;
    EXPECT_THAT(play.say("resign"), ElementsAre(StartsWith("0-1")));
    EXPECT_THAT(play.say("e4"), ElementsAre(HasSubstr("over")));
    EXPECT_THAT(play.say("new white"), Contains(HasSubstr("r n b q k b n r")));
}

TEST(Play, LinesWaitForTheEngineInAPipe) {
    PlayTest play;
    play.thinker->slow = true;
    EXPECT_THAT(play.say("e4"), ElementsAre("1. e4"));
    EXPECT_THAT(play.say("fen"), IsEmpty());
    play.thinker->finish();
    EXPECT_THAT(play.settle(), ElementsAre(StartsWith("1... "), StartsWith("rnbqkbnr/")));
    play.end();
    EXPECT_TRUE(play.finished());
}

}  // namespace
}  // namespace rokada::protocol
