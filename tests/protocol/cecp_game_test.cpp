// SPDX-License-Identifier: GPL-3.0-or-later
// The xboard session through whole games: claims, offers, hints, pondering, and the rarer commands.
#include "tests/protocol/cecp_game.hpp"

#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"

namespace rokada::protocol::cecp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Lines = std::vector<std::string>;

TEST(CecpGames, CommandsThatConcernNobodyAreTakenSilently) {
    CecpGame game;
    for (const char* line : {"",
                             "random",
                             "computer",
                             "accepted ping",
                             "rejected colors",
                             "rating 1500 2000",
                             "ics -",
                             "name Deep Thinker",
                             "nps 1000",
                             "nps -1",
                             "variant normal",
                             "winboard",
                             "egtpath gaviota /gtb",
                             "hard",
                             "easy",
                             "hover e2",
                             "exit",
                             ".",
                             "?",
                             "resume"})
        EXPECT_THAT(game.say(line), IsEmpty()) << line;
    EXPECT_EQ(game.thinker->searches, 0);
    EXPECT_EQ(game.thinker->options_set, 0);
}

TEST(CecpGames, TheBookTellsItsMovesAndTheirWeights) {
    CecpGame game;
    EXPECT_THAT(game.say("bk"), ElementsAre(" No book moves known here.", ""))
        << "an empty line ends the answer";
    game.thinker->book = {{Move(Square::E2, Square::E4), 60},
                          {Move(Square::G1, Square::F3), 20},
                          {Move(Square::A2, Square::A4), 0},
                          {Move(Square::E7, Square::E5), 9}};
    EXPECT_THAT(game.say("bk"),
                ElementsAre(" e4       75 %  weight 60", " Nf3      25 %  weight 20",
                            " a4        0 %  weight 0", ""));
    game.say_all({"force", "usermove e2e4"});
    EXPECT_THAT(game.say("bk"), ElementsAre(" e5      100 %  weight 9", ""));
}

TEST(CecpGames, TheBookOfTheProgramKnowsTheFirstMove) {
    const auto engine = make_engine_thinker({});
    EXPECT_GE(engine->book_moves(Position()).size(), 4u);
    EXPECT_EQ(engine->set_option("BookFile", "<none>"), std::nullopt);
    EXPECT_THAT(engine->book_moves(Position()), testing::IsEmpty());
}

TEST(CecpGames, RefusesWhatNeedsAMoveOrAShorterLine) {
    CecpGame game;
    EXPECT_THAT(game.say("include"), ElementsAre("Error ('include' needs a move): 'include'"));
    EXPECT_THAT(game.say("egtpath"), ElementsAre(StartsWith("Error ('egtpath' needs a type")));
    EXPECT_THAT(game.say("level 0 5 x"), ElementsAre(HasSubstr("increment")));
    EXPECT_THAT(game.happen(OverlongLine{}), ElementsAre("Error (the line is too long): '...'"));
}

// Old GUIs name the colour to move; the engine plays the other one.
TEST(CecpGames, WhiteAndBlackSetTheSideToMove) {
    CecpGame game;
    game.say("black");
    EXPECT_THAT(game.say("usermove e7e5"), Contains(StartsWith("move ")));
    EXPECT_EQ(game.thinker->position.turn(), Color::White);
    game.say_all({"new", "white"});
    EXPECT_THAT(game.say("usermove e2e4"), Contains(StartsWith("move ")));
    game.say_all({"new", "force", "black"});
    game.say("go");
    EXPECT_EQ(game.thinker->position.turn(), Color::Black);
    // A turn that would leave a king to be taken stays as it was.
    game.say_all({"force", "setboard 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "white", "go"});
    EXPECT_EQ(game.thinker->position.turn(), Color::Black);
}

TEST(CecpGames, PostShowsTheThinkingAndNopostHidesIt) {
    CecpGame game;
    game.say("post");
    EXPECT_THAT(game.say("usermove e2e4"), Contains(StartsWith("1 0 0 20 a5")));
    game.thinker->bound = engine::Bound::Lower;
    EXPECT_THAT(game.say("usermove d2d4"), Contains(testing::EndsWith(" !")));
    game.thinker->bound = engine::Bound::Upper;
    EXPECT_THAT(game.say("usermove c2c4"), Contains(testing::EndsWith(" ?")));
    game.say("nopost");
    EXPECT_THAT(game.say("usermove b2b4"), ElementsAre(StartsWith("move ")));
}

TEST(CecpGames, PonderingIsShownWithTheExpectedMoveInBrackets) {
    CecpGame game;
    game.say_all({"post", "hard"});
    EXPECT_THAT(game.say("usermove e2e4"), Contains(HasSubstr(" 20 (Ke2) b5")));
    EXPECT_THAT(game.say("ping 1"), ElementsAre("pong 1")) << "pondering keeps nobody waiting";
    const int searches = game.thinker->searches;
    game.say("memory 64");
    EXPECT_EQ(game.thinker->searches, searches + 1) << "goes on pondering";
    EXPECT_TRUE(game.thinker->last_limits.ponder);
    game.say("pause");
    EXPECT_FALSE(game.thinker->searching);
    game.say("resume");
    EXPECT_TRUE(game.thinker->last_limits.ponder && game.thinker->searching);
}

TEST(CecpGames, HintsInEveryMode) {
    CecpGame game;
    game.say("force");
    EXPECT_THAT(game.say("hint"), ElementsAre("Hint: a2a4"));
    EXPECT_EQ(game.thinker->last_limits.move_time->count(), 500);
    EXPECT_THAT(game.say_all({"analyze", "hint"}), ElementsAre("Hint: a2a4"));
    game.say_all({"exit", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"});
    EXPECT_THAT(game.say("hint"), IsEmpty()) << "no legal move, no hint";
    // A hint interrupted by a real command is forgotten.
    game.say("new");
    game.thinker->slow = true;
    game.say("hint");
    EXPECT_THAT(game.say("force"), IsEmpty());
    EXPECT_THAT(game.settle(), IsEmpty());
}

TEST(CecpGames, NeverResignsWhenToldNotTo) {
    CecpGame game;
    game.say("option Resign=0");
    game.thinker->score = engine::Score::mated_in(3);
    game.say_all({"force", "go"});
    for (const char* move :
         {"g8f6", "f6g8", "b8c6", "c6b8", "g8f6", "f6g8", "b8c6", "c6b8", "a7a6"})
        EXPECT_THAT(game.say(std::string("usermove ") + move), Not(Contains("resign")));
}

TEST(CecpGames, NoLevelBelowFullStrengthResigns) {
    for (const char* level :
         {"option Skill=Easy", "option UCI_LimitStrength=1", "option Dial=300"}) {
        CecpGame game;
        EXPECT_THAT(game.say(level), IsEmpty());
        game.thinker->score = engine::Score::mated_in(3);
        game.say_all({"force", "go"});
        for (const char* move :
             {"g8f6", "f6g8", "b8c6", "c6b8", "g8f6", "f6g8", "b8c6", "c6b8", "a7a6"})
            EXPECT_THAT(game.say(std::string("usermove ") + move), Not(Contains("resign")))
                << level;
    }
}

TEST(CecpGames, AResultEndsThinkingAndPlay) {
    CecpGame game;
    game.thinker->slow = true;
    game.say("usermove e2e4");
    EXPECT_THAT(game.say("result 1-0 {Black resigns}"), IsEmpty());
    EXPECT_FALSE(game.thinker->searching);
    EXPECT_THAT(game.settle(), IsEmpty());
    EXPECT_THAT(game.say("usermove e7e5"), IsEmpty());
    EXPECT_EQ(game.thinker->searches, 1) << "a finished game is only recorded";
}

TEST(CecpGames, OptionsWaitForTheMoveThatIsThoughtAbout) {
    CecpGame game;
    game.thinker->slow = true;
    game.say("usermove e2e4");
    game.say_all({"memory 84", "cores 2", "option Style=Very Wild", "egtpath syzygy /tb"});
    EXPECT_EQ(game.thinker->options_set, 0);
    EXPECT_THAT(game.say("?"), ElementsAre(StartsWith("move ")));
    EXPECT_EQ(game.thinker->options_set, 4);
    EXPECT_EQ(find_option(*game.thinker, "Hash")->value, "64");
    EXPECT_THAT(game.say("option UCI_LimitStrength=1"), IsEmpty());
    EXPECT_EQ(find_option(*game.thinker, "UCI_LimitStrength")->value, "true");
}

TEST(CecpGames, OptionsChangeBetweenTwoLooksOfAnAnalysis) {
    CecpGame game;
    game.say("analyze");
    const int searches = game.thinker->searches;
    game.say("cores 2");
    EXPECT_EQ(game.thinker->searches, searches + 1);
    EXPECT_TRUE(game.thinker->searching);
    EXPECT_FALSE(game.thinker->overlapping_go);
    game.say("pause");
    EXPECT_FALSE(game.thinker->searching);
    game.say("resume");
    EXPECT_TRUE(game.thinker->searching);
    game.say("new");
    EXPECT_TRUE(game.thinker->searching) << "`new` analyses the start position";
    game.say_all({"edit", "#", "Ke1", "Ra1", "", "c", "Ke8", "Pa7", "xa7", "."});
    EXPECT_EQ(to_fen(game.thinker->position).substr(0, 24), "4k3/8/8/8/8/8/8/R3K3 w Q");
    game.say("variant fischerandom");
    EXPECT_TRUE(game.thinker->searching);
}

TEST(CecpGames, ClaimsEveryKindOfDraw) {
    struct Case {
        const char* board;
        const char* move;
        const char* claim;
    };
    for (const Case& c : {
             Case{"setboard 4k3/8/8/8/8/8/8/R3K3 w - - 98 90", "usermove a1a2",
                  "1/2-1/2 {Draw by fifty-move rule}"},
             Case{"setboard 4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "usermove e1d2",
                  "1/2-1/2 {Draw by insufficient mating material}"},
         }) {
        CecpGame game;
        game.say_all({"force", c.board, "playother"});
        EXPECT_THAT(game.say(c.move), Contains(c.claim)) << c.board;
    }
}

TEST(CecpGames, ClaimsAMateItGives) {
    CecpGame game;
    game.say_all({"force", "usermove f2f3", "usermove e7e5", "usermove g2g4"});
    game.wish("d8h4",
              *parse_position("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"));
    EXPECT_THAT(game.say("go"), ElementsAre("move d8h4", "0-1 {Black mates}"));
}

TEST(CecpGames, ClaimsARepetitionAlsoAfterAPonderHit) {
    for (const char* pondering : {"easy", "hard"}) {
        CecpGame game;
        game.say(pondering);
        Lines lines;
        // Both sides take their knights out and home again.
        const char* const moves[] = {"g1f3", "f3g1", "g1f3", "f3g1"};
        const char* const answers[] = {"g8f6", "f6g8", "g8f6", "f6g8"};
        Position position;
        for (int i = 0; i < 4; ++i) {
            position.play(*parse_uci_move(position, moves[i]));
            game.wish(answers[i], position);
            lines = game.say("usermove " + std::string(moves[i]));
            EXPECT_THAT(lines, Contains("move " + std::string(answers[i])));
            position.play(game.thinker->wish);
        }
        EXPECT_EQ(lines.back(), "1/2-1/2 {Draw by repetition}") << pondering;
        // Nobody took it: the game goes on, and the old claim is not made again.
        EXPECT_THAT(game.say("usermove e2e4"), ElementsAre(StartsWith("move "))) << pondering;
    }
}

// The opponent's move, the one expected, draws: the claim comes before the answer.
TEST(CecpGames, APonderedMoveThatDrawsIsClaimed) {
    CecpGame game;
    game.say_all({"hard", "force", "setboard 4k3/8/8/8/8/8/8/R3K3 w - - 97 90", "playother"});
    game.say("usermove a1a2");
    ASSERT_TRUE(game.thinker->last_limits.ponder && game.thinker->searching);
    const Lines hint = game.say("hint");
    ASSERT_THAT(hint, ElementsAre(StartsWith("Hint: ")));
    const Lines lines = game.say("usermove " + hint.front().substr(6));
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines[0], "1/2-1/2 {Draw by fifty-move rule}");
    EXPECT_THAT(lines[1], StartsWith("move "));
}

TEST(CecpGames, OffersADrawOnceWhenNothingHappens) {
    CecpGame game;
    game.thinker->depth = 10;
    game.say_all({"force", "setboard 4k2r/8/8/8/8/8/8/R3K3 w - - 22 50", "playother"});
    Position position = *parse_position("4k2r/8/8/8/8/8/8/R3K3 w - - 22 50");
    int offers = 0;
    for (int i = 0; i < 12; ++i) {
        const char* const rook[] = {"a1a2", "a2a3", "a3a2", "a2a1"};
        position.play(*parse_uci_move(position, rook[i % 4]));
        game.wish(i % 2 == 0 ? "h8h7" : "h7h8", position);
        const Lines lines = game.say("usermove " + std::string(rook[i % 4]));
        offers += static_cast<int>(std::count(lines.begin(), lines.end(), "offer draw"));
        EXPECT_EQ(offers, i >= 7 ? 1 : 0) << i;
        position.play(game.thinker->wish);
    }
}

TEST(CecpGames, InFischerandomItCastlesWithLetters) {
    for (const auto& [move, text] : {std::pair{"e1g1", "O-O"}, std::pair{"e1c1", "O-O-O"}}) {
        CecpGame game;
        const char* const fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        game.wish(move, *parse_position(fen));
        game.say("variant fischerandom");
        game.say_all({"force", "setboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"});
        EXPECT_THAT(game.say("go"), ElementsAre("move " + std::string(text)));
        game.say("new");
        EXPECT_EQ(find_option(*game.thinker, "UCI_Chess960")->value, "false");
    }
}

TEST(CecpGames, LeavesWhileThinkingAndWhenNobodyListens) {
    CecpGame quitting, ending, unheard;
    for (CecpGame* game : {&quitting, &ending, &unheard}) {
        game->thinker->slow = true;
        game->say("usermove e2e4");
        ASSERT_TRUE(game->thinker->searching);
    }
    EXPECT_THAT(quitting.say("quit"), IsEmpty());
    EXPECT_THAT(ending.end(), IsEmpty());
    unheard.output().closed = true;
    unheard.say("ping 1");
    for (CecpGame* game : {&quitting, &ending, &unheard}) {
        EXPECT_TRUE(game->finished());
        EXPECT_FALSE(game->thinker->searching);
    }
}

TEST(CecpGames, PassesOnWhatTheEngineSaysAsAComment) {
    CecpGame game;
    game.thinker->say("no tablebases there");
    EXPECT_THAT(game.settle(), ElementsAre("# no tablebases there"));
}

}  // namespace
}  // namespace rokada::protocol::cecp
