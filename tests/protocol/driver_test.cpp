// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes, and UCI engines that do not behave.
#include <gmock/gmock.h>
#include <sched.h>

#include "tests/protocol/scripted_engine.hpp"

namespace rokada::protocol {
namespace {

using engine::Milliseconds;
using testing::Contains;
using testing::HasSubstr;

// The first line a program prints.
std::string first_line(const ChildProcess::Settings& settings) {
    auto process = ChildProcess::start(settings);
    EXPECT_TRUE(process) << process.error();
    Link link(std::move(*process));
    LinkGroup group;
    group.add(link);
    const auto line = group.wait(link, std::chrono::steady_clock::now() + kPatience);
    return line ? line->text : "";
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
    const auto nothing = ChildProcess::start({});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error(), "no program given");
    const auto missing = ChildProcess::start({{"/nowhere/engine"}, "", {}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error(), "cannot start '/nowhere/engine': No such file or directory");
    const auto no_folder = ChildProcess::start({{"/bin/sh"}, "/nowhere", {}});
    ASSERT_FALSE(no_folder);
    EXPECT_EQ(no_folder.error(), "cannot start '/bin/sh': No such file or directory");
}

TEST(ChildProcess, RunsInItsFolderOnItsProcessors) {
    EXPECT_EQ(first_line({{"/bin/pwd"}, "/", {}}), "/");
    cpu_set_t allowed;
    ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
    int cpu = 0;
    while (!CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) ++cpu;
    EXPECT_EQ(first_line(
                  {{"/bin/sed", "-n", "s/Cpus_allowed_list:.//p", "/proc/self/status"}, "", {cpu}}),
              std::to_string(cpu));
}

TEST(ChildProcess, IsKilledWhenItDoesNotLeave) {
    auto process = ChildProcess::start({{"/bin/sleep", "1000"}, "", {}});
    ASSERT_TRUE(process);
    EXPECT_TRUE((*process)->running());
    EXPECT_EQ((*process)->ending(), "");
    (*process)->end(Milliseconds(10));
    EXPECT_FALSE((*process)->running());
    EXPECT_EQ((*process)->ending(), "was killed by signal 9 (Killed)");
}

TEST(Link, WritingToAProgramThatClosedItsInputHarmsNobody) {
    auto process =
        ChildProcess::start({{"/bin/sh", "-c", "exec <&-; echo deaf; sleep 1000"}, "", {}});
    ASSERT_TRUE(process);
    Link link(std::move(*process));
    LinkGroup group;
    group.add(link);
    const auto line = group.wait(link, std::chrono::steady_clock::now() + kPatience);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->text, "deaf");
    link.send("is anybody there");
    EXPECT_FALSE(link.closed());
    EXPECT_TRUE(link.process().running());
}

std::vector<std::string> uci_engine(const std::string& cases) {
    return shell_engine(
        "uci) echo 'id name Script'; echo 'id author Nobody'; "
        "echo 'option name Clear type button'; "
        "echo 'option name UCI_Opponent type string default <empty>'; "
        "echo 'option name Odd type rainbow'; echo uciok;;\n" +
        cases);
}

TEST(UciDriver, SaysWhyAnEngineCannotBeStarted) {
    struct Case {
        std::vector<std::string> engine;
        std::string problem;
        Milliseconds start_patience, ready_patience;
    };
    constexpr Milliseconds kShort{100};
    for (const Case& c : {
             Case{shell_engine(""), "no 'uciok'", kShort, kPatience},
             Case{shell_engine("uci) while :; do echo noise; done;;"), "no 'uciok'", kShort,
                  kPatience},
             Case{shell_engine("uci) echo 'out of ideas' >&2; exit 3;;"),
                  "no 'uciok': the engine exited with code 3: out of ideas", kPatience, kPatience},
             Case{uci_engine(""), "no 'readyok'", kPatience, kShort},
             Case{uci_engine("isready) while :; do echo noise; done;;"), "no 'readyok'", kPatience,
                  kShort},
             Case{uci_engine("isready) exit 1;;"), "no 'readyok': the engine exited with code 1",
                  kPatience, kPatience},
         }) {
        DriverSettings settings;
        settings.start_patience = c.start_patience;
        settings.ready_patience = c.ready_patience;
        EXPECT_EQ(DrivenEngine(c.engine, settings, EngineProtocol::Uci).problem, c.problem);
    }
}

TEST(UciDriver, SetsOptionsSendsInitLinesAndNamesTheOpponent) {
    DriverSettings settings;
    settings.options = {{"clear", "ignored"}};
    settings.init_lines = {"debug on"};
    DrivenEngine engine(uci_engine("isready) echo readyok;;"), settings, EngineProtocol::Uci);
    ASSERT_EQ(engine.problem, "");
    EXPECT_EQ(engine->name(), "Script");
    EXPECT_EQ(engine->options().size(), 2u) << "an option of an unknown type is none";
    EXPECT_THAT(engine.take_sent(),
                testing::ElementsAre("uci", "setoption name Clear", "debug on", "isready"));
    GameStart start;
    start.opponent = "Deep Thinker";
    EXPECT_EQ(engine->new_game(start), std::nullopt);
    EXPECT_THAT(engine.take_sent(),
                Contains("setoption name UCI_Opponent value none none computer Deep Thinker"));
    start.chess960 = true;
    EXPECT_EQ(engine->new_game(start), "the engine does not play Chess960");
    settings.options = {{"Hash", "1"}};
    EXPECT_EQ(
        DrivenEngine(uci_engine("isready) echo readyok;;"), settings, EngineProtocol::Uci).problem,
        "the engine has no option 'Hash'");
}

TEST(UciDriver, KeepsTheLastExactScoreAndReportsALostEngine) {
    DrivenEngine engine(
        uci_engine("isready) echo readyok;;\n"
                   "go*) echo 'info depth 4 seldepth 6 score cp 21 nodes 900 time 7 pv e2e4 e7e5'; "
                   "echo 'info depth 5 score cp 90 lowerbound nodes 1000'; "
                   "echo 'info multipv 2 depth 5 score cp -50 nodes 5 pv a2a3'; "
                   "echo 'bestmove e2e4';;\nstop) exit 0;;"),
        {}, EngineProtocol::Uci);
    ASSERT_EQ(engine.problem, "");
    GameStart start;
    start.terms.nodes = 1000;
    ASSERT_EQ(engine->new_game(start), std::nullopt);
    const Reply reply = engine.think();
    EXPECT_EQ(to_uci(reply.move), "e2e4");
    EXPECT_THAT(engine.sent.back(), HasSubstr("go nodes 1000"));
    EXPECT_EQ(reply.thought.score->centipawns(), 21);
    EXPECT_EQ(reply.thought.depth, 4);
    EXPECT_EQ(reply.thought.nodes, 1000u);
    EXPECT_EQ(reply.thought.line, "e2e4 e7e5");
    const std::atomic<bool> cancelled{true};
    engine.group.cancelled = &cancelled;
    EXPECT_EQ(engine.think().kind, ReplyKind::Cancelled);
    engine.group.cancelled = nullptr;
    engine->game_over(std::nullopt);  // `stop`, at which this one leaves
    EXPECT_EQ(engine->new_game(start), "no 'readyok': the engine exited with code 0");
}

}  // namespace
}  // namespace rokada::protocol
