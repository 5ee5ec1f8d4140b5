// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_reader.hpp"

#include <string>

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "tests/chess/shared_data.hpp"
#include "tests/chess/small_bites.hpp"

namespace rokada {
namespace {

// Writes down every event in one line of text, problems as `severity line:column message`.
class Recorder final : public PgnVisitor {
  public:
    std::string events, problems;
    int games = 0, broken = 0, repaired = 0;

    void begin_game(std::uint64_t offset) override {
        ++games;
        events += "<" + std::to_string(offset);
    }
    void tag(std::string_view name, std::string_view value) override {
        events += " [" + std::string(name) + '=' + std::string(value) + ']';
    }
    void begin_moves(const Position& start) override {
        if (start != Position()) events += " from " + to_fen(start);
        events += " |";
    }
    void move(const Position& before, Move move) override {
        events += ' ' + (move.none() ? "--" : to_san(before, move));
    }
    void nag(int number) override { events += " $" + std::to_string(number); }
    void comment(std::string_view text) override { events += " {" + std::string(text) + '}'; }
    void begin_variation() override { events += " ("; }
    void end_variation() override { events += " )"; }
    void end_game(PgnResult result) override {
        events += ' ' + std::string(to_string(result)) + ">\n";
    }
    void problem(const PgnProblem& problem) override {
        broken += problem.severity == PgnSeverity::Broken;
        repaired += problem.severity == PgnSeverity::Repaired;
        problems += std::string(to_string(problem.severity)) + ' ' +
                    std::to_string(problem.where.line) + ':' +
                    std::to_string(problem.where.column) + ' ' + problem.message + '\n';
    }
};

struct Told {
    std::string events, problems;
};

Told read(std::string_view text, PgnLimits limits = {}) {
    Told told;
    // The answer must not depend on how the bytes arrive.
    for (const std::size_t bite : {text.size() + 1, std::size_t{1}, std::size_t{13}}) {
        testing_support::SmallBites source(text, bite);
        PgnReader reader(source, limits);
        Recorder recorder;
        while (reader.read_game(recorder)) {
        }
        EXPECT_EQ(reader.games(), static_cast<std::uint64_t>(recorder.games));
        EXPECT_EQ(reader.offset(), text.size());
        if (bite > text.size()) {
            told = {recorder.events, recorder.problems};
        } else {
            EXPECT_EQ(recorder.events, told.events);
            EXPECT_EQ(recorder.problems, told.problems);
        }
    }
    return told;
}

void expect_clean(std::string_view text, std::string_view events) {
    const Told told = read(text);
    EXPECT_EQ(told.events, events);
    EXPECT_EQ(told.problems, "");
}

TEST(PgnReading, TellsTagsMovesAndResult) {
    expect_clean("[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5 2. Nf3 1-0\n",
                 "<0 [Event=A] [White=B] | e4 e5 Nf3 1-0>\n");
    expect_clean("1.e4 e5 2.Nf3 1/2-1/2", "<0 | e4 e5 Nf3 1/2-1/2>\n");
    expect_clean("e4 e5 0-1", "<0 | e4 e5 0-1>\n");
    expect_clean("*", "<0 | *>\n");
    expect_clean("", "");
    expect_clean(" \r\n\t\n", "");
    expect_clean("1. e4 1... e5 2 . Nf3 2. ... Nc6 1/2", "<0 | e4 e5 Nf3 Nc6 1/2-1/2>\n");
    expect_clean("1. e4\re5\v2. Nf3\f*", "<0 | e4 e5 Nf3 *>\n");
    expect_clean("[Event \"A\"]\r\n[Site \"B\"]\r\n\r\n1. e4\r\n% x\r\ne5 *\r\n",
                 "<0 [Event=A] [Site=B] | e4 e5 *>\n");
}

TEST(PgnReading, TellsSeveralGames) {
    expect_clean("[Event \"A\"]\n\n1. e4 1-0\n\n[Event \"B\"]\n\n1. d4 0-1\n1. c4 *\n",
                 "<0 [Event=A] | e4 1-0>\n<24 [Event=B] | d4 0-1>\n<47 | c4 *>\n");
    // With marks of the byte order where files were joined.
    expect_clean("\xEF\xBB\xBF[Event \"A\"] *\n\xEF\xBB\xBF[Event \"B\"] *",
                 "<3 [Event=A] | *>\n<20 [Event=B] | *>\n");
}

TEST(PgnReading, FindsTheNextGameWithoutAResult) {
    const Told told = read(
        "[Event \"A\"]\n\n1. e4\n\n[Event \"B\"]\n\n[Event \"C\"]\n[Site \"x\"]\n\n"
        "[Round \"y\"]\n\n[Site \"z\"]\n1. d4 d5 2. c4\n\n1. c4 c5");
    EXPECT_EQ(told.events,
              "<0 [Event=A] | e4 *>\n<20 [Event=B] | *>\n<33 [Event=C] [Site=x] [Round=y] | *>\n"
              "<70 [Site=z] | d4 d5 c4 *>\n<97 | c4 c5 *>\n");
    EXPECT_EQ(told.problems,
              "note 5:1 the game has no result\nnote 7:1 the game has no result\n"
              "note 12:1 the game has no result\nnote 15:1 the game has no result\n"
              "note 15:9 the game has no result\n");
}

TEST(PgnReading, TakesAMissingResultFromItsTag) {
    EXPECT_EQ(read("[Result \"0-1\"]\n\n1. e4").events, "<0 [Result=0-1] | e4 0-1>\n");
    EXPECT_EQ(read("[Result \"0-1\"]\n\n1. e4 1-0").problems,
              "note 3:7 the result 1-0 contradicts its tag\n");
}

TEST(PgnReading, TagsKeepTheirEscapes) {
    expect_clean(
        R"([A "b\""] [B "\\"] [C "A]]"] [D "A]]["] [E "\"A]][\""] [F "\"A]][\"\\"] [G "\"]"] *)",
        R"(<0 [A=b"] [B=\] [C=A]]] [D=A]][] [E="A]]["] [F="A]]["\] [G="]] | *>)"
        "\n");
    expect_clean("  [ A  \"b\"  ]   [C\"d\"][E \"\"] 1. e4 *", "<2 [A=b] [C=d] [E=] | e4 *>\n");
    expect_clean("[A \"back\\slash\"] *", "<0 [A=back\\slash] | *>\n");
}

struct Mistake {
    const char* text;
    const char* tag;  // what is made of it; empty: dropped
    const char* problem;
};

class BrokenTag : public testing::TestWithParam<Mistake> {};

TEST_P(BrokenTag, IsRepairedAndReported) {
    const Mistake& mistake = GetParam();
    const Told told = read(std::string("[X \"1\"]\n") + mistake.text + "\n[Y \"2\"]\n\n1. e4 *\n");
    const std::string tag = *mistake.tag == '\0' ? "" : std::string(" [") + mistake.tag + ']';
    EXPECT_EQ(told.events, "<0 [X=1]" + tag + " [Y=2] | e4 *>\n");
    EXPECT_EQ(told.problems, std::string("repaired ") + mistake.problem + '\n');
}

INSTANTIATE_TEST_SUITE_P(
    Tags, BrokenTag,
    testing::Values(
        Mistake{"[A \"Cup \\\"]", "A=Cup \\", "2:10 the value ends with an escaped quotation mark"},
        Mistake{"[A \"the \"old\" cup\"]", "A=the \"old\" cup",
                "2:9 a quotation mark within the value is not escaped"},
        Mistake{"[A \"Club \"x\"\"]", "A=Club \"x\"",
                "2:10 a quotation mark within the value is not escaped"},
        Mistake{"[A \"open]", "A=open", "2:4 the value is not closed by a quotation mark"},
        Mistake{"[A \"open", "A=open", "2:4 the value is not closed by a quotation mark"},
        Mistake{"[A \"b\"", "A=b", "2:7 the tag is not closed by a bracket"},
        Mistake{"[A b]", "", "2:4 the tag has no value in quotation marks"},
        Mistake{"[A]", "", "2:3 the tag has no value in quotation marks"},
        Mistake{"[A", "", "2:3 the tag has no value in quotation marks"},
        Mistake{"[]", "", "2:2 the tag has no name"},
        Mistake{"[\"b\"]", "", "2:2 the tag has no name"}));

TEST(PgnReading, StartsFromTheFen) {
    expect_clean(
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *",
        "<0 [FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 0 7] from 4k3/8/8/8/8/8/4P3/4K3 b - - 0 7 | Kd7 "
        "e4 *>\n");
    const Told bad = read(
        "[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2 w - - 0 1\"]\n[Site \"B\"]\n\n"
        "1. e4 *\n\n[Event \"C\"] *");
    EXPECT_EQ(bad.events,
              "<0 [Event=A] [FEN=4k3/8/8/8/8/8/4P3/4K2 w - - 0 1] *>\n<73 [Event=C] | *>\n");
    EXPECT_EQ(bad.problems, "broken 2:28 the FEN is wrong: the board ends before h1\n");
}

TEST(PgnReading, KnowsTheNamesOfChess960AndRefusesOtherRules) {
    for (const char* name : {"Chess960", "Fischerandom", "Fischer Random", "chess 960", "Standard",
                             "From Position", ""})
        EXPECT_EQ(read("[Variant \"" + std::string(name) + "\"] 1. e4 *").problems, "") << name;
    EXPECT_EQ(read("[Variant \"Crazyhouse\"] 1. e4 *").problems,
              "broken 1:11 the rules of 'Crazyhouse' are not known\n");
    expect_clean(
        "[Variant \"Chess960\"]\n[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 "
        "1\"]\n\n1. Ng3 Ng6 2. O-O O-O *",
        "<0 [Variant=Chess960] [FEN=nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1] from "
        "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1 | Ng3 Ng6 O-O O-O *>\n");
}

TEST(PgnReading, TellsCommentsOfEveryKind) {
    expect_clean("{a} 1. e4 {b\nc} ; d } e\ne5 {} 1-0 {f} ; g\n",
                 "<0 | {a} e4 {b\nc} { d } e} e5 {} {f} { g} 1-0>\n");
    // Comments before the tags are told with the moves, escaped lines never.
    expect_clean(
        "% hidden\n; first\n{second}\n[Event \"A\"]\n% hidden [Site \"x\"]\n1. e4\n%hidden d5\ne5 "
        "*",
        "<9 [Event=A] | { first\nsecond} e4 e5 *>\n");
    expect_clean("1. e4 {[%clk 0:00:01] {nested} 1-0", "<0 | e4 {[%clk 0:00:01] {nested} 1-0>\n");
}

TEST(PgnReading, TellsAnnotations) {
    expect_clean("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! $139 4. Ba4 $0 $255 Nf6!!! *",
                 "<0 | e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 $139 Ba4 $0 $255 Nf6 $3 *>\n");
    expect_clean("1. e4 ! e5 = 2. Nf3 +/- Nc6 -+ 3. Bb5 N a6 + 4. Ba4 # *",
                 "<0 | e4 $1 e5 $10 Nf3 $16 Nc6 $19 Bb5 $146 a6 Ba4 *>\n");
    EXPECT_EQ(read("1. e4 $ e5 $256 $99999999999999999999 *").problems,
              "repaired 1:7 '$' is not followed by a number\n"
              "repaired 1:12 a numeric annotation is at most 255\n"
              "repaired 1:17 a numeric annotation is at most 255\n");
}

TEST(PgnReading, TellsNestedVariations) {
    expect_clean("1. e4 (1. d4 d5 (1... Nf6 {x} 2. c4) 2. c4) (1. c4) 1... e5 2. Nf3 *",
                 "<0 | e4 ( d4 d5 ( Nf6 {x} c4 ) c4 ) ( c4 ) e5 Nf3 *>\n");
    // A result inside says nothing about the game; an empty variation is nothing.
    expect_clean("1. e4 (1. d4 1-0) () 1... e5 0-1", "<0 | e4 ( d4 ) ( ) e5 0-1>\n");
}

TEST(PgnReading, TakesNullMoves) {
    expect_clean("1. e4 -- 2. d4 Z0 3. c4 *", "<0 | e4 -- d4 -- c4 *>\n");
    EXPECT_EQ(read("1. e4 d5 2. Bb5+ -- *").problems,
              "broken 1:18 a null move is not possible in check\n");
}

TEST(PgnReading, TakesTheSpellingsOfSan) {
    expect_clean(
        "1. e2e4 d7-d5 2. e4xd5 e7e5 3. dxe6e.p. a6 4. exf7+ Ke7 5. fxg8Q Rxg8 6. Bb5 c6 *",
        "<0 | e4 d5 exd5 e5 dxe6 a6 exf7+ Ke7 fxg8=Q Rxg8 Bb5 c6 *>\n");
    expect_clean("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 5. d4 d5 6. c4 dxc4 e.p. *",
                 "<0 | Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O d4 d5 c4 dxc4 *>\n");
}

struct Breakage {
    const char* text;
    const char* problem;
};

class BrokenGame : public testing::TestWithParam<Breakage> {};

TEST_P(BrokenGame, IsReportedAndTheOthersAreRead) {
    const std::string before = "[Event \"before\"]\n\n1. c4 c5 1-0\n\n";
    const std::string after = "\n\n[Event \"after\"]\n\n1. d4 {x} d5 0-1\n";
    const Told told = read(before + GetParam().text + after);
    EXPECT_EQ(told.problems, std::string("broken ") + GetParam().problem + '\n');
    EXPECT_EQ(told.events.find("<0 [Event=before] | c4 c5 1-0>\n"), 0u);
    EXPECT_NE(told.events.find(" [Event=after] | d4 {x} d5 0-1>\n"), std::string::npos)
        << told.events;
    EXPECT_EQ(std::count(told.events.begin(), told.events.end(), '<'), 3) << told.events;
}

INSTANTIATE_TEST_SUITE_P(
    Games, BrokenGame,
    testing::Values(
        Breakage{"1. e4 e5 2. Nf6 Nc6 1-0",
                 "5:13 'Nf6' is illegal: no knight of White can reach f6"},
        Breakage{"1. e4 e5 2. Nfx", "5:16 'Nfx' ends before the square to move to"},
        Breakage{"1. e4 e5\n2. N\xC3\xA9 Nc6 *",
                 "6:5 '\\xc3' does not belong in the move 'N\\xc3\\xa9'"},
        Breakage{"1. e4 e5 } 2. Nf3 *", "5:10 '}' closes no comment"},
        Breakage{"1. e4 e5) 2. Nf3 *", "5:9 ')' closes no variation"},
        Breakage{"(1. e4) 1. e5 *", "5:1 a variation needs a move to replace"},
        Breakage{"1. e4 ((1. d4)) *", "5:8 a variation needs a move to replace"},
        Breakage{"1. e4 (1. d4 d5 (1... e5) 1-0",
                 "7:1 a variation is not closed before the end of the game"},
        Breakage{"1. e4 (1. d4 d5 2. Ke4 (2. Kd2) 1-0) 2. Nc3 1-0",
                 "5:20 'Ke4' is illegal: no king of White can reach e4"},
        Breakage{"1. e4 {never closed 1-0", "5:7 the comment is not closed before the next game"},
        Breakage{"1. e4 1-0 {never closed", "5:11 the comment is not closed before the next game"},
        Breakage{"1. e4 & e5 *", "5:7 '&' does not belong between the moves"},
        Breakage{"1. e4 [%clk 0:00:01] e5 *", "5:7 '[' does not belong between the moves"},
        Breakage{"1. e4 % e5 *", "5:7 '%' does not belong between the moves"},
        Breakage{"Dear reader, these are my games.", "5:1 'D' does not belong in the move 'Dear'"},
        Breakage{"[Event \"x\"]\n[FEN \"nonsense\"]\n[Site \"y\"]\n\n1. e4 1-0",
                 "6:8 the FEN is wrong: 'o' is no piece, digit or '/'"},
        Breakage{"[Event \"x\"]\n[Variant \"Antichess\"]\n\n1. e3 e6 2. Kd8 1-0",
                 "6:11 the rules of 'Antichess' are not known"}));

TEST(PgnReading, FindsTheNextGameWithoutTagsAfterABrokenOne) {
    const Told told = read("1. e4 Ke4 2. d4 (2. d3 1-0) 1-0\n1. d4 d5 *\n");
    EXPECT_EQ(told.events, "<0 | e4 1-0>\n<32 | d4 d5 *>\n");
}

TEST(PgnReading, CommentNeverClosedAtTheEndIsReportedWhereItBegins) {
    const Told told = read("1. e4 e5 { 1-0 and more (text) 0-1");
    EXPECT_EQ(told.events, "<0 | e4 e5 *>\n");
    EXPECT_EQ(told.problems, "broken 1:10 the comment is not closed\n");
}

TEST(PgnReading, NullBytesAndControlsAreMistakes) {
    EXPECT_EQ(read(std::string_view("1. e4 \0 e5", 10)).problems,
              "broken 1:7 '\\x00' does not belong between the moves\n");
    EXPECT_EQ(read("1. e4 \x01").problems,
              "broken 1:7 '\\x01' does not belong between the moves\n");
}

TEST(PgnReading, KeepsToItsLimits) {
    PgnLimits limits;
    limits.nesting = 2;
    limits.text = 100;
    EXPECT_EQ(read("1. e4 (1. d4 (1. c4)) *", limits).problems, "");
    EXPECT_EQ(read("1. e4 (1. d4 (1. c4 (1. b4))) *", limits).problems,
              "broken 1:21 more than 2 variations are nested\n");
    const std::string longest(98, 'x'), too_long(100, 'x');
    EXPECT_EQ(read("1. e4 {" + longest + "} *", limits).problems, "");
    EXPECT_EQ(read("1. e4 {" + too_long + "} * \n[Event \"B\"] *", limits).problems,
              "broken 1:7 the comment is too long\n");
    EXPECT_EQ(read("1. e4 ;" + too_long + "\n *", limits).problems,
              "broken 1:7 the comment is too long\n");
    EXPECT_EQ(read("[A \"" + too_long + "\"]\n1. e4 *", limits).problems,
              "broken 1:1 the line of tags is too long\n");
    EXPECT_EQ(read("%" + too_long + too_long + "\n1. e4 *", limits).problems, "");
    EXPECT_EQ(read("1. " + std::string(300, 'e') + " *").problems,
              "broken 1:4 the word is too long\n");
}

// Patterns that would take forever if anything were searched twice.
TEST(PgnReading, HostileTextTakesLinearTime) {
    const auto repeat = [](std::string_view piece, std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) text += piece;
        return text;
    };
    for (const char* piece : {"{",
                              "[",
                              "[A \"\"]",
                              "[A \"\"]{",
                              "{\n[Event \"\"]",
                              "(",
                              "1. e4 (",
                              ";",
                              "[A \"",
                              "[A",
                              "1.",
                              " ",
                              "\n",
                              "e",
                              "$",
                              "*",
                              "\\",
                              "\"",
                              "{}",
                              "[Event \"\"]{\n",
                              "1. e4 {} {} ",
                              "%",
                              "%\n",
                              "-",
                              "=",
                              "1",
                              "1-",
                              "1/",
                              "\xEF\xBB\xBF",
                              "1-0 {"}) {
        const std::string text = repeat(piece, 2 << 20);
        StringSource source(text);
        PgnReader reader(source);
        class Counting final : public PgnVisitor {
        } visitor;
        const auto begin = std::chrono::steady_clock::now();
        while (reader.read_game(visitor)) {
        }
        const auto time = std::chrono::steady_clock::now() - begin;
        EXPECT_LT(time, std::chrono::seconds(20)) << piece;
        EXPECT_EQ(reader.offset(), text.size()) << piece;
    }
}

TEST(PgnReading, VisitorMaySkipAndRefuse) {
    class Picky final : public PgnVisitor {
      public:
        std::string events;
        void tag(std::string_view, std::string_view value) override {
            events += std::string(value) + ' ';
            if (value == "skip") skip_game();
        }
        void begin_moves(const Position&) override { events += "| "; }
        void move(const Position& before, Move move) override {
            events += to_san(before, move) + ' ';
            if (move == Move(Square::A2, Square::A3)) refuse_game("no a3 here");
        }
        void begin_variation() override { skip_variation(); }
        void end_variation() override { events += ") "; }
        void end_game(PgnResult result) override {
            events += std::string(to_string(result)) + '\n';
        }
        void problem(const PgnProblem& problem) override { events += '<' + problem.message + "> "; }
    } picky;
    StringSource source(
        "[Event \"skip\"]\n[Site \"x\"]\n1. e4 Ke4 (1. z) 1-0\n"
        "[Event \"b\"] 1. e4 (1. Ke5 (1. x) 0-1) (1. d4) e5 0-1\n"
        "[Event \"c\"] 1. a3 a6 2. b3 1/2-1/2");
    PgnReader reader(source);
    while (reader.read_game(picky)) {
    }
    EXPECT_EQ(picky.events, "skip 1-0\nb | e4 ) ) e5 0-1\nc | a3 <no a3 here> 1/2-1/2\n");
}

struct FileFacts {
    const char* name;
    int games, broken, repaired;
};

// Of the files known to be broken, the first place that is wrong.
TEST(PgnReading, BrokenFilesGiveAPlaceAndTheirOtherGames) {
    const auto folder = testing_support::shared_data("pgn");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    const FileFacts facts[] = {
        {"chess-library/backslash_header.pgn", 1, 0, 1},
        {"chess-library/unescaped_quote_header.pgn", 1, 0, 4},
        {"chess-library/black2move.pgn", 1, 1, 0},
        {"chess-library/corrupted.pgn", 1, 1, 0},
        {"chess-library/empty_body.pgn", 2, 0, 0},
        {"chess-library/no_moves_but_game_termination_multiple_2.pgn", 3, 0, 0},
        {"chess-library/multiple.pgn", 4, 0, 0},
        {"chess-library/non_ascii.pgn", 1, 0, 0},
        {"chess-library/square_bracket_in_header.pgn", 1, 0, 0},
        {"chess-library/variations.pgn", 1, 0, 0},
        {"chesslib/cct131.pgn", 3, 0, 0},
        {"chesslib/rav_alternative.pgn", 1, 0, 0},
        {"chessops/headers-and-moves-on-the-same-line.pgn", 3, 3, 0},
        {"chessops/leading-whitespace.pgn", 4, 0, 0},
        {"chessops/pathological-headers.pgn", 1, 0, 0},
        {"python-chess/antichess-programfox.pgn", 2, 2, 0},
        {"python-chess/anastasian-lewis.pgn", 1, 0, 0},
        {"python-chess/chessbase-empty-line.pgn", 1, 0, 0},
        {"python-chess/cutechess-fischerrandom.pgn", 4, 0, 0},
        {"python-chess/kasparov-deep-blue-1997.pgn", 6, 0, 0},
        {"python-chess/uci-moves.pgn", 1, 0, 0},
        {"python-chess/utf8-bom.pgn", 2, 0, 0},
        {"lichess_db_1000k.pgn", 438, 0, 0},
    };
    for (const FileFacts& file : facts) {
        const std::string text = testing_support::read_file(folder / file.name);
        ASSERT_FALSE(text.empty()) << file.name;
        StringSource source(text);
        PgnReader reader(source);
        Recorder recorder;
        while (reader.read_game(recorder)) {
        }
        EXPECT_EQ(recorder.games, file.games) << file.name << '\n' << recorder.problems;
        EXPECT_EQ(recorder.broken, file.broken) << file.name << '\n' << recorder.problems;
        EXPECT_EQ(recorder.repaired, file.repaired) << file.name << '\n' << recorder.problems;
    }
}

}  // namespace
}  // namespace rokada
