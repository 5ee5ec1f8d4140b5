// SPDX-License-Identifier: GPL-3.0-or-later
// Every word a person can type in a terminal, and what it answers.
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "protocol/terminal/play.hpp"
#include "tests/protocol/fake_thinker.hpp"

namespace rokada::protocol {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Lines = std::vector<std::string>;

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kMated = "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

class Terminal : public TestSession<PlaySession> {
  public:
    explicit Terminal(std::optional<Color> own = Color::White) : Terminal(settings_for(own)) {}
    explicit Terminal(PlaySettings settings) : TestSession(House{"Rokada", "9", "", {}}, settings) {
        session().begin();
        settle();
    }
    static PlaySettings settings_for(std::optional<Color> own) {
        PlaySettings settings;
        settings.own = own;
        return settings;
    }
    // All of the answer as one text, the prompt included.
    std::string ask(std::string_view line) {
        std::string text;
        for (const std::string& answer : say(line)) text += answer + '\n';
        return text + prompt();
    }
    void play(std::initializer_list<const char*> moves) {
        for (const char* move : moves) say(move);
    }
};

TEST(TerminalCommands, EveryCommandSaysItsOneThing) {
    struct Case {
        const char* line;
        const char* answer;
    };
    for (const Case& c : {
             Case{"", ""},
             Case{"# a remark in a script", ""},
             Case{"moves e2", "e4 e3"},
             Case{"moves e5", "No legal moves."},
             Case{"moves z9", "'z9' is no square."},
             Case{"moves everything", "'everything' is no square."},
             Case{"record", "No moves yet."},
             Case{"fen", kStart},
             Case{"fen 8/8", "That is no legal position: "},
             Case{"undo", "There is nothing to take back."},
             Case{"undo 0", "`undo N` needs a number of plies."},
             Case{"undo two", "`undo N` needs a number of plies."},
             Case{"new 960", "`new N` with N from 0 to 959"},
             Case{"new green", "`new N` with N from 0 to 959"},
             Case{"search 0", "`search` needs seconds."},
             Case{"search long", "`search` needs seconds."},
             Case{"hint", "Hint: "},
             Case{"perft 13", "`perft` needs a depth from 0 to 12."},
             Case{"time 0", "`time` needs seconds."},
             Case{"time 2.5", "The engine thinks 2.5 s for a move."},
             Case{"clock 0", "`clock MINUTES+SECONDS`"},
             Case{"clock 5+x", "`clock MINUTES+SECONDS`"},
             Case{"clock 10001", "`clock MINUTES+SECONDS`"},
             Case{"clock 5+3", "5 minutes and 3 seconds per move for each side."},
             Case{"clock 0.5", "0.5 minutes and 0 seconds per move for each side."},
             Case{"clock off", "No clock."},
             Case{"level", "The engine plays at level Full."},
             Case{"level weak", "Skill has no such choice"},
             Case{"level 5000", "UCI_Elo is out of range"},
             Case{"set", "`set NAME VALUE`; `options` shows the names."},
             Case{"set Nothing 3", "`set NAME VALUE`; `options` shows the names."},
             Case{"set Hash lots", "Hash is out of range"},
             Case{"set hash 32", "Hash is 32."},
             Case{"set Clear Hash", "Clear Hash is done."},
             Case{"symbols runes", "`symbols unicode` or `symbols ascii`."},
             Case{"save", "`save` needs a file name."},
             Case{"save /nowhere/at/all.pgn", "Cannot write '/nowhere/at/all.pgn'."},
             Case{"load", "`load` needs a file name."},
             Case{"load /nowhere/at/all.pgn", "Cannot read '/nowhere/at/all.pgn'."},
             Case{"hands", "You move both sides; `go` brings the engine back."},
             Case{"now", "The engine is not thinking."},
             Case{"draw", "The engine declines."},
             Case{"Ke2", "'Ke2': "},
             Case{"e2-e5", "'e2-e5': "},
             Case{"abracadabra", "'abracadabra' is no move and no command; try `help`."},
         }) {
        Terminal terminal;
        const std::string answer = terminal.ask(c.line);
        if (*c.answer == '\0')
            EXPECT_EQ(answer, "") << c.line;
        else
            EXPECT_THAT(answer, HasSubstr(c.answer)) << c.line;
        EXPECT_FALSE(terminal.finished()) << c.line;
        EXPECT_THAT(terminal.ask("fen"), StartsWith(kStart)) << c.line << " changed the game";
    }
}

TEST(TerminalCommands, HelpNamesEveryCommand) {
    Terminal terminal;
    const std::string help = terminal.ask("help");
    for (const char* word :
         {"new",  "undo",  "hint",    "search", "eval",   "level", "clock",   "time",
          "go",   "hands", "now",     "draw",   "resign", "flip",  "symbols", "fen",
          "save", "load",  "options", "set",    "perft",  "quit"})
        EXPECT_THAT(help, HasSubstr("\n  " + std::string(word) + ' ')) << word;
}

TEST(TerminalCommands, OptionsShowsWhatSetCanChange) {
    Terminal terminal;
    terminal.say("set Hash 64");
    const std::string options = terminal.ask("options");
    EXPECT_THAT(options, testing::ContainsRegex("Hash +64"));
    EXPECT_THAT(options, testing::ContainsRegex("SyzygyPath +-"));
    EXPECT_THAT(options, Not(HasSubstr("Clear Hash"))) << "a button has no value";
}

TEST(TerminalCommands, MovesOfOnePieceAreShownInItsNotation) {
    Terminal terminal(std::nullopt);
    EXPECT_EQ(terminal.ask("moves g1"), "Nf3 Nh3\n");
    const std::string all = terminal.ask("moves");
    EXPECT_EQ(std::count(all.begin(), all.end(), ' '), 19) << all;
    terminal.say(kMated);
    EXPECT_EQ(terminal.ask("moves"), "No legal moves.\n");
    EXPECT_EQ(terminal.ask("hint"), "No legal moves.\n");
    EXPECT_EQ(terminal.ask("search 1"), "No legal moves.\n");
}

TEST(TerminalCommands, AMateOnTheBoardIsAnnounced) {
    Terminal terminal(std::nullopt);
    EXPECT_THAT(terminal.ask(kMated), HasSubstr("1-0  White wins: checkmate"));
    EXPECT_EQ(terminal.ask("go"), "The game is over.\n");
    EXPECT_EQ(terminal.ask("draw"), "The game is over.\n");
    EXPECT_EQ(terminal.ask("resign"), "The game is over.\n");
}

TEST(TerminalCommands, CheckIsSaidBelowTheBoard) {
    Terminal terminal(std::nullopt);
    EXPECT_THAT(terminal.say("fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), Contains("Check."));
    EXPECT_THAT(terminal.say("fen 4k3/8/8/8/8/8/3R4/4K3 b - - 0 1"), Not(Contains("Check.")));
}

TEST(TerminalCommands, NewTakesAColourOrAChess960Number) {
    Terminal terminal;
    terminal.say("new black");
    EXPECT_EQ(terminal.thinker->searches, 1) << "the engine has White";
    EXPECT_THAT(terminal.say("board"), Contains(HasSubstr("h g f e d c b a")));
    terminal.say("new white");
    EXPECT_THAT(terminal.ask("fen"), StartsWith(kStart));
    EXPECT_THAT(terminal.say("board"), Contains(HasSubstr("a b c d e f g h")));
    terminal.say("new 0");
    EXPECT_THAT(terminal.ask("fen"), StartsWith("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w "));
    EXPECT_EQ(find_option(*terminal.thinker, "UCI_Chess960")->value, "true");
    terminal.say("new");
    EXPECT_THAT(terminal.ask("fen"), StartsWith(kStart));
}

TEST(TerminalCommands, UndoGoesBackAsFarAsAsked) {
    Terminal terminal;
    terminal.play({"e4", "d4"});
    terminal.say("undo 3");
    EXPECT_THAT(terminal.ask("record"), StartsWith("1. e4\n"));
    EXPECT_EQ(terminal.ask("go"), "1... a5\n") << "the engine plays the side to move again";
    EXPECT_THAT(terminal.ask("undo 99"), HasSubstr("a b c"));
    EXPECT_EQ(terminal.ask("record"), "No moves yet.\n");

    // Where the engine would be to move, the person takes over.
    Terminal other(Color::Black);
    EXPECT_THAT(other.ask("undo 1"), HasSubstr("You have the move now"));
    EXPECT_THAT(other.say("e4"), ElementsAre("1. e4", StartsWith("1... ")));

    Terminal hands(std::nullopt);
    hands.play({"e4", "e5"});
    hands.say("undo");
    EXPECT_EQ(hands.ask("record"), "1. e4\n") << "one ply, when both sides are moved by hand";
}

TEST(TerminalCommands, UndoBringsAnEndedGameBack) {
    Terminal terminal(std::nullopt);
    terminal.play({"f3", "e5", "g4", "Qh4#"});
    EXPECT_THAT(terminal.ask("Nf3"), Not(HasSubstr("over"))) << "no legal move any more";
    terminal.say("undo");
    EXPECT_EQ(terminal.ask("d6"), "2... d6\n");
}

TEST(TerminalCommands, HintAndSearchShowWithoutMoving) {
    Terminal terminal;
    terminal.thinker->score = engine::Score::centipawns(-125);
    EXPECT_EQ(terminal.ask("hint"), "Hint: a4  -1.25\n");
    EXPECT_EQ(terminal.thinker->last_limits.move_time->count(), 500);
    terminal.thinker->score = engine::Score::mate_in(4);
    terminal.thinker->depth = 12;
    EXPECT_THAT(terminal.say("search 0.25"),
                ElementsAre(AllOf(StartsWith(" 12  mate in 4 "), EndsWith("20  a4")),
                            "Best: a4  mate in 4"));
    EXPECT_EQ(terminal.thinker->last_limits.move_time->count(), 250);
    terminal.say("search");
    EXPECT_EQ(terminal.thinker->last_limits.move_time->count(), 3000);
    EXPECT_THAT(terminal.ask("fen"), StartsWith(kStart));
}

TEST(TerminalCommands, LevelIsAWordOrARating) {
    Terminal terminal;
    EXPECT_EQ(terminal.ask("level 1200"), "The engine plays at level 1200.\n");
    EXPECT_EQ(find_option(*terminal.thinker, "UCI_Elo")->value, "1200");
    EXPECT_EQ(find_option(*terminal.thinker, "UCI_LimitStrength")->value, "true");
    EXPECT_EQ(terminal.ask("level easy"), "The engine plays at level easy.\n");
    EXPECT_EQ(find_option(*terminal.thinker, "UCI_LimitStrength")->value, "false")
        << "a rating set before must not count any more";
    terminal.say("level 9");
    EXPECT_EQ(terminal.ask("level"), "The engine plays at level easy.\n");
}

TEST(TerminalCommands, TheBoardTurnsAndChangesItsSymbols) {
    Terminal terminal;
    EXPECT_THAT(terminal.ask("flip"), HasSubstr(" 1  R N B K Q B N R\n"));
    EXPECT_THAT(terminal.ask("flip"), HasSubstr(" 1  R N B Q K B N R\n"));
    EXPECT_THAT(terminal.ask("symbols unicode"), HasSubstr(" 1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n"));
    EXPECT_THAT(terminal.ask("symbols ascii"), HasSubstr(" 1  R N B Q K B N R\n"));
}

TEST(TerminalCommands, EvalEndsWithTheSum) {
    Terminal terminal(std::nullopt);
    terminal.say("fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
    const std::string text = terminal.ask("eval");
    EXPECT_THAT(text, HasSubstr("material"));
    EXPECT_THAT(text, testing::ContainsRegex("Evaluation: \\+[0-9]+\\.[0-9]+ pawns"));
}

TEST(TerminalCommands, ADrawIsClaimedAgreedOrDeclined) {
    Terminal claims(std::nullopt);
    claims.play({"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"});
    EXPECT_EQ(claims.ask("draw"), "1/2-1/2  Draw: threefold repetition\n");
    Terminal agrees(std::nullopt);
    EXPECT_EQ(agrees.ask("draw"), "1/2-1/2  Draw: agreement\n");
    Terminal engine;
    EXPECT_EQ(engine.ask("draw"), "The engine declines.\n");
    engine.thinker->score = engine::Score::centipawns(-300);
    engine.thinker->depth = 10;
    engine.say("e4");
    EXPECT_EQ(engine.ask("draw"), "1/2-1/2  Draw: agreement\n");
}

TEST(TerminalCommands, ResigningAloneIsForTheSideToMove) {
    Terminal hands(std::nullopt);
    hands.say("e4");
    EXPECT_EQ(hands.ask("resign"), "1-0  White wins: resignation\n");
    Terminal black(Color::Black);
    EXPECT_EQ(black.ask("resign"), "1-0  White wins: resignation\n");
}

TEST(TerminalCommands, TheEngineRestsAndComesBack) {
    Terminal terminal;
    terminal.say("hands");
    EXPECT_THAT(terminal.say("e4"), ElementsAre("1. e4"));
    EXPECT_EQ(terminal.thinker->searches, 0);
    EXPECT_THAT(terminal.say("go"), ElementsAre(StartsWith("1... ")));
    EXPECT_THAT(terminal.say("d4"), ElementsAre("2. d4", StartsWith("2... ")));
}

class LoadedFile : public testing::Test {
  protected:
    LoadedFile()
        : path_(testing::TempDir() + "rokada_terminal_" + std::to_string(::getpid()) + ".pgn") {}
    ~LoadedFile() override { std::remove(path_.c_str()); }
    std::string load(const std::string& text) {
        std::ofstream(path_) << text;
        return terminal_.ask("load " + path_);
    }
    std::string path_;
    Terminal terminal_;
};

TEST_F(LoadedFile, SaysWhatIsWrongAndKeepsTheGame) {
    terminal_.say("e4");
    EXPECT_EQ(load(""), "There is no game in that file.\n");
    EXPECT_THAT(load("[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n"),
                StartsWith("That game cannot be read: "));
    EXPECT_THAT(load("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n"),
                StartsWith("That game cannot be "));
    EXPECT_THAT(terminal_.ask("record"), StartsWith("1. e4 "));
}

TEST_F(LoadedFile, GoesOnWithThePersonToMove) {
    load("[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n");
    EXPECT_EQ(terminal_.ask("record"), "1. e4 e5 2. Nf3\n");
    EXPECT_THAT(terminal_.say("Nc6"), ElementsAre("2... Nc6", StartsWith("3. ")));
}

TEST_F(LoadedFile, SavedGamesNameThePlayersAndBlackFirstMoves) {
    terminal_.say("level 1200");
    terminal_.say("fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 7");
    EXPECT_THAT(terminal_.ask("record"), StartsWith("7... "));
    EXPECT_EQ(terminal_.ask("save " + path_), "Saved to " + path_ + ".\n");
    std::stringstream saved;
    saved << std::ifstream(path_).rdbuf();
    EXPECT_THAT(saved.str(), HasSubstr("[White \"Player\"]\n[Black \"Rokada 9 (1200)\"]"));
    EXPECT_THAT(saved.str(),
                testing::ContainsRegex("\\[Date \"20[0-9][0-9]\\.[01][0-9]\\.[0-3][0-9]\"\\]"));
}

TEST(TerminalCommands, QuitLeavesWhileTheEngineThinks) {
    PlaySettings settings = Terminal::settings_for(Color::White);
    settings.interactive = true;
    Terminal terminal(settings);
    terminal.thinker->slow = true;
    terminal.say("e4");
    ASSERT_TRUE(terminal.thinker->searching);
    EXPECT_THAT(terminal.say("board"), IsEmpty()) << "waits for the engine's move";
    EXPECT_FALSE(terminal.finished());
    terminal.say("quit");
    EXPECT_TRUE(terminal.finished());
    EXPECT_FALSE(terminal.thinker->searching);
}

}  // namespace
}  // namespace rokada::protocol
