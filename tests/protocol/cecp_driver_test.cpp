// SPDX-License-Identifier: GPL-3.0-or-later
// Engines of the xboard protocol, old and odd ones too, as players.
#include <fstream>

#include <gmock/gmock.h>

#include "chess/game.hpp"
#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "tests/protocol/scripted_engine.hpp"

namespace rokada::protocol {
namespace {

using engine::Milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Lines = std::vector<std::string>;

constexpr const char* kModern = "ping=1 setboard=1 usermove=1 colors=0 reuse=1";

Position position_of(std::string_view fen) { return *parse_position(fen); }

std::string kind_text(ReplyKind kind) {
    static constexpr const char* kNames[] = {"Move",       "Resign",  "DrawClaim",
                                             "FalseClaim", "Illegal", "Crash",
                                             "Silence",    "Garbage", "Cancelled"};
    return kNames[static_cast<int>(kind)];
}

TEST(CecpDriver, AcceptsTheFeaturesItKnowsAndRejectsTheRest) {
    DrivenEngine engine(
        xboard_engine("ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 "
                      "colors=0 analyze=1 myname=\"Old Faithful 3\" variants=\"normal\" memory=1 "
                      "smp=1 reuse=0 telepathy=2 option=\"Contempt -spin 5 0 100\""));
    ASSERT_EQ(engine.problem, "");
    EXPECT_EQ(engine->name(), "Old Faithful 3");
    EXPECT_FALSE(engine->reusable());
    ASSERT_EQ(engine->options().size(), 1u);
    EXPECT_EQ(engine->options()[0].default_value, "5");
    EXPECT_THAT(engine.sent, Contains("rejected telepathy"));
    for (const char* known :
         {"ping", "setboard", "playother", "san", "usermove", "time", "draw", "sigint", "colors",
          "analyze", "myname", "variants", "memory", "smp", "reuse", "option", "done"})
        EXPECT_THAT(engine.sent, Contains(std::string("accepted ") + known));
}

// An engine of protocol 1 answers `protover` with nothing; the protocol allows two seconds for it.
TEST(CecpDriver, AnEngineWithoutFeaturesPlaysByTheOldRules) {
    DrivenEngine engine(shell_engine("go) echo '1. ... e7e5';;"));
    ASSERT_EQ(engine.problem, "");
    ASSERT_EQ(engine.new_game(), std::nullopt);
    engine.play("e2e4");
    const Reply reply = engine.think();
    EXPECT_EQ(kind_text(reply.kind), "Move");
    EXPECT_EQ(to_uci(reply.move), "e7e5");
    EXPECT_THAT(engine.sent, Not(Contains(StartsWith("ping"))));
    EXPECT_THAT(engine.sent, Contains("e2e4"));
    EXPECT_THAT(engine.sent, Contains("black"));
    EXPECT_TRUE(engine->reusable());
}

TEST(CecpDriver, SaysWhyAnEngineCannotBeStarted) {
    struct Case {
        std::string cases, problem;
        Milliseconds patience{100};
    };
    for (const Case& c : {
             Case{"protover*) echo 'feature done=0';;", "its features never came to an end"},
             Case{"protover*) echo 'out of ideas' >&2; exit 3;;",
                  "no features: the engine exited with code 3: out of ideas", kPatience},
             Case{"protover*) echo 'feature ping=1 done=1';;", "no 'pong'"},
             Case{"protover*) echo 'feature ping=1 done=1';;\nping*) echo 'pong 77';;",
                  "no 'pong'"},
             Case{"protover*) echo 'feature ping=1 done=1';;\nping*) while :; do echo wait; done;;",
                  "no 'pong'"},
             Case{"protover*) echo 'feature ping=1 done=1';;\nping*) kill -9 $$;;",
                  "no 'pong': the engine was killed by signal 9 (Killed)", kPatience},
         }) {
        DriverSettings settings;
        settings.start_patience = settings.ready_patience = c.patience;
        EXPECT_EQ(DrivenEngine(shell_engine(c.cases), settings).problem, c.problem) << c.cases;
    }
    EXPECT_THAT(DrivenEngine({"/nowhere/engine"}).problem, HasSubstr("cannot start"));
}

TEST(CecpDriver, SetsEveryKindOfOptionInTheProtocolsWords) {
    const std::string declared =
        "ping=1 memory=1 smp=1 option=\"Resign -check 0\" option=\"Own Book -check 1\" "
        "option=\"Draw after -spin 50 0 200\" option=\"Style -combo Calm /// *Very Wild\" "
        "option=\"Book File -file /tmp/x\" option=\"Clear Hash -button\"";
    DriverSettings settings;
    settings.options = {
        {"resign", "true"},          {"Own Book", "false"}, {"Draw after", "70"}, {"Style", "Calm"},
        {"Book File", "/a b/c.bin"}, {"Clear Hash", ""},    {"Hash", "64"},       {"threads", "2"}};
    DrivenEngine engine(xboard_engine(declared), settings);
    ASSERT_EQ(engine.problem, "");
    Lines said = engine.take_sent();
    said.erase(said.begin(), std::find(said.begin(), said.end(), "accepted done") + 1);
    EXPECT_THAT(said, ElementsAre("option Resign=1", "option Own Book=0", "option Draw after=70",
                                  "option Style=Calm", "option Book File=/a b/c.bin",
                                  "option Clear Hash", "memory 64", "cores 2", "ping 1"));
    EXPECT_EQ(engine->options()[3].default_value, "Very Wild");

    settings.options = {{"Resign", "1"}};
    EXPECT_THAT(DrivenEngine(xboard_engine(declared), settings).sent, Contains("option Resign=1"));
}

TEST(CecpDriver, AnOptionTheEngineDoesNotHaveIsRefused) {
    for (const char* name : {"Contempt", "Hash", "Threads"}) {
        DriverSettings settings;
        settings.options = {{name, "1"}};
        EXPECT_EQ(DrivenEngine(xboard_engine("ping=1"), settings).problem,
                  "the engine has no option '" + std::string(name) + "'");
    }
}

TEST(CecpDriver, ANewGameTellsTheTermsBeforeTheInitLinesAndThePosition) {
    DriverSettings settings;
    settings.init_lines = {"sd 2"};
    DrivenEngine engine(xboard_engine(kModern), settings);
    ASSERT_EQ(engine.problem, "");
    engine.take_sent();
    GameStart start;
    start.position = position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 3 20");
    start.opponent = "Deep Thinker";
    start.terms.moves_per_session = 40;
    start.terms.base = Milliseconds(150'000);
    start.terms.increment = Milliseconds(1500);
    EXPECT_EQ(engine->new_game(start), std::nullopt);
    EXPECT_THAT(engine.take_sent(),
                ElementsAre("new", "force", "easy", "post", "name Deep Thinker", "computer",
                            "level 40 2:30 1.5", "sd 2",
                            "setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 3 20", "ping 2"));
    start = {};
    start.terms.move_time = Milliseconds(250);
    start.terms.depth = 9;
    EXPECT_EQ(engine->new_game(start), std::nullopt);
    EXPECT_THAT(engine.take_sent(), ElementsAre("new", "force", "easy", "post", "computer",
                                                "st 0.25", "sd 9", "sd 2", "ping 3"));
}

TEST(CecpDriver, GamesTheEngineCannotPlayAreRefusedBeforeTheyBegin) {
    DrivenEngine engine(xboard_engine("ping=1 variants=\"normal,shatranj\""));
    ASSERT_EQ(engine.problem, "");
    EXPECT_EQ(engine.new_game(Position(), true), "the engine does not play Chess960");
    GameStart start;
    start.terms.nodes = 1000;
    EXPECT_EQ(engine->new_game(start), "the xboard protocol knows no node limit");
    // `edit` knows no en passant, and gives every right to castle that the squares allow.
    for (const char* fen : {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                            "r3k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"})
        EXPECT_EQ(engine.new_game(position_of(fen)), "the engine cannot start from such a position")
            << fen;
    EXPECT_EQ(engine.new_game(position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), std::nullopt);
}

TEST(CecpDriver, WithoutSetboardAPositionIsEdited) {
    DrivenEngine engine(xboard_engine("ping=1 usermove=1"));
    ASSERT_EQ(engine.problem, "");
    engine.new_game(position_of("4k3/7p/8/8/8/8/8/R3K3 w Q - 0 1"));
    Lines said = engine.take_sent();
    said.erase(said.begin(), std::find(said.begin(), said.end(), "computer") + 1);
    EXPECT_THAT(said, ElementsAre("edit", "#", "Ra1", "Ke1", "c", "Ph7", "Ke8", ".", "ping 2"));
    // Only a move passes the turn to Black.
    engine.new_game(position_of("4k3/8/8/8/8/8/8/4K3 b - - 0 1"));
    said = engine.take_sent();
    said.erase(said.begin(), std::find(said.begin(), said.end(), "computer") + 1);
    EXPECT_THAT(said, ElementsAre("usermove a2a3", "edit", "#", "Ke1", "c", "Ke8", ".", "ping 3"));
}

TEST(CecpDriver, WritesMovesTheWayTheEngineWantsThem) {
    const Position castling = position_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    struct Case {
        const char* features;
        bool chess960;
        const char* move;
        const char* line;
    };
    for (const Case& c : {Case{"setboard=1", false, "e1g1", "e1g1"},
                          Case{"setboard=1 usermove=1", false, "e1c1", "usermove e1c1"},
                          Case{"setboard=1 san=1", false, "a1b1", "Rb1"},
                          Case{"setboard=1 san=1 usermove=1", false, "e1g1", "usermove O-O"},
                          Case{"setboard=1 variants=\"fischerandom\"", true, "e1g1", "O-O"},
                          Case{"setboard=1 variants=\"fischerandom\"", true, "e1c1", "O-O-O"},
                          Case{"setboard=1 variants=\"fischerandom\"", true, "a1a7", "a1a7"}}) {
        DrivenEngine engine(xboard_engine(c.features));
        ASSERT_EQ(engine.new_game(castling, c.chess960), std::nullopt) << c.features;
        EXPECT_EQ(std::count(engine.sent.begin(), engine.sent.end(), "variant fischerandom"),
                  c.chess960 ? 1 : 0);
        engine.play(c.move, castling);
        EXPECT_EQ(engine.sent.back(), c.line) << c.features;
    }
}

// The engine's clock must not run while the driver still talks: times first, then what starts it.
TEST(CecpDriver, GoStartsItsFirstMoveAndOurMoveEveryLaterOne) {
    for (const bool colors : {false, true}) {
        DrivenEngine engine(
            xboard_engine(colors ? "ping=1 usermove=1" : "ping=1 usermove=1 colors=0",
                          "go) echo 'move e2e4';;\nusermove*) echo 'move g1f3';;"));
        ASSERT_EQ(engine.new_game(), std::nullopt);
        engine.take_sent();
        TurnLimits limits;
        limits.deadline = std::chrono::steady_clock::now() + kPatience;
        limits.clock.emplace();
        limits.clock->left[Color::White] = Milliseconds(61'230);
        limits.clock->left[Color::Black] = Milliseconds(59'990);
        EXPECT_EQ(to_uci(engine->think(limits).move), "e2e4");
        Lines expected{"time 6123", "otim 5999", "white", "go"};
        if (!colors) expected.erase(expected.begin() + 2);
        EXPECT_EQ(engine.take_sent(), expected);
        Position position;
        position.play(*parse_uci_move(position, "e2e4"));
        engine.play("e7e5", position);
        EXPECT_THAT(engine.take_sent(), IsEmpty());
        limits.draw_offered = true;
        EXPECT_EQ(to_uci(engine->think(limits).move), "g1f3");
        EXPECT_THAT(engine.take_sent(),
                    ElementsAre("time 6123", "otim 5999", "usermove e7e5", "draw"));
    }
}

TEST(CecpDriver, AnEngineWithoutTimeIsToldNone) {
    DrivenEngine engine(xboard_engine("time=0 colors=0", "go) echo 'move e2e4';;"));
    ASSERT_EQ(engine.new_game(), std::nullopt);
    engine.take_sent();
    TurnLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + kPatience;
    limits.clock.emplace();
    EXPECT_EQ(engine->think(limits).text, "e2e4");
    EXPECT_THAT(engine.take_sent(), ElementsAre("go"));
}

TEST(CecpDriver, EveryAnswerToGoIsJudged) {
    struct Case {
        const char* answer;
        const char* kind;
        const char* text;
    };
    for (const Case& c : {
             Case{"echo 'move e2e4'", "Move", "e2e4"},
             Case{"echo 'move Nf3'", "Move", "Nf3"},
             Case{"echo '1. ... d2d4'", "Move", "d2d4"},
             Case{"echo '# thinking'; echo; echo 'Hint: e2e4'; echo 'move d2d4'", "Move", "d2d4"},
             Case{"echo 'Error (unknown command): easy'; echo 'move d2d4'", "Move", "d2d4"},
             Case{"echo '* {no result}'; echo 'move d2d4'", "Move", "d2d4"},
             Case{"echo 'move e2e5'", "Illegal", "e2e5"},
             Case{"echo 'move'", "Illegal", ""},
             Case{"echo resign", "Resign", ""},
             Case{"echo 'tellics resign'", "Resign", ""},
             Case{"echo '0-1 {White resigns}'", "Resign", "0-1"},
             Case{"echo '1-0 {White mates}'", "FalseClaim", "1-0"},
             Case{"echo '1/2-1/2 {Draw by repetition}'", "DrawClaim", "1/2-1/2"},
             Case{"echo 'Illegal move: a7a6'", "Garbage",
                  "refuses a legal move: Illegal move: a7a6"},
             Case{"echo 'out of ideas' >&2; exit 4", "Crash", "exited with code 4: out of ideas"},
             Case{"kill -9 $$", "Crash", "was killed by signal 9 (Killed)"},
         }) {
        DrivenEngine engine(xboard_engine(kModern, "go) " + std::string(c.answer) + ";;"));
        ASSERT_EQ(engine.new_game(), std::nullopt);
        const Reply reply = engine.think();
        EXPECT_EQ(kind_text(reply.kind), c.kind) << c.answer;
        EXPECT_EQ(reply.text, c.text) << c.answer;
        EXPECT_FALSE(reply.offers_draw) << c.answer;
    }
}

TEST(CecpDriver, BlackGivesUpByClaimingTheWinForWhite) {
    for (const auto& [claim, kind] : {std::pair{"1-0", "Resign"}, std::pair{"0-1", "FalseClaim"}}) {
        DrivenEngine engine(
            xboard_engine(kModern, "go) echo '" + std::string(claim) + " {end}';;"));
        ASSERT_EQ(engine.new_game(), std::nullopt);
        engine.play("e2e4");
        EXPECT_EQ(kind_text(engine.think().kind), kind) << claim;
    }
}

TEST(CecpDriver, NoMoveBeforeTheDeadlineIsSilence) {
    for (const char* answer : {":", "while :; do echo '# still at it'; done"}) {
        DrivenEngine engine(
            xboard_engine(kModern, "go) echo '7 31 12 900 e4 e5'; " + std::string(answer) + ";;"));
        ASSERT_EQ(engine.new_game(), std::nullopt);
        EXPECT_EQ(kind_text(engine.think(Milliseconds(150)).kind), "Silence") << answer;
    }
}

TEST(CecpDriver, AStopFromOutsideEndsTheWait) {
    DrivenEngine engine(xboard_engine(kModern));
    ASSERT_EQ(engine.new_game(), std::nullopt);
    const std::atomic<bool> cancelled{true};
    engine.group.cancelled = &cancelled;
    EXPECT_EQ(kind_text(engine.think().kind), "Cancelled");
}

TEST(CecpDriver, TheLastLineOfThinkingIsKept) {
    DrivenEngine engine(xboard_engine(kModern,
                                      "go) echo '3 -20 5 100 d4'; echo '9 35 123 4567 e4 e5 Nf3'; "
                                      "echo 'move e2e4';;\nusermove*) echo '12. 100003 1 80 Qh5'; "
                                      "echo 'move d1h5';;"));
    ASSERT_EQ(engine.new_game(), std::nullopt);
    ThoughtSummary thought = engine.think().thought;
    ASSERT_TRUE(thought.score);
    EXPECT_EQ(thought.score->centipawns(), 35);
    EXPECT_EQ(thought.depth, 9);
    EXPECT_EQ(thought.nodes, 4567u);
    EXPECT_EQ(thought.time.count(), 1230);
    EXPECT_EQ(thought.line, "e4 e5 Nf3");
    Position position;
    position.play(*parse_uci_move(position, "e2e4"));
    engine.play("f7f6", position);
    thought = engine.think().thought;
    ASSERT_TRUE(thought.score);
    EXPECT_EQ(thought.score->moves_to_mate(), 3);
    EXPECT_EQ(thought.depth, 12);
}

TEST(CecpDriver, ADrawOfferCountsBeforeTheMoveAndAfterIt) {
    DrivenEngine before(xboard_engine(kModern, "go) echo 'offer draw'; echo 'move e2e4';;"));
    ASSERT_EQ(before.new_game(), std::nullopt);
    EXPECT_TRUE(before.think().offers_draw);

    // One that comes after the move has been taken is not lost: it stands with the next one.
    DrivenEngine after(xboard_engine(kModern,
                                     "go) echo 'move e2e4'; echo 'offer draw'; echo 'pong 0';;\n"
                                     "usermove*) echo 'move d2d4';;"));
    ASSERT_EQ(after.new_game(), std::nullopt);
    EXPECT_EQ(kind_text(after.think().kind), "Move");
    Position position;
    position.play(*parse_uci_move(position, "e2e4"));
    after.play("e7e5", position);
    EXPECT_TRUE(after.think().offers_draw);
    position.play(*parse_uci_move(position, "e7e5"));
    position.play(*parse_uci_move(position, "d2d4"));
    after.play("a7a6", position);
    EXPECT_FALSE(after.think().offers_draw) << "an offer counts once";
}

TEST(CecpDriver, TheResultIsToldUnlessTheEngineIsGone) {
    DrivenEngine engine(xboard_engine(kModern, "go) exit 0;;"));
    ASSERT_EQ(engine.new_game(), std::nullopt);
    engine.take_sent();
    engine->game_over(Outcome{Color::White, EndReason::Checkmate});
    engine->game_over(std::nullopt);
    EXPECT_THAT(engine.take_sent(),
                ElementsAre("force", "result 1-0 {checkmate}", "force", "result * {unfinished}"));
    EXPECT_EQ(kind_text(engine.think().kind), "Crash");
    engine.take_sent();
    engine->game_over(std::nullopt);
    EXPECT_THAT(engine.take_sent(), IsEmpty());
}

// Both sides of the protocol are ours: what the session writes the driver must understand.
TEST(CecpDriver, OurOwnEnginePlaysGamesInBothVariants) {
    DriverSettings settings;
    settings.options = {{"Hash", "40"}, {"Threads", "1"}, {"Resign", "false"}, {"Clear Hash", ""}};
    DrivenEngine engine({ROKADA_BINARY, "xboard"}, settings);
    ASSERT_EQ(engine.problem, "");
    EXPECT_THAT(engine->name(), StartsWith("Rokada"));
    EXPECT_TRUE(engine->reusable());
    const auto chess960 = Position::from_setup(Setup::chess960(0));
    ASSERT_TRUE(chess960);
    for (const Position& start :
         {Position(), *chess960, position_of("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")}) {
        GameStart terms;
        terms.position = start;
        terms.chess960 = start == *chess960;
        terms.terms.depth = 3;
        terms.opponent = "itself";
        ASSERT_EQ(engine->new_game(terms), std::nullopt);
        Game game(start);
        for (int ply = 0; ply < 6 && !game.over(); ++ply) {
            TurnLimits limits;
            limits.deadline = std::chrono::steady_clock::now() + kPatience;
            limits.draw_offered = ply == 2;
            const Reply reply = engine->think(limits);
            ASSERT_EQ(kind_text(reply.kind), "Move") << reply.text;
            EXPECT_GE(reply.thought.depth, 1);
            EXPECT_TRUE(reply.thought.score);
            ASSERT_TRUE(game.play(reply.move));
            const Move answer = legal_moves(game.position())[0];
            engine->play(answer);
            game.play(answer);
        }
        engine->game_over(game.outcome());
    }
    engine->quit();
    EXPECT_EQ(engine->link().process().ending(), "exited with code 0");
}

TEST(CecpDriver, OurOwnEngineMatesFromABoardThatWasSet) {
    DrivenEngine engine({ROKADA_BINARY, "xboard"});
    ASSERT_EQ(engine.problem, "");
    GameStart start;
    start.position = position_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    start.terms.depth = 4;
    ASSERT_EQ(engine->new_game(start), std::nullopt);
    const Reply reply = engine.think();
    EXPECT_EQ(to_uci(reply.move), "a1a8");
    EXPECT_EQ(reply.thought.score->moves_to_mate(), 1);
}

// An engine of another author, whose boards are edited.
TEST(CecpDriver, FairymaxPlaysFromAnEditedBoard) {
    const char* const program = "/usr/games/fairymax";
    if (!std::ifstream(program)) GTEST_SKIP() << "fairymax is not installed";
    DriverSettings settings;
    settings.options = {{"Hash", "16"}, {"Resign", "false"}};
    settings.init_lines = {"sd 4"};
    DrivenEngine engine({program}, settings);
    ASSERT_EQ(engine.problem, "");
    EXPECT_THAT(engine->name(), HasSubstr("Max"));
    for (const auto& [fen, mate] : {std::pair{"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"},
                                    std::pair{"r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1"}}) {
        ASSERT_EQ(engine.new_game(position_of(fen)), std::nullopt);
        const Reply reply = engine.think();
        EXPECT_EQ(kind_text(reply.kind), "Move") << reply.text;
        EXPECT_EQ(to_uci(reply.move), mate);
        engine->game_over(std::nullopt);
    }
}

}  // namespace
}  // namespace rokada::protocol
