// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "tests/protocol/cecp_game.hpp"

namespace rokada::protocol::cecp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

TEST(CecpSession, AnnouncesWhatStrictClientsDemand) {
    TestSession<Session> cecp;
    cecp.say("xboard");
    const Lines lines = cecp.say("protover 2");
    const std::string all = joined(lines);
    for (const char* feature :
         {"ping=1", "setboard=1", "usermove=1", "san=0", "reuse=1", "sigterm=0", "sigint=0",
          "analyze=1", "colors=0", "memory=1", "smp=1", "fischerandom"})
        EXPECT_THAT(all, HasSubstr(feature));
    EXPECT_EQ(lines.front(), "feature done=0");
    EXPECT_EQ(lines.back(), "feature done=1");
    EXPECT_THAT(lines, Contains("feature option=\"Style -combo *Calm /// Very Wild\""));
    // These have commands of their own.
    EXPECT_THAT(all, Not(HasSubstr("option=\"Hash")));
}

TEST(CecpSession, PlaysBlackAfterNewAndAnswersMoves) {
    CecpGame cecp;
    const Lines lines = cecp.say("usermove e2e4");
    EXPECT_THAT(lines, Contains(StartsWith("move ")));
    EXPECT_EQ(cecp.thinker->searches, 1);
    EXPECT_FALSE(cecp.thinker->illegal_position);
}

TEST(CecpSession, TakesPlainMovesToo) {
    CecpGame cecp;
    EXPECT_THAT(cecp.say("e2e4"), Contains(StartsWith("move ")));
}

TEST(CecpSession, ForceModeListensAndGoStartsPlay) {
    CecpGame cecp;
    cecp.say("force");
    EXPECT_THAT(cecp.say("usermove e2e4"), IsEmpty());
    EXPECT_THAT(cecp.say("usermove e7e5"), IsEmpty());
    EXPECT_EQ(cecp.thinker->searches, 0);
    EXPECT_THAT(cecp.say("go"), Contains(StartsWith("move ")));
    EXPECT_EQ(cecp.thinker->position.turn(), Color::White);
    EXPECT_THAT(cecp.say("usermove a7a6"), Contains(StartsWith("move ")));
}

TEST(CecpSession, PlayotherWaitsForTheOpponent) {
    CecpGame cecp;
    cecp.say("force");
    EXPECT_THAT(cecp.say("playother"), IsEmpty());
    EXPECT_THAT(cecp.say("usermove d2d4"), Contains(StartsWith("move ")));
}

TEST(CecpSession, RefusesIllegalMovesWithTheReason) {
    CecpGame cecp;
    EXPECT_THAT(cecp.say("usermove e2e5"), ElementsAre(StartsWith("Illegal move (")));
    EXPECT_THAT(cecp.say("usermove e2e5").front(), HasSubstr("e2e5"));
    EXPECT_EQ(cecp.thinker->searches, 0);
}

TEST(CecpSession, RefusesWhatItDoesNotKnow) {
    CecpGame cecp;
    for (const char* line :
         {"nonsense", "level 1", "st", "sd x", "time abc", "variant atomic", "protover", "cores 0",
          "memory x", "usermove", "option", "exclude zz", "\xff\x01"})
        EXPECT_THAT(cecp.say(line), ElementsAre(StartsWith("Error ("))) << line;
    EXPECT_THAT(cecp.say("setboard 8/8/8"),
                ElementsAre(StartsWith("tellusererror Illegal position")));
    EXPECT_THAT(cecp.say("usermove e2e4"), Contains(StartsWith("move ")));
}

TEST(CecpSession, ReadsTheClock) {
    CecpGame cecp;
    cecp.say_all({"level 40 5 0", "time 12345", "otim 6789", "usermove e2e4"});
    const auto& clock = cecp.thinker->last_limits.clock;
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->left[Color::Black].count(), 123'450);
    EXPECT_EQ(clock->left[Color::White].count(), 67'890);
    EXPECT_EQ(clock->moves_to_go, 40);
    cecp.say("usermove d2d4");
    EXPECT_EQ(cecp.thinker->last_limits.clock->moves_to_go, 39);
}

TEST(CecpSession, FixedTimeAndDepth) {
    CecpGame cecp;
    cecp.say_all({"st 7", "sd 5", "usermove e2e4"});
    EXPECT_EQ(cecp.thinker->last_limits.move_time->count(), 7000);
    EXPECT_EQ(cecp.thinker->last_limits.depth, 5);
    cecp.say_all({"new", "usermove e2e4"});
    EXPECT_FALSE(cecp.thinker->last_limits.depth) << "`new` takes a depth limit away";
}

TEST(CecpSession, PingIsAnsweredAfterTheMove) {
    CecpGame cecp;
    EXPECT_THAT(cecp.say("ping 1"), ElementsAre("pong 1"));
    cecp.thinker->slow = true;
    cecp.say("usermove e2e4");
    EXPECT_THAT(cecp.say("ping 2"), IsEmpty());
    const Lines lines = cecp.say("?");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_THAT(lines[0], StartsWith("move "));
    EXPECT_EQ(lines[1], "pong 2");
}

TEST(CecpSession, UndoAndRemoveGoBack) {
    CecpGame cecp;
    cecp.say("usermove e2e4");
    cecp.say("remove");
    cecp.say("usermove d2d4");
    EXPECT_EQ(cecp.thinker->position.at(Square::D4), Piece::WhitePawn);
    EXPECT_EQ(cecp.thinker->position.at(Square::E2), Piece::WhitePawn);
    cecp.say_all({"force", "undo", "undo", "undo", "undo"});
    EXPECT_THAT(cecp.say("usermove d2d4"), IsEmpty());
}

TEST(CecpSession, AnalysesUntilExit) {
    CecpGame cecp;
    cecp.say("post");
    EXPECT_THAT(cecp.say("analyze"), ElementsAre(StartsWith("1 0 0 20 ")));
    EXPECT_TRUE(cecp.thinker->last_limits.infinite);
    EXPECT_THAT(cecp.say("."), ElementsAre(StartsWith("stat01: ")));
    cecp.say("usermove e2e4");
    EXPECT_EQ(cecp.thinker->searches, 2);
    EXPECT_EQ(cecp.thinker->position.turn(), Color::Black);
    cecp.say("undo");
    EXPECT_EQ(cecp.thinker->position.turn(), Color::White);
    EXPECT_THAT(cecp.say("ping 3"), ElementsAre("pong 3"));
    cecp.say("exit");
    EXPECT_FALSE(cecp.thinker->searching);
    EXPECT_THAT(cecp.say("."), IsEmpty());
}

TEST(CecpSession, ExcludedMovesAreNotAnalysed) {
    CecpGame cecp;
    cecp.say("analyze");
    cecp.say("exclude e2e4");
    EXPECT_EQ(cecp.thinker->last_limits.search_moves.size(), 19u);
    cecp.say("include all");
    EXPECT_TRUE(cecp.thinker->last_limits.search_moves.empty());
    cecp.say("exclude all");
    cecp.say("include e2e4");
    EXPECT_EQ(cecp.thinker->last_limits.search_moves.size(), 1u);
}

TEST(CecpSession, PondersOnTheExpectedMove) {
    CecpGame cecp;
    cecp.say("hard");
    cecp.say("usermove e2e4");
    ASSERT_TRUE(cecp.thinker->searching) << "thinks on the opponent's time";
    EXPECT_TRUE(cecp.thinker->last_limits.ponder);
    const Lines hint = cecp.say("hint");
    ASSERT_THAT(hint, ElementsAre(StartsWith("Hint: ")));
    const int searches = cecp.thinker->searches;
    EXPECT_THAT(cecp.say("usermove " + hint.front().substr(6)), Contains(StartsWith("move ")));
    // One more search, the next pondering: the answer is the pondered one's.
    EXPECT_EQ(cecp.thinker->searches, searches + 1);
    EXPECT_FALSE(cecp.thinker->illegal_position);
    cecp.say("easy");
    EXPECT_FALSE(cecp.thinker->searching);
}

TEST(CecpSession, PonderMissThinksAfresh) {
    CecpGame cecp;
    cecp.say("hard");
    cecp.say("usermove e2e4");
    const int searches = cecp.thinker->searches;
    EXPECT_THAT(cecp.say("usermove h2h3"), Contains(StartsWith("move ")));
    EXPECT_GT(cecp.thinker->searches, searches);
    EXPECT_FALSE(cecp.thinker->overlapping_go);
}

TEST(CecpSession, ClaimsMateAndStalemate) {
    CecpGame cecp;
    cecp.say_all({"force", "setboard 6rk/5Npp/8/8/8/8/8/K7 b - - 0 1"});
    EXPECT_THAT(cecp.say("go"), ElementsAre("1-0 {White mates}"));
    cecp.say_all({"force", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"});
    EXPECT_THAT(cecp.say("go"), ElementsAre("1/2-1/2 {Stalemate}"));
}

TEST(CecpSession, EditModeSetsUpABoard) {
    CecpGame cecp;
    cecp.say_all({"force", "edit", "#", "Ke1", "Rh1", "Pa2", "c", "Ke8", "."});
    cecp.say("go");
    EXPECT_EQ(to_fen(cecp.thinker->position).substr(0, 26), "4k3/8/8/8/8/8/P7/4K2R w K ");
    cecp.say_all({"force", "edit", "#", "Ke1"});
    EXPECT_THAT(cecp.say("."), ElementsAre(StartsWith("tellusererror Illegal position")));
    cecp.say("edit");
    EXPECT_THAT(cecp.say("Zz9"), ElementsAre(StartsWith("Error (")));
    cecp.say(".");
}

TEST(CecpSession, FischerandomCastlesWithLetters) {
    CecpGame cecp;
    cecp.say_all({"variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1"});
    EXPECT_EQ(find_option(*cecp.thinker, "UCI_Chess960")->value, "true");
    EXPECT_THAT(cecp.say("usermove O-O"), IsEmpty());
    cecp.say("new");
    EXPECT_EQ(find_option(*cecp.thinker, "UCI_Chess960")->value, "false");
}

TEST(CecpSession, SetsMemoryCoresAndOptions) {
    CecpGame cecp;
    EXPECT_THAT(cecp.say("memory 128"), IsEmpty());
    EXPECT_EQ(find_option(*cecp.thinker, "Hash")->value, "108");
    EXPECT_THAT(cecp.say("cores 4"), IsEmpty());
    EXPECT_EQ(find_option(*cecp.thinker, "Threads")->value, "4");
    EXPECT_THAT(cecp.say("option Style=Very Wild"), IsEmpty());
    EXPECT_EQ(find_option(*cecp.thinker, "Style")->value, "Very Wild");
    EXPECT_THAT(cecp.say("egtpath syzygy /tb"), IsEmpty());
    EXPECT_EQ(find_option(*cecp.thinker, "SyzygyPath")->value, "/tb");
    EXPECT_THAT(cecp.say("option Nothing=3"), ElementsAre(StartsWith("Error (")));
    EXPECT_THAT(cecp.say("cores 99"), ElementsAre(StartsWith("Error (")));
}

TEST(CecpSession, PauseStopsThinkingAndResumeGoesOn) {
    CecpGame cecp;
    cecp.thinker->slow = true;
    cecp.say("usermove e2e4");
    EXPECT_THAT(cecp.say("pause"), IsEmpty());
    EXPECT_FALSE(cecp.thinker->searching);
    cecp.thinker->slow = false;
    EXPECT_THAT(cecp.say("resume"), Contains(StartsWith("move ")));
}

TEST(CecpSession, ForceWhileThinkingMakesNoMove) {
    CecpGame cecp;
    cecp.thinker->slow = true;
    cecp.say("usermove e2e4");
    EXPECT_THAT(cecp.say("force"), IsEmpty());
    EXPECT_THAT(cecp.settle(), IsEmpty());
}

TEST(CecpSession, ResignsOnlyWhenLongHopeless) {
    CecpGame cecp;
    cecp.thinker->score = engine::Score::mated_in(3);
    cecp.say("force");
    cecp.say("go");
    bool resigned = false;
    int moves = 1;
    const char* const shuffle[] = {"g8f6", "f6g8", "b8c6", "c6b8", "g8f6", "f6g8", "b8c6", "c6b8"};
    for (const char* move : shuffle) {
        const Lines lines = cecp.say(std::string("usermove ") + move);
        if (std::find(lines.begin(), lines.end(), "resign") != lines.end()) {
            resigned = true;
            break;
        }
        ++moves;
    }
    EXPECT_TRUE(resigned);
    EXPECT_GE(moves, 5);
}

TEST(CecpSession, AcceptsADrawOnlyWhenWorse) {
    CecpGame cecp;
    cecp.say("usermove e2e4");
    EXPECT_THAT(cecp.say("draw"), IsEmpty());
    cecp.thinker->score = engine::Score::mated_in(9);
    cecp.say("usermove d2d4");
    EXPECT_THAT(cecp.say("draw"), ElementsAre("offer draw"));
}

TEST(CecpSession, EndsAtQuitAndAtTheEndOfInput) {
    CecpGame quitting;
    quitting.say("quit");
    EXPECT_TRUE(quitting.finished());
    CecpGame ending;
    ending.say("analyze");
    ending.end();
    EXPECT_TRUE(ending.finished());
}

}  // namespace
}  // namespace rokada::protocol::cecp
