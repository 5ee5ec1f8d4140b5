// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "chess/perft.hpp"
#include "protocol/uci/session.hpp"
#include "tests/protocol/fake_thinker.hpp"

namespace rokada::protocol::uci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using UciTest = TestSession<Session>;
using Lines = std::vector<std::string>;

TEST(UciSession, IntroducesItselfWithEveryOptionAndUciokLast) {
    UciTest uci;
    const Lines lines = uci.say("uci");
    EXPECT_THAT(lines.front(), StartsWith("id name Rokada"));
    EXPECT_EQ(lines.back(), "uciok");
    EXPECT_THAT(lines, Contains("option name Hash type spin default 16 min 1 max 1024"));
    EXPECT_THAT(lines, Contains("option name Clear Hash type button"));
    EXPECT_THAT(lines,
                Contains("option name Style type combo default Calm var Calm var Very Wild"));
    EXPECT_THAT(lines, Contains("option name SyzygyPath type string default <empty>"));
    EXPECT_THAT(lines, Contains("option name UCI_Opponent type string default <empty>"));
    EXPECT_THAT(lines,
                Contains(StartsWith("option name UCI_EngineAbout type string default Rokada")));
}

TEST(UciSession, AnswersIsreadyDuringASearch) {
    UciTest uci;
    uci.say("go infinite");
    EXPECT_THAT(uci.say("isready"), ElementsAre("readyok"));
    EXPECT_THAT(uci.say("stop"), ElementsAre(StartsWith("bestmove ")));
}

TEST(UciSession, SearchesThePositionItWasGiven) {
    UciTest uci;
    EXPECT_THAT(uci.say("position startpos moves e2e4 e7e5"), IsEmpty());
    EXPECT_EQ(to_fen(uci.thinker->position),
              "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    const Lines lines = uci.say("go depth 3");
    EXPECT_THAT(lines.back(), StartsWith("bestmove "));
    EXPECT_EQ(uci.thinker->last_limits.depth, 3);
}

TEST(UciSession, ReadsEveryParameterOfGo) {
    UciTest uci;
    uci.say(
        "go searchmoves e2e4 d2d4 wtime 1000 btime 2000 winc 10 binc 20 movestogo 5 depth 6 nodes "
        "7 "
        "mate 8 movetime 9");
    const engine::Limits& limits = uci.thinker->last_limits;
    ASSERT_TRUE(limits.clock);
    EXPECT_EQ(limits.clock->left[Color::White].count(), 1000);
    EXPECT_EQ(limits.clock->left[Color::Black].count(), 2000);
    EXPECT_EQ(limits.clock->increment[Color::White].count(), 10);
    EXPECT_EQ(limits.clock->increment[Color::Black].count(), 20);
    EXPECT_EQ(limits.clock->moves_to_go, 5);
    EXPECT_EQ(limits.depth, 6);
    EXPECT_EQ(limits.nodes, 7u);
    EXPECT_EQ(limits.mate, 8);
    EXPECT_EQ(limits.move_time->count(), 9);
    EXPECT_THAT(limits.search_moves, SizeIs(2));
}

// A user who types something wrong must lose nothing by it.
TEST(UciSession, BadInputIsOneInfoStringAndChangesNothing) {
    const char* const bad[] = {"go depth",
                               "go depth x",
                               "go depth 0",
                               "go depth 99999999999999999999",
                               "go depth 5 depth 6",
                               "go nonsense",
                               "go wtime",
                               "go wtime 1000",
                               "go searchmoves",
                               "go searchmoves e2e5",
                               "go nodes -3",
                               "go movetime abc",
                               "go perft 99",
                               "position",
                               "position fen",
                               "position fen 8/8/8 w - - 0 1",
                               "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1",
                               "position startpos e2e4",
                               "position startpos moves e2e5",
                               "position startpos moves e2e4 e2e4",
                               "position startpos moves xx",
                               "setoption",
                               "setoption Hash",
                               "setoption name",
                               "setoption name Hash value 0",
                               "setoption name Hash value many",
                               "setoption name Nothing value 1",
                               "setoption name value 3",
                               "debug maybe",
                               "nonsense",
                               "\xff\xfe\x01",
                               "setoption name UCI_AnalyseMode value perhaps"};
    for (const char* line : bad) {
        UciTest uci;
        uci.say("position startpos moves d2d4");
        const std::string before = to_fen(uci.thinker->position);
        const Lines lines = uci.say(line);
        EXPECT_THAT(lines, ElementsAre(StartsWith("info string "))) << line;
        EXPECT_EQ(uci.thinker->searches, 0) << line;
        EXPECT_EQ(to_fen(uci.thinker->position), before) << line;
        EXPECT_EQ(uci.thinker->options_set, 0) << line;
        EXPECT_THAT(uci.say("isready"), ElementsAre("readyok")) << line;
    }
}

TEST(UciSession, UnknownWordsBeforeACommandArePassedOver) {
    UciTest uci;
    EXPECT_THAT(uci.say("joho isready"), ElementsAre("readyok"));
    for (const char* mistyped :
         {"positon startpos moves e2e4", "seting d", "run bench 1", "joho help", "x wait"})
        EXPECT_THAT(uci.say(mistyped), ElementsAre(HasSubstr("unknown command '"))) << mistyped;
}

TEST(UciSession, NamesAndValuesOfOptionsMayHoldBlanks) {
    UciTest uci;
    EXPECT_THAT(uci.say("setoption name Style value Very Wild"), IsEmpty());
    EXPECT_EQ(find_option(*uci.thinker, "Style")->value, "Very Wild");
    EXPECT_THAT(uci.say("setoption name Clear Hash"), IsEmpty());
    EXPECT_EQ(uci.thinker->options_set, 2);
    uci.say("setoption name SyzygyPath value /a b/c  d");
    EXPECT_EQ(find_option(*uci.thinker, "SyzygyPath")->value, "/a b/c  d");
    uci.say("setoption name SyzygyPath value <empty>");
    EXPECT_EQ(find_option(*uci.thinker, "SyzygyPath")->value, "");
}

TEST(UciSession, WithoutLegalMovesThereIsNoBestMove) {
    UciTest uci;
    uci.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    EXPECT_THAT(uci.say("go depth 5"), ElementsAre("info depth 0 score cp 0", "bestmove (none)"));
    uci.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    EXPECT_THAT(uci.say("go wtime 1000 btime 1000"),
                ElementsAre("info depth 0 score mate 0", "bestmove (none)"));
    EXPECT_EQ(uci.thinker->searches, 0);
}

TEST(UciSession, AnEndlessSearchAnswersOnlyAfterStop) {
    UciTest uci;
    uci.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    EXPECT_THAT(uci.say("go infinite"), ElementsAre("info depth 0 score mate 0"));
    EXPECT_THAT(uci.say("stop"), ElementsAre("bestmove (none)"));
    EXPECT_THAT(uci.say("stop"), IsEmpty());
}

TEST(UciSession, PonderhitReleasesThePonderedMove) {
    UciTest uci;
    uci.say("position startpos moves e2e4 e7e5");
    EXPECT_THAT(uci.say("go ponder wtime 1000 btime 1000"), SizeIs(1));
    EXPECT_TRUE(uci.thinker->last_limits.ponder);
    EXPECT_THAT(uci.say("ponderhit"), ElementsAre(StartsWith("bestmove ")));
}

TEST(UciSession, CommandsWaitForTheSearchInTheirOrder) {
    UciTest uci;
    uci.say("go infinite");
    EXPECT_THAT(uci.say("position startpos moves d2d4"), IsEmpty());
    EXPECT_THAT(uci.say("go depth 2"), IsEmpty());
    EXPECT_EQ(uci.thinker->searches, 1);
    const Lines lines = uci.say("stop");
    EXPECT_FALSE(uci.thinker->overlapping_go);
    EXPECT_EQ(uci.thinker->searches, 2);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [](const std::string& l) { return l.substr(0, 8) == "bestmove"; }),
              2);
}

TEST(UciSession, WaitHoldsQuitBackUntilTheSearchHasEnded) {
    UciTest uci;
    uci.thinker->slow = true;
    uci.say("go depth 9");
    uci.say("wait");
    uci.say("quit");
    EXPECT_FALSE(uci.finished());
    uci.thinker->finish();
    EXPECT_THAT(uci.settle(), ElementsAre(StartsWith("bestmove ")));
    EXPECT_TRUE(uci.finished());
}

TEST(UciSession, PerftPrintsEveryMoveAndTheSum) {
    UciTest uci;
    const Lines lines = uci.say_until("go perft 3", "Nodes searched");
    EXPECT_THAT(lines, Contains("e2e4: 600"));
    EXPECT_EQ(lines.back(), "Nodes searched: 8902");
}

TEST(UciSession, DeepPerftCountsTheSameAndCanBeStopped) {
    UciTest uci;
    uci.say("position fen 8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
    const std::uint64_t leaves = perft(uci.thinker->position, 6);
    EXPECT_THAT(uci.say_until("go perft 6", "Nodes searched"),
                Contains("Nodes searched: " + std::to_string(leaves)));
    uci.say("position startpos");
    uci.say("go perft 20");
    uci.say("wait");
    EXPECT_THAT(uci.say("isready"), Contains("readyok"));
    EXPECT_THAT(uci.say_until("stop", "info string"), Contains("info string perft stopped"));
    uci.say("go perft 20");
    uci.say("quit");
    EXPECT_TRUE(uci.finished());
}

TEST(UciSession, Chess960WritesCastlingAsKingTakesRook) {
    UciTest uci;
    uci.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    EXPECT_THAT(uci.say("go depth 1 searchmoves e1g1").back(), StartsWith("bestmove e1g1"));
    uci.say("setoption name UCI_Chess960 value true");
    EXPECT_THAT(uci.say("go depth 1 searchmoves e1h1").back(), StartsWith("bestmove e1h1"));
}

TEST(UciSession, EndsAtQuitAndAtTheEndOfInput) {
    UciTest quitting;
    quitting.say("quit");
    EXPECT_TRUE(quitting.finished());
    UciTest ending;
    ending.say("go infinite");
    ending.end();
    EXPECT_TRUE(ending.finished());
}

TEST(UciSession, RegisterAndDebugAreTakenPolitely) {
    UciTest uci;
    EXPECT_THAT(uci.say("register later"), IsEmpty());
    EXPECT_THAT(uci.say("register name Stefan MK code 4359874324"), IsEmpty());
    EXPECT_THAT(uci.say("debug on"), IsEmpty());
    EXPECT_THAT(uci.say(""), IsEmpty());
    EXPECT_THAT(uci.say("   \t "), IsEmpty());
}

TEST(UciSession, ShowsTheBoardForPeople) {
    UciTest uci;
    EXPECT_THAT(uci.say("d"),
                Contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    EXPECT_THAT(uci.say("fen"),
                ElementsAre("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    EXPECT_THAT(uci.say("moves"), ElementsAre(HasSubstr("e2e4")));
    EXPECT_THAT(uci.say("help"), Contains(HasSubstr("position")));
}

TEST(UciSession, EvalShowsTheTermsAndTheirSum) {
    UciTest uci;
    const Lines lines = uci.say("eval");
    EXPECT_THAT(lines.front(), HasSubstr("difference"));
    EXPECT_THAT(lines.back(), StartsWith("Evaluation: "));
}

TEST(UciSession, FlipMirrorsTheBoardWithAllItsRights) {
    UciTest uci;
    uci.say("position fen r3k3/8/8/8/4Pp2/8/8/4K2R b Kq e3 0 9");
    uci.say("flip");
    EXPECT_THAT(uci.say("fen"), ElementsAre("4k2r/8/8/4pP2/8/8/8/R3K3 w Qk e6 0 9"));
    EXPECT_EQ(to_fen(uci.thinker->position), "4k2r/8/8/4pP2/8/8/8/R3K3 w Qk e6 0 9");
    uci.say("flip");
    EXPECT_THAT(uci.say("fen"), ElementsAre("r3k3/8/8/8/4Pp2/8/8/4K2R b Kq e3 0 9"));
}

TEST(UciSession, BenchRunsWithItsArgumentsUntilStopped) {
    House house;
    house.bench = [](const std::string& arguments, const auto& print, const auto& stop) {
        print("bench of " + arguments);
        while (!stop) std::this_thread::yield();
        print("bench stopped");
    };
    UciTest uci(house);
    uci.say("bench 5 2");
    EXPECT_THAT(uci.say("isready"), Contains("readyok"));
    EXPECT_THAT(uci.say_until("stop", "bench stopped"), Contains("bench stopped"));
    EXPECT_THAT(uci.say_until("go depth 1", "bestmove").back(), StartsWith("bestmove"));
    UciTest without;
    EXPECT_THAT(without.say("bench"),
                ElementsAre("info string error: no benchmark in this program"));
}

TEST(UciSession, ChancesAreShownWhenAskedFor) {
    UciTest uci;
    EXPECT_THAT(uci.say("go depth 1").front(), testing::Not(HasSubstr(" wdl ")));
    uci.say("setoption name UCI_ShowWDL value true");
    EXPECT_THAT(uci.say("go depth 1").front(), HasSubstr(" wdl 600 300 100 "));
}

TEST(UciSession, PassesOnWhatTheEngineIsBusyWith) {
    UciTest uci;
    uci.say("go infinite");
    const Move move = legal_moves(uci.thinker->position)[0];
    uci.thinker->show({7, move, 3});
    EXPECT_THAT(uci.settle(),
                ElementsAre("info depth 7 currmove " + to_uci(move) + " currmovenumber 3"));
    uci.thinker->say("no tablebases there");
    EXPECT_THAT(uci.settle(), ElementsAre("info string no tablebases there"));
}

TEST(UciSession, DebugSaysThatACommandWaits) {
    UciTest uci;
    uci.say("go infinite");
    EXPECT_THAT(uci.say("ucinewgame"), IsEmpty());
    uci.say("debug on");
    EXPECT_THAT(uci.say("ucinewgame"), ElementsAre(HasSubstr("waiting for the search")));
    uci.say("stop");
    EXPECT_EQ(uci.thinker->new_games, 2);
}

TEST(UciSession, KeepsALogOfTheConversation) {
    const std::string path = testing::TempDir() + "rokada_uci_log.txt";
    std::remove(path.c_str());
    UciTest uci;
    EXPECT_THAT(uci.say("setoption name Debug Log File value /nowhere/at/all.txt"),
                ElementsAre(StartsWith("info string error: cannot write the log file")));
    EXPECT_THAT(uci.say("setoption name Debug Log File value " + path), IsEmpty());
    uci.say("isready");
    uci.say("setoption name Debug Log File value <empty>");
    uci.say("fen");
    std::stringstream log;
    log << std::ifstream(path).rdbuf();
    EXPECT_EQ(log.str(),
              "<< isready\n>> readyok\n<< setoption name Debug Log File value <empty>\n");
    std::remove(path.c_str());
}

TEST(UciSession, AnOverlongLineIsNamed) {
    UciTest uci;
    EXPECT_THAT(uci.happen(OverlongLine{}), ElementsAre("info string error: the line is too long"));
}

TEST(UciSession, LeavesWhenNobodyListens) {
    UciTest uci;
    uci.output().closed = true;
    uci.say("go infinite");
    EXPECT_TRUE(uci.finished());
    EXPECT_FALSE(uci.thinker->searching);
}

// `printf 'go depth 5' | rokada` must still print its move.
TEST(UciSession, TheEndOfInputWaitsForALimitedSearch) {
    UciTest uci;
    uci.thinker->slow = true;
    uci.say("go depth 5");
    uci.end();
    EXPECT_FALSE(uci.finished());
    uci.thinker->finish();
    EXPECT_THAT(uci.settle(), ElementsAre(StartsWith("bestmove ")));
    EXPECT_TRUE(uci.finished());
}

}  // namespace
}  // namespace rokada::protocol::uci
