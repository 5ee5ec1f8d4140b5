// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself through pipes, as GUIs use it.
#include <gmock/gmock.h>

#include "protocol/driver/driver.hpp"

namespace rokada::protocol {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Program {
  public:
    explicit Program(std::vector<std::string> arguments = {})
        : Program(ROKADA_BINARY, std::move(arguments)) {}
    Program(const std::string& program, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), program);
        auto process = ChildProcess::start({arguments, "", {}});
        EXPECT_TRUE(process) << process.error();
        link_ = std::make_unique<Link>(std::move(*process));
        group_.add(*link_);
    }
    void send(std::string_view line) { link_->send(line); }
    // The first line that begins so; empty if it does not come in time.
    std::string expect(std::string_view beginning, int seconds = 30) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
        while (const auto line = group_.wait(*link_, deadline)) {
            all.push_back(line->text);
            if (line->text.compare(0, beginning.size(), beginning) == 0) return line->text;
        }
        ADD_FAILURE() << "no line begins with " << beginning;
        return {};
    }
    void close() { link_->process().close_input(); }
    std::string ending() {
        link_->process().end(std::chrono::seconds(20));
        return link_->process().ending();
    }
    std::vector<std::string> all;

  private:
    LinkGroup group_;
    std::unique_ptr<Link> link_;
};

TEST(Program, SpeaksUciOnAPipe) {
    Program program;
    program.send("uci");
    program.expect("uciok");
    program.send("isready");
    program.expect("readyok");
    program.send("position startpos moves e2e4");
    program.send("go nodes 2000");
    EXPECT_NE(program.expect("bestmove "), "bestmove (none)");
    program.send("quit");
    EXPECT_EQ(program.ending(), "exited with code 0");
}

// A host that gives little memory gets fewer threads and a word about it, and the engine lives.
TEST(Program, MoreThreadsThanThereIsMemoryForAreNoEnd) {
    if (testing_support::kSanitized) GTEST_SKIP() << "sanitizers reserve all memory there is";
    Program program("/bin/sh",
                    {"-c", "ulimit -v 900000; exec '" + std::string(ROKADA_BINARY) + "' uci"});
    program.send("setoption name Threads value 200");
    EXPECT_THAT(program.expect("info string there is not enough memory"),
                HasSubstr("for 200 Threads; searching with "));
    program.send("position startpos");
    program.send("go nodes 20000");
    EXPECT_NE(program.expect("bestmove "), "bestmove (none)");
    program.send("setoption name Threads value 1");
    program.send("go nodes 20000");
    EXPECT_NE(program.expect("bestmove "), "bestmove (none)");
    program.send("quit");
    EXPECT_EQ(program.ending(), "exited with code 0");
}

TEST(Program, SpeaksXboardWhenTheFirstLineSaysSo) {
    Program program;
    program.send("xboard");
    program.send("protover 2");
    program.expect("feature done=1");
    program.send("new\nlevel 0 1 0\npost\nhard\neasy\nping 1");
    program.expect("pong 1");
    program.send("st 0.1");
    program.send("usermove e2e4");
    program.expect("move ");
    program.send("quit");
    EXPECT_EQ(program.ending(), "exited with code 0");
}

TEST(Program, EachProtocolCanBeForced) {
    Program uci({"uci"});
    uci.send("xboard");
    uci.expect("info string");
    uci.close();
    EXPECT_EQ(uci.ending(), "exited with code 0");
    Program xboard({"xboard"});
    xboard.send("ping 5");
    xboard.expect("pong 5");
    xboard.close();
    EXPECT_EQ(xboard.ending(), "exited with code 0");
}

TEST(Program, StopsAnEndlessSearchAndEndsWithItsInput) {
    Program program;
    program.send("go infinite");
    program.expect("info depth 3");
    program.send("isready");
    program.expect("readyok");
    program.send("stop");
    program.expect("bestmove");
    program.send("go infinite");
    program.expect("info depth 2");
    program.close();
    EXPECT_EQ(program.ending(), "exited with code 0");
}

// What python-chess does with a UCI engine, in its order.
TEST(Program, PassesTheHandshakeOfAStrictClient) {
    Program program;
    program.send("uci");
    program.expect("uciok");
    for (const std::string& line : program.all) {
        EXPECT_THAT(line, testing::AnyOf(StartsWith("id name "), StartsWith("id author "),
                                         StartsWith("option name "), "uciok"));
        // A default outside its range makes strict clients give up.
        if (line.find(" type spin ") == std::string::npos) continue;
        long value = 0, low = 0, high = 0;
        const std::string numbers = line.substr(line.find("default "));
        ASSERT_EQ(std::sscanf(numbers.c_str(), "default %ld min %ld max %ld", &value, &low, &high),
                  3)
            << line;
        EXPECT_GE(value, low) << line;
        EXPECT_LE(value, high) << line;
    }
    program.send("isready");
    program.expect("readyok");
    program.send("setoption name UCI_AnalyseMode value false");
    program.send("setoption name Ponder value false");
    program.send("ucinewgame");
    program.send("isready");
    program.expect("readyok");
    program.send("position startpos");
    program.send("go movetime 50");
    program.expect("bestmove");
}

// Arena 3.5's greeting of a UCI engine, as it was recorded.
TEST(Program, PassesTheHandshakeOfArena) {
    Program program;
    program.send("uci");
    program.expect("uciok");
    program.send("setoption name Ponder value false");
    program.send("setoption name Hash value 64");
    program.send("setoption name UCI_Opponent value none none human Guest");
    program.send("setoption name UCI_ShowCurrLine value false");
    program.expect("info string");  // an option we do not have
    program.send("isready");
    program.expect("readyok");
    program.send("ucinewgame");
    program.send("isready");
    program.expect("readyok");
    program.send("position startpos moves e2e4");
    program.send("go wtime 300000 btime 300000 winc 0 binc 0 movestogo 40");
    program.send("stop");
    program.expect("bestmove");
}

TEST(Program, WrongUseIsOneLineAndExitCode2) {
    Program program({"match", "--engine", "cmd=/nowhere/engine tc=1+1", "--engine",
                     "cmd=/nowhere/engine tc=1+1"});
    EXPECT_EQ(program.ending(), "exited with code 2");
}

TEST(Program, PlaysInAPipe) {
    Program program({"play", "--ascii"});
    program.send("time 0.05");
    program.send("e4");
    EXPECT_THAT(program.expect("1. "), HasSubstr("e4"));
    program.expect("1... ");
    program.send("fen");
    program.close();
    EXPECT_EQ(program.ending(), "exited with code 0");
}

}  // namespace
}  // namespace rokada::protocol
