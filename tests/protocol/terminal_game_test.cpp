// SPDX-License-Identifier: GPL-3.0-or-later
// A game at a terminal with a person in front of it: prompts, clocks, interruptions.
#include <thread>

#include <gmock/gmock.h>

#include "protocol/terminal/play.hpp"
#include "tests/protocol/fake_thinker.hpp"

namespace rokada::protocol {
namespace {

using engine::Milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

PlaySettings person(std::optional<Color> own = Color::White) {
    PlaySettings settings;
    settings.own = own;
    settings.interactive = true;
    return settings;
}

class Table : public TestSession<PlaySession> {
  public:
    explicit Table(const PlaySettings& settings = person(), bool slow = false)
        : TestSession(House{}, settings) {
        thinker->slow = slow;
        session().begin();
        begin = settle();
    }
    // Until the clock of the person has run out for certain.
    void sleep_past_the_flag() {
        const auto flag = session().flag_time();
        ASSERT_TRUE(flag);
        std::this_thread::sleep_until(*flag + Milliseconds(5));
    }
    std::vector<std::string> begin;
};

TEST(TerminalGame, BeginsWithAWordOfHelpTheBoardAndAPrompt) {
    Table table;
    EXPECT_THAT(table.begin.front(), HasSubstr("`help`"));
    EXPECT_THAT(table.begin, Contains(HasSubstr("R N B Q K B N R")));
    EXPECT_EQ(table.prompt(), "White > ");
    table.say("");
    EXPECT_EQ(table.prompt(), "White > ") << "an empty line asks again";
    table.say("nonsense");
    EXPECT_EQ(table.prompt(), "White > ");
    table.say("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    EXPECT_THAT(table.prompt(), HasSubstr("White > "));
}

TEST(TerminalGame, AScriptSeesNoPrompts) {
    PlaySettings settings = person();
    settings.interactive = false;
    Table table(settings);
    table.say("e4");
    table.say("fen");
    EXPECT_EQ(table.prompt(), "");
}

TEST(TerminalGame, TheEnginesMoveIsNamedAndShown) {
    Table table;
    table.prompt();
    const auto lines = table.say("e4");
    EXPECT_THAT(lines, Contains(HasSubstr("1... ")));
    EXPECT_THAT(lines, Not(Contains("1. e4"))) << "the person knows what was typed";
    EXPECT_EQ(table.prompt(), "White > ");
}

TEST(TerminalGame, APersonInterruptsTheEngineAndItMovesAtOnce) {
    for (const char* word : {"now", "stop"}) {
        Table table;
        table.thinker->slow = true;
        table.say("e4");
        ASSERT_TRUE(table.thinker->searching);
        EXPECT_THAT(table.prompt(), HasSubstr("thinking..."));
        EXPECT_THAT(table.say(word), Contains(HasSubstr("1... "))) << word;
        EXPECT_FALSE(table.thinker->searching);
    }
}

TEST(TerminalGame, TheClockStandsInThePromptAndBindsTheEngine) {
    Table table;
    table.prompt();
    table.say("clock 5+3");
    EXPECT_EQ(table.prompt(), "[5:00.0 5:00.0] White > ");
    table.say("e4");
    const auto& clock = table.thinker->last_limits.clock;
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->left[Color::Black].count(), 300'000);
    EXPECT_LE(clock->left[Color::White].count(), 303'000);
    EXPECT_GT(clock->left[Color::White].count(), 300'000) << "the increment is added";
    EXPECT_EQ(clock->increment[Color::White].count(), 3000);
    table.say("clock off");
    EXPECT_THAT(table.prompt(), testing::EndsWith("White > "));
    table.say("time 0.5");
    table.say("d4");
    EXPECT_FALSE(table.thinker->last_limits.clock);
    EXPECT_EQ(table.thinker->last_limits.move_time->count(), 500);
}

TEST(TerminalGame, AMoveTakenBackGivesItsTimeBack) {
    PlaySettings settings = person();
    settings.clock = PlayClock{Milliseconds(60'000), Milliseconds(5000)};
    Table table(settings);
    table.prompt();
    table.say("e4");
    EXPECT_THAT(table.prompt(), HasSubstr("[1:0")) << "the increments have been added";
    table.say("undo");
    EXPECT_EQ(table.prompt(), "[1:00.0 1:00.0] White > ");
    EXPECT_THAT(table.say("undo"), Contains(HasSubstr("nothing")));
}

TEST(TerminalGame, ALongCountIsInterruptedAndTheGameGoesOn) {
    Table table;
    std::thread impatient([&] {
        while (!table.session().busy()) std::this_thread::sleep_for(Milliseconds(1));
        table.session().interrupt();
    });
    const auto lines = table.say("perft 12");
    impatient.join();
    EXPECT_THAT(lines, ElementsAre(HasSubstr("Stopped.")));
    EXPECT_FALSE(table.session().busy());
    EXPECT_THAT(table.say("perft 2"), ElementsAre(HasSubstr("Nodes: 400 ")));
}

TEST(TerminalGame, ALongSearchIsInterruptedAndTellsWhatItHas) {
    Table table;
    table.thinker->slow = true;
    table.say("search 1000");
    ASSERT_TRUE(table.session().busy());
    table.session().interrupt();
    EXPECT_THAT(table.settle(), Contains(StartsWith("Best: ")));
    EXPECT_FALSE(table.session().busy());
    EXPECT_FALSE(table.finished());
    table.session().interrupt();
    EXPECT_THAT(table.settle(), IsEmpty()) << "there is nothing to interrupt";
}

TEST(TerminalGame, ANewGameHasFullClocks) {
    PlaySettings settings = person();
    settings.clock = PlayClock{Milliseconds(61'500), Milliseconds(0)};
    Table table(settings);
    EXPECT_EQ(table.prompt(), "[1:01.5 1:01.5] White > ");
    std::this_thread::sleep_for(Milliseconds(120));
    table.say("e4");
    EXPECT_THAT(table.prompt(), Not(HasSubstr("[1:01.5 1:01.5]")));
    table.say("new");
    EXPECT_THAT(table.prompt(), HasSubstr("[1:01.5 1:01.5] White > "));
}

TEST(TerminalGame, TheFlagFallsWhileThePersonThinks) {
    Table table;
    EXPECT_FALSE(table.session().flag_time()) << "without a clock there is no flag";
    table.say("clock 5");
    table.session().tick();
    EXPECT_TRUE(table.session().flag_time()) << "there is time left";
    table.say("clock 0.0005");
    table.sleep_past_the_flag();
    table.session().tick();
    EXPECT_THAT(table.settle(), Contains("0-1  Black wins: time"));
    EXPECT_FALSE(table.session().flag_time());
    table.session().tick();
    EXPECT_THAT(table.settle(), IsEmpty()) << "once is enough";
    EXPECT_THAT(table.say("e4"), Contains(HasSubstr("The game is over.")));
}

TEST(TerminalGame, AMoveAfterTheFlagIsTooLate) {
    Table table;
    table.say("clock 0.0005");
    table.sleep_past_the_flag();
    EXPECT_THAT(table.say("e4"), Contains(HasSubstr("0-1  Black wins: time")));
    EXPECT_EQ(table.thinker->searches, 0);
}

TEST(TerminalGame, TheEnginesFlagFallsToo) {
    PlaySettings settings = person(Color::Black);
    settings.clock = PlayClock{Milliseconds(20), Milliseconds(0)};
    Table table(settings, true);
    ASSERT_TRUE(table.thinker->searching);
    EXPECT_FALSE(table.session().flag_time()) << "only the person's flag is watched";
    std::this_thread::sleep_for(Milliseconds(30));
    table.thinker->finish();
    EXPECT_THAT(table.settle(), Contains(HasSubstr("0-1  Black wins: time")));
}

TEST(TerminalGame, TheEndOfInputEndsItAtOnce) {
    Table table;
    table.thinker->slow = true;
    table.say("e4");
    table.end();
    EXPECT_TRUE(table.finished());
    EXPECT_FALSE(table.thinker->searching);
}

TEST(TerminalGame, NobodyListeningEndsIt) {
    PlaySettings settings = person();
    settings.interactive = false;
    Table table(settings);
    table.output().closed = true;
    table.say("fen");
    EXPECT_TRUE(table.finished());
}

TEST(TerminalGame, SaysWhatTheEngineHasToSayAndThatALineIsTooLong) {
    PlaySettings settings = person();
    settings.interactive = false;
    Table table(settings);
    table.thinker->say("no tablebases there");
    EXPECT_THAT(table.settle(), ElementsAre("no tablebases there"));
    EXPECT_THAT(table.happen(OverlongLine{}), ElementsAre("That line is too long."));
}

// What a search broken off still says belongs to no game.
TEST(TerminalGame, OldNewsOfASearchAreDropped) {
    Table table;
    table.thinker->slow = true;
    table.say("e4");
    engine::BestMove best;
    best.move = legal_moves(table.thinker->position)[5];
    EXPECT_THAT(table.happen(Decided{99, best}), IsEmpty());
    EXPECT_THAT(table.happen(Thought{99, {}}), IsEmpty());
    EXPECT_TRUE(table.thinker->searching);
}

}  // namespace
}  // namespace rokada::protocol
