// SPDX-License-Identifier: GPL-3.0-or-later
// What one side writes the other side reads.
#include <gmock/gmock.h>

#include "protocol/cecp/answer.hpp"
#include "protocol/cecp/command.hpp"
#include "protocol/driver/process.hpp"
#include "protocol/input.hpp"
#include "protocol/uci/answer.hpp"
#include "protocol/uci/command.hpp"

namespace rokada::protocol {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(UciGrammar, GoReadsBackAsItWasWritten) {
    uci::Go go;
    go.time[Color::White] = engine::Milliseconds(61000);
    go.time[Color::Black] = engine::Milliseconds(-5);
    go.increment[Color::White] = engine::Milliseconds(100);
    go.moves_to_go = 12;
    go.limits.nodes = 5000;
    go.search_moves = {{"e2e4", 0}, {"a7a8q", 0}};
    const std::string line = uci::to_line(go);
    const auto parsed = uci::parse_command(line);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(uci::to_line(std::get<uci::Go>(*parsed)), line);
}

TEST(UciGrammar, PositionReadsBackAsItWasWritten) {
    const std::string line = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e7";
    const auto parsed = uci::parse_command(line);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(uci::to_line(std::get<uci::SetPosition>(*parsed)), line);
}

TEST(UciGrammar, ErrorsNameTheirPlace) {
    const auto parsed = uci::parse_command("go wtime 100 depth five");
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().offset, 19u);
    EXPECT_THAT(parsed.error().message, testing::HasSubstr("'five'"));
}

TEST(UciGrammar, InfoLinesReadBackAsTheyWereWritten) {
    const std::string lines[] = {
        "info depth 12 seldepth 20 multipv 2 score cp -34 lowerbound wdl 100 800 100 nodes 12345 "
        "nps 1000000 "
        "hashfull 7 tbhits 1 time 12 pv e2e4 e7e5",
        "info depth 3 score mate -2 nodes 100 time 0 pv a1a2",
        "info depth 20 currmove e2e4 currmovenumber 1",
        "info string NNUE evaluation using a file",
    };
    for (const std::string& line : lines) {
        const uci::Answer answer = uci::parse_answer(line);
        ASSERT_TRUE(std::holds_alternative<uci::InfoText>(answer)) << line;
        EXPECT_EQ(uci::to_line(std::get<uci::InfoText>(answer)), line);
    }
}

TEST(UciGrammar, OptionsReadBackAsTheyWereWritten) {
    const std::string lines[] = {
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Clear Hash type button",
        "option name Style type combo default Very Wild var Calm var Very Wild",
        "option name SyzygyPath type string default <empty>",
        "option name UCI_Chess960 type check default false",
    };
    for (const std::string& line : lines) {
        const uci::Answer answer = uci::parse_answer(line);
        ASSERT_TRUE(std::holds_alternative<engine::Option>(answer)) << line;
        EXPECT_EQ(uci::to_line(std::get<engine::Option>(answer)), line);
    }
}

TEST(UciGrammar, ForeignAnswersAreReadLeniently) {
    const auto best = uci::parse_answer("bestmove e2e4 ponder e7e5 \r");
    EXPECT_EQ(std::get<uci::BestMoveText>(best).move, "e2e4");
    EXPECT_EQ(std::get<uci::BestMoveText>(best).ponder, "e7e5");
    const auto info = uci::parse_answer("info depth x score cp nodes 5 pv");
    EXPECT_EQ(std::get<uci::InfoText>(info).nodes, 5u);
    EXPECT_TRUE(std::holds_alternative<uci::Unknown>(uci::parse_answer("Stockfish by everyone")));
    EXPECT_TRUE(std::holds_alternative<uci::Unknown>(uci::parse_answer("")));
}

TEST(CecpGrammar, LevelIsReadInAllItsForms) {
    const auto level = [](std::string_view line) {
        const auto command = cecp::parse_command(line);
        return command ? std::get<cecp::Level>(*command) : cecp::Level{-1, {}, {}};
    };
    EXPECT_EQ(level("level 40 5 0").moves, 40);
    EXPECT_EQ(level("level 40 5 0").base.count(), 300'000);
    EXPECT_EQ(level("level 0 2:30 12").base.count(), 150'000);
    EXPECT_EQ(level("level 0 2:30 12").increment.count(), 12'000);
    EXPECT_EQ(level("level 0 0:02 0.02").increment.count(), 20);
    EXPECT_EQ(level("level 0 x 0").moves, -1);
    EXPECT_EQ(level("level").moves, -1);
    EXPECT_EQ(cecp::to_line(cecp::Level{0, engine::Milliseconds(2000), engine::Milliseconds(20)}),
              "level 0 0:02 0.02");
    EXPECT_EQ(
        cecp::to_line(cecp::Level{40, engine::Milliseconds(300'000), engine::Milliseconds(0)}),
        "level 40 5 0");
}

TEST(CecpGrammar, ClocksAreCentiseconds) {
    const auto time = cecp::parse_command("time 12345");
    ASSERT_TRUE(time);
    EXPECT_EQ(std::get<cecp::ClockLeft>(*time).left.count(), 123'450);
    const auto fallen = cecp::parse_command("otim -5");
    ASSERT_TRUE(fallen);
    EXPECT_EQ(std::get<cecp::ClockLeft>(*fallen).left.count(), 0);
}

TEST(CecpGrammar, ThinkingReadsBackWithMates) {
    for (const engine::Score score :
         {engine::Score::centipawns(-35), engine::Score::mate_in(3), engine::Score::mated_in(2)}) {
        const cecp::ThinkingText thinking{9, score, engine::Milliseconds(1230), 4567, "Nf3 Nc6"};
        const auto answer = cecp::parse_answer(cecp::to_line(thinking));
        ASSERT_TRUE(std::holds_alternative<cecp::ThinkingText>(answer));
        const auto& read = std::get<cecp::ThinkingText>(answer);
        EXPECT_EQ(read.depth, 9);
        EXPECT_EQ(read.score.is_mate(), score.is_mate());
        EXPECT_EQ(read.score.moves_to_mate(), score.moves_to_mate());
        EXPECT_EQ(read.score.centipawns(), score.centipawns());
        EXPECT_EQ(read.line, "Nf3 Nc6");
    }
    EXPECT_EQ(cecp::to_line(cecp::ThinkingText{9, engine::Score::mate_in(3),
                                               engine::Milliseconds(1230), 4567, "Nf3"}),
              "9 100003 123 4567 Nf3");
}

TEST(CecpGrammar, FeaturesWithQuotesAreRead) {
    const auto answer = cecp::parse_answer(
        "feature ping=1 myname=\"Fairy-Max 5.0b\" option=\"Resign -check 0\" done=1");
    ASSERT_TRUE(std::holds_alternative<cecp::Features>(answer));
    const auto& items = std::get<cecp::Features>(answer).items;
    ASSERT_THAT(items, SizeIs(4));
    EXPECT_EQ(items[1].second, "Fairy-Max 5.0b");
    const auto option = cecp::parse_feature_option("Multi-PV Margin -spin 0 0 1000");
    ASSERT_TRUE(option);
    EXPECT_EQ(option->name, "Multi-PV Margin");
    EXPECT_EQ(option->max, 1000);
}

TEST(CecpGrammar, AnswersOfAllKindsAreTold) {
    EXPECT_TRUE(std::holds_alternative<cecp::Resign>(cecp::parse_answer("resign")));
    EXPECT_TRUE(std::holds_alternative<cecp::OfferDraw>(cecp::parse_answer("offer draw")));
    EXPECT_EQ(std::get<cecp::ResultClaim>(cecp::parse_answer("0-1 {Black mates}")).comment,
              "Black mates");
    EXPECT_EQ(std::get<cecp::MoveAnswer>(cecp::parse_answer("move e2e4")).text, "e2e4");
    EXPECT_EQ(std::get<cecp::Pong>(cecp::parse_answer("pong 7")).number, "7");
    EXPECT_TRUE(std::get<cecp::Refused>(cecp::parse_answer("Illegal move (no piece): e5e6")).move);
    EXPECT_TRUE(std::holds_alternative<cecp::Unknown>(cecp::parse_answer("# a comment")));
}

TEST(CecpGrammar, OptionsReadBackAsTheyWereWritten) {
    for (const char* value : {"Resign -check 1", "Own Book -check 0", "Draw after -spin 50 0 200",
                              "Style -combo Calm /// *Very Wild /// Odd",
                              "Book File -string /a b/c.bin", "Clear Hash -button"}) {
        const auto option = cecp::parse_feature_option(value);
        ASSERT_TRUE(option) << value;
        EXPECT_EQ(cecp::feature_value(*option), value);
    }
    EXPECT_EQ(cecp::parse_feature_option("Depth -slider 3 1 9")->type, engine::OptionType::Spin);
    EXPECT_EQ(cecp::parse_feature_option("Save -save")->type, engine::OptionType::Button);
    EXPECT_EQ(cecp::parse_feature_option("Path -path /tmp/x y")->value, "/tmp/x y");
    EXPECT_EQ(cecp::parse_feature_option("Style -combo Calm /// Wild")->value, "Calm")
        << "without a star the first choice counts";
    for (const char* bad : {"", "Name", "-spin 1 2 3"})
        EXPECT_FALSE(cecp::parse_feature_option(bad)) << bad;
}

TEST(CecpGrammar, BrokenFeaturesAndAnswersHarmNobody) {
    const auto items = [](std::string_view line) {
        return std::get<cecp::Features>(cecp::parse_answer(line)).items;
    };
    EXPECT_THAT(items("feature"), testing::IsEmpty());
    EXPECT_THAT(items("feature done"), testing::IsEmpty());
    EXPECT_THAT(items("feature myname=\"never closed"),
                ElementsAre(std::pair<std::string, std::string>("myname", "never closed")));
    EXPECT_THAT(items("feature  ping=1   done="), SizeIs(2));
    for (const char* line :
         {"12. e4", "1 2 x 4 e4", "tellics say hello", "offer nothing", ".", "Hint", "Illegal"})
        EXPECT_TRUE(std::holds_alternative<cecp::Unknown>(cecp::parse_answer(line))) << line;
    EXPECT_EQ(std::get<cecp::MoveAnswer>(cecp::parse_answer("12. ... e7e5")).text, "e7e5");
    EXPECT_EQ(std::get<cecp::HintAnswer>(cecp::parse_answer("Hint: e7e5")).move, "e7e5");
    const auto refused = std::get<cecp::Refused>(cecp::parse_answer("Error (too many): level 1"));
    EXPECT_FALSE(refused.move);
    EXPECT_EQ(refused.reason, "too many");
    EXPECT_EQ(refused.about, "level 1");
}

TEST(CecpGrammar, CommandsReadBackAsTheyWereWritten) {
    EXPECT_EQ(cecp::to_line(cecp::MoveTime{engine::Milliseconds(1500)}), "st 1.5");
    EXPECT_EQ(std::get<cecp::MoveTime>(*cecp::parse_command("st 1.5")).time.count(), 1500);
    EXPECT_EQ(std::get<cecp::MoveTime>(*cecp::parse_command("st 1:30")).time.count(), 90'000);
    EXPECT_EQ(cecp::to_line(cecp::ClockLeft{false, engine::Milliseconds(99'990)}), "otim 9999");
    EXPECT_EQ(cecp::to_line(cecp::SetOption{"Own Book", "1"}), "option Own Book=1");
    const auto result = cecp::parse_command("result 1/2-1/2 {Draw agreed}");
    ASSERT_TRUE(result);
    EXPECT_EQ(std::get<cecp::GameResult>(*result).result, "1/2-1/2");
    EXPECT_EQ(std::get<cecp::GameResult>(*result).comment, "{Draw agreed}");
    const auto rate = cecp::parse_command("nps 5000");
    ASSERT_TRUE(rate);
    EXPECT_EQ(std::get<cecp::NodeRate>(*rate).nodes_per_second, 5000);
    for (const char* bad : {"st 0", "st 1:x", "level 0 -5 0", "level 0 5 -1", "include", "nps x"})
        EXPECT_FALSE(cecp::parse_command(bad)) << bad;
    EXPECT_TRUE(std::holds_alternative<cecp::UserMove>(*cecp::parse_command("O-O-O")));
}

TEST(Numbers, AreReadInFullOrNotAtAll) {
    EXPECT_EQ(to_integer("+5"), 5);
    EXPECT_EQ(to_integer("-5"), -5);
    EXPECT_EQ(to_number("-.25"), -0.25);
    EXPECT_EQ(to_number("+2.5"), 2.5);
    for (const char* bad : {"", "+", "+-5", "5x", "0x5", "99999999999999999999"})
        EXPECT_FALSE(to_integer(bad)) << bad;
    for (const char* bad : {"", ".", "-", "1.2.3", "1e5", "nan", "9999999999999999"})
        EXPECT_FALSE(to_number(bad)) << bad;
}

TEST(Tokens, WordsKnowWhereTheyStand) {
    Tokens tokens("  go\tdepth  5 ");
    EXPECT_EQ(tokens.next().offset, 2u);
    EXPECT_EQ(tokens.peek().text, "depth");
    EXPECT_EQ(tokens.rest().text, "depth  5");
    tokens.next();
    tokens.next();
    EXPECT_TRUE(tokens.done());
}

TEST(LineSplitter, TakesAnyLineEndAndRefusesOverlongLines) {
    LineSplitter splitter;
    std::vector<std::string> lines;
    int overlong = 0;
    const auto feed = [&](std::string_view bytes) {
        splitter.feed(
            bytes, [&](std::string_view line) { lines.emplace_back(line); }, [&] { ++overlong; });
    };
    feed("uci\r\nis");
    feed("ready\n\n");
    feed(std::string(LineSplitter::kMaxLine + 1, 'x'));
    feed("yy\nquit");
    EXPECT_THAT(lines, ElementsAre("uci", "isready", ""));
    EXPECT_EQ(overlong, 1);
    EXPECT_EQ(splitter.pending(), "quit");
}

TEST(SplitCommand, GroupsByQuotesAndNeverUsesAShell) {
    EXPECT_THAT(*split_command("a 'b c' \"d e\" f\\ g"), ElementsAre("a", "b c", "d e", "f g"));
    EXPECT_THAT(*split_command("x=$(rm) ; y"), ElementsAre("x=$(rm)", ";", "y"));
    EXPECT_FALSE(split_command("a 'b"));
    EXPECT_FALSE(split_command("a\\"));
}

}  // namespace
}  // namespace rokada::protocol
