// SPDX-License-Identifier: GPL-3.0-or-later
// Engines that crash, hang, lie and shout: each loses its game with the reason named, and the
// tournament goes on.
#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "lab/match/report.hpp"
#include "lab/match/tournament.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

// A UCI engine as a shell script; `on_go` is what it does when it should move.
class ScriptedEngine {
  public:
    ScriptedEngine(const std::string& name, const std::string& on_go)
        : path_(testing::TempDir() + "rokada_engine_" + name) {
        std::ofstream(path_) << "#!/bin/sh\n"
                                "while read -r line; do case \"$line\" in\n"
                                "uci) echo 'id name scripted'; echo uciok;;\n"
                                "isready) echo readyok;;\n"
                                "quit) exit 0;;\n"
                                "go*) "
                             << on_go << ";;\nesac; done\n";
        ::chmod(path_.c_str(), 0755);
    }
    ~ScriptedEngine() { std::remove(path_.c_str()); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

struct Outcome {
    Standings standings;
    std::vector<std::string> reasons;
};

// Two games of the engine against one that mates nobody but always moves: it is asked with a fixed
// position.
Outcome match(const std::string& engine, const std::string& tc, int games = 2) {
    TournamentSettings settings;
    const std::string quoted = "cmd=" + engine + " name=bad " + tc;
    const std::string other = "cmd='" + std::string(ROKADA_BINARY) + " uci' name=good nodes=500";
    settings.engines = {*parse_engine_spec(quoted), *parse_engine_spec(other)};
    settings.schedule.games = games;
    settings.play.hang_patience = std::chrono::milliseconds(700);
    settings.play.flag_grace = std::chrono::milliseconds(300);
    settings.play.adjudication.max_moves = 20;
    Tournament tournament(settings);
    const auto problem = tournament.prepare();
    EXPECT_FALSE(problem) << *problem;
    Outcome outcome{Standings(2), {}};
    const auto result = tournament.run([&](const Progress& progress) {
        if (progress.last != nullptr) outcome.reasons.push_back(progress.last->reason);
    });
    EXPECT_TRUE(result);
    outcome.standings = result->standings;
    EXPECT_EQ(outcome.standings.finished(), games);
    return outcome;
}

TEST(BadEngines, ACrashLosesAndTheNextGameHasANewProcess) {
    const ScriptedEngine engine("crash", "echo 'out of ideas' >&2; kill -11 $$");
    const Outcome outcome = match(engine.path(), "tc=5+0.1");
    EXPECT_EQ(outcome.standings.engine(0).crashes, 2);
    for (const std::string& reason : outcome.reasons) {
        EXPECT_THAT(reason, HasSubstr("signal 11"));
        EXPECT_THAT(reason, HasSubstr("out of ideas"));
    }
}

TEST(BadEngines, LeavingInTheMiddleIsACrashToo) {
    const ScriptedEngine engine("leave", "exit 3");
    EXPECT_THAT(match(engine.path(), "tc=5+0.1").reasons.front(), HasSubstr("exited with code 3"));
}

TEST(BadEngines, AHangLosesWithAndWithoutAClock) {
    const ScriptedEngine engine("hang", "sleep 1000");
    EXPECT_EQ(match(engine.path(), "tc=0.2+0").standings.engine(0).time_losses, 2);
    EXPECT_EQ(match(engine.path(), "depth=1").standings.engine(0).hangs, 2);
}

TEST(BadEngines, AnIllegalMoveLoses) {
    const ScriptedEngine engine("illegal", "echo 'bestmove e1e8'");
    const Outcome outcome = match(engine.path(), "tc=5+0.1");
    EXPECT_EQ(outcome.standings.engine(0).illegal_moves, 2);
    EXPECT_THAT(outcome.reasons.front(), HasSubstr("e1e8"));
    const ScriptedEngine none("none", "echo 'bestmove (none)'");
    EXPECT_EQ(match(none.path(), "tc=5+0.1").standings.engine(0).illegal_moves, 2);
}

TEST(BadEngines, OneMillisecondTooLateIsTooLate) {
    const ScriptedEngine engine("slow", "sleep 0.25; echo 'bestmove e2e4'");
    const Outcome outcome = match(engine.path(), "tc=0.2+0");
    EXPECT_EQ(outcome.standings.engine(0).time_losses, 2);
    EXPECT_THAT(outcome.reasons.front(), HasSubstr("too late"));
}

TEST(BadEngines, ShoutingNonsenseHarmsNobody) {
    const ScriptedEngine engine("shout",
                                "i=0; while [ $i -lt 3000 ]; do echo 'info depth x nonsense \\377 "
                                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; "
                                "echo noise >&2; i=$((i+1)); done; echo 'bestmove a1a8'");
    EXPECT_EQ(match(engine.path(), "tc=20+0.1").standings.engine(0).illegal_moves, 2);
}

TEST(BadEngines, AnEndlessFloodIsNoAnswer) {
    const ScriptedEngine engine("flood", "while :; do echo 'info string and on and on'; done");
    EXPECT_EQ(match(engine.path(), "tc=0.2+0", 1).standings.engine(0).time_losses, 1);
}

TEST(BadEngines, OneThatCannotStartIsRefusedBeforeTheGames) {
    TournamentSettings settings;
    settings.engines = {*parse_engine_spec("cmd=/nowhere/engine name=ghost tc=1+1"),
                        *parse_engine_spec("cmd=/bin/true name=mute tc=1+1")};
    Tournament tournament(settings);
    const auto problem = tournament.prepare();
    ASSERT_TRUE(problem);
    EXPECT_THAT(*problem, HasSubstr("ghost"));
    EXPECT_THAT(*problem, HasSubstr("No such file"));
    settings.engines[0] = settings.engines[1];
    Tournament mute(settings);
    EXPECT_THAT(*mute.prepare(), HasSubstr("uciok"));
}

TEST(BadEngines, AnOptionTheEngineDoesNotHaveIsNamed) {
    TournamentSettings settings;
    const std::string rokada = "cmd='" + std::string(ROKADA_BINARY) + " uci' tc=1+1";
    settings.engines = {*parse_engine_spec(rokada), *parse_engine_spec(rokada + " option.Hsah=3")};
    Tournament tournament(settings);
    EXPECT_THAT(*tournament.prepare(), HasSubstr("'Hsah'"));
}

// The same pairings, no game lost, none played twice.
TEST(Tournament, StoppedAndResumedItIsTheSameTournament) {
    const std::string path = testing::TempDir() + "rokada_resume_test.pgn";
    std::remove(path.c_str());
    TournamentSettings settings;
    const std::string rokada = "cmd='" + std::string(ROKADA_BINARY) + " uci' nodes=200";
    settings.engines = {*parse_engine_spec(rokada), *parse_engine_spec(rokada)};
    settings.schedule.games = 6;
    settings.concurrency = 2;
    settings.pin = false;
    settings.play.adjudication.max_moves = 6;
    settings.pgn_path = path;
    {
        Tournament tournament(settings);
        ASSERT_FALSE(tournament.prepare());
        const auto result = tournament.run([&](const Progress& progress) {
            if (progress.standings.finished() >= 2) tournament.stop_now();
        });
        ASSERT_TRUE(result);
        EXPECT_EQ(result->end, TournamentEnd::Stopped);
        EXPECT_LT(result->standings.finished(), 6);
    }
    settings.resume = true;
    Tournament tournament(settings);
    ASSERT_FALSE(tournament.prepare());
    const auto result = tournament.run([](const Progress&) {});
    ASSERT_TRUE(result) << result.error();
    EXPECT_GE(result->resumed, 2);
    EXPECT_EQ(result->standings.finished(), 6);
    GameFile file;
    const auto games = file.resume(path);
    ASSERT_TRUE(games);
    std::vector<int> numbers;
    for (const StoredGame& game : *games) numbers.push_back(game.number);
    EXPECT_THAT(numbers, testing::UnorderedElementsAre(1, 2, 3, 4, 5, 6));
    std::remove(path.c_str());
}

TEST(Tournament, SprtStopsAsSoonAsItIsDecided) {
    const ScriptedEngine engine("loser", "echo 'bestmove a1a1'");
    TournamentSettings settings;
    const std::string rokada = "cmd='" + std::string(ROKADA_BINARY) + " uci' nodes=200 name=good";
    settings.engines = {*parse_engine_spec(rokada),
                        *parse_engine_spec("cmd=" + engine.path() + " nodes=1")};
    settings.schedule.games = 1000;
    settings.sprt = SprtSettings{0, 50, 0.05, 0.05, EloModel::Logistic};
    Tournament tournament(settings);
    ASSERT_FALSE(tournament.prepare());
    const auto result = tournament.run([](const Progress&) {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->end, TournamentEnd::SprtDecided);
    EXPECT_LT(result->standings.finished(), 200);
    EXPECT_EQ(verdict(*settings.sprt, *result->llr), SprtVerdict::H1);
    EXPECT_THAT(to_json(settings, *result), HasSubstr("\"verdict\":\"H1\""));
}

}  // namespace
}  // namespace rokada::lab
