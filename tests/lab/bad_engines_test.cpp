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

// A margin is time to answer in, however long it is.
TEST(BadEngines, WithinItsMarginAnAnswerCounts) {
    const ScriptedEngine engine("late", "sleep 0.7; echo 'bestmove e1e8'");
    const Outcome outcome = match(engine.path(), "tc=0.1+0 margin=20000");
    EXPECT_EQ(outcome.standings.engine(0).time_losses, 0);
    EXPECT_EQ(outcome.standings.engine(0).illegal_moves, 2);
}

// What the standings count while a game is played they count after a resume too.
TEST(BadEngines, EveryFailureIsKnownAgainByItsReason) {
    EXPECT_EQ(ending_from_reason("White loses on time (3.000 ms too late)"), Ending::TimeLoss);
    EXPECT_EQ(ending_from_reason("Black makes an illegal move: 'e1e8'"), Ending::IllegalMove);
    EXPECT_EQ(ending_from_reason("White's engine does not answer"), Ending::Hang);
    EXPECT_EQ(ending_from_reason("White's engine exited with code 3"), Ending::Crash);
    EXPECT_EQ(ending_from_reason("Black claims a win that is none"), Ending::FalseClaim);
    EXPECT_EQ(ending_from_reason("Black cannot start: no"), Ending::StartFailure);
    const std::string engine = testing::TempDir() + "rokada_engine_refuser";
    std::ofstream(engine) << "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n"
                             "protover*) echo 'feature usermove=1 done=1';;\n"
                             "ping*) echo \"pong ${line#ping }\";;\n"
                             "usermove*) echo \"Illegal move: ${line#usermove }\";;\n"
                             "go) echo 'move e2e4';;\n"
                             "quit) exit 0;;\nesac; done\n";
    ::chmod(engine.c_str(), 0755);
    const Outcome outcome = match(engine, "proto=xboard tc=5+0.1");
    EXPECT_EQ(outcome.standings.engine(0).other_failures, 2);
    for (const std::string& reason : outcome.reasons) {
        EXPECT_THAT(reason, HasSubstr("refuses a legal move"));
        EXPECT_EQ(ending_from_reason(reason), Ending::Garbage);
    }
    std::remove(engine.c_str());
}

// An engine that takes a game for ended which is not is named, and not said to be slow.
TEST(BadEngines, AClaimOfAResultThatIsNoneIsNamed) {
    const std::string engine = testing::TempDir() + "rokada_engine_claimer";
    std::ofstream(engine) << "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\n"
                             "protover*) echo 'feature usermove=1 reuse=0 done=1';;\n"
                             "ping*) echo \"pong ${line#ping }\";;\n"
                             "go) echo 'move a2a3'; echo '1/2-1/2 {I am tired}';;\n"
                             "quit) exit 0;;\nesac; done\n";
    ::chmod(engine.c_str(), 0755);
    const Outcome outcome = match(engine, "proto=xboard tc=5+0.1", 1);
    EXPECT_THAT(outcome.reasons, testing::ElementsAre("White claims a draw that is none"));
    EXPECT_EQ(outcome.standings.engine(0).other_failures, 1);
    std::remove(engine.c_str());
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

TEST(BadEngines, WhatTheEngineCannotTakeIsNamedBeforeTheGames) {
    const auto problem_with = [](const std::string& words) {
        TournamentSettings settings;
        const std::string rokada = "cmd='" + std::string(ROKADA_BINARY) + " uci' tc=1+1";
        settings.engines = {*parse_engine_spec(rokada), *parse_engine_spec(rokada + " " + words)};
        return Tournament(settings).prepare().value_or("");
    };
    EXPECT_EQ(problem_with("option.Hash=16 option.Skill=easy option.Ponder=TRUE"), "");
    EXPECT_THAT(problem_with("option.Hash=0"), HasSubstr("'Hash': '0' is not between 1 and"));
    EXPECT_THAT(problem_with("option.Hash=much"), HasSubstr("'much' is not between"));
    EXPECT_THAT(problem_with("option.Skill=Titan"), HasSubstr("is not one of Easy, Medium"));
    EXPECT_THAT(problem_with("option.Ponder=maybe"), HasSubstr("'maybe' is not true or false"));
    EXPECT_THAT(problem_with("option.EvalFile=/nowhere/file.nn"), HasSubstr("/nowhere/file.nn"));
}

// The same pairings, no game lost, none played twice.
TEST(Tournament, StoppedAndResumedItIsTheSameTournament) {
    const std::string path = testing::TempDir() + "rokada_resume_test.pgn";
    std::remove(path.c_str());
    TournamentSettings settings;
    const std::string rokada = "cmd='" + std::string(ROKADA_BINARY) + " uci' nodes=200";
    settings.engines = {*parse_engine_spec(rokada), *parse_engine_spec(rokada)};
    settings.schedule.games = 6;
    settings.openings.path = std::string(ROKADA_SOURCE_DIR) + "/src/engine/book/default.bin";
    settings.openings.plies = 4;
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
    const auto result = tournament.run({});
    ASSERT_TRUE(result) << result.error();
    EXPECT_GE(result->resumed, 2);
    EXPECT_EQ(result->standings.finished(), 6);
    GameFile file;
    const auto games = file.resume(path);
    ASSERT_TRUE(games);
    std::vector<int> numbers;
    // As in a tournament that was never stopped: who plays whom, and from where.
    TournamentSettings at_once = settings;
    at_once.resume = false;
    at_once.pgn_path = path + ".at_once";
    std::remove(at_once.pgn_path.c_str());
    Tournament whole(at_once);
    ASSERT_FALSE(whole.prepare());
    ASSERT_TRUE(whole.run({}));
    GameFile whole_file;
    std::map<int, StoredGame> expected;
    const auto whole_games = whole_file.resume(at_once.pgn_path);
    ASSERT_TRUE(whole_games);
    for (const StoredGame& game : *whole_games) expected[game.number] = game;
    std::remove(at_once.pgn_path.c_str());
    for (const StoredGame& game : *games) {
        numbers.push_back(game.number);
        EXPECT_EQ(game.white, expected[game.number].white);
        EXPECT_EQ(game.black, expected[game.number].black);
        EXPECT_EQ(game.opening.moves.size(), 4u);
        EXPECT_EQ(game.opening.moves, expected[game.number].opening.moves);
    }
    EXPECT_THAT(numbers, testing::UnorderedElementsAre(1, 2, 3, 4, 5, 6));
    std::remove(path.c_str());
}

// What a stored game was played with is compared, not only who played.
TEST(Tournament, ResumedWithOtherTermsItIsRefusedAndNothingIsLost) {
    const std::string path = testing::TempDir() + "rokada_other_terms_test.pgn";
    const std::string book = testing::TempDir() + "rokada_other_terms_test.epd";
    std::remove(path.c_str());
    std::ofstream(book) << "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                           "r1bqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1\n";
    const auto settings_for = [&](const std::string& terms) {
        TournamentSettings settings;
        for (const char* name : {"name=a ", "name=b "})
            settings.engines.push_back(
                *parse_engine_spec(name + terms + " cmd='" + std::string(ROKADA_BINARY) + " uci'"));
        settings.schedule.games = 2;
        settings.openings.path = book;
        settings.openings.random = false;
        settings.play.adjudication.max_moves = 3;
        settings.pgn_path = path;
        return settings;
    };
    const auto content = [&] {
        std::ifstream stream(path);
        return std::string((std::istreambuf_iterator<char>(stream)), {});
    };
    {
        Tournament tournament(settings_for("nodes=100"));
        ASSERT_FALSE(tournament.prepare());
        ASSERT_TRUE(tournament.run({}));
    }
    const std::string before = content();
    EXPECT_THAT(before, HasSubstr("[MoveLimits \"nodes=100\"]"));
    const auto refusal = [&](TournamentSettings settings) {
        settings.resume = true;
        settings.schedule.games = 4;
        Tournament tournament(std::move(settings));
        EXPECT_FALSE(tournament.prepare());
        const auto result = tournament.run({});
        EXPECT_EQ(content(), before);
        return result ? std::string() : result.error();
    };
    EXPECT_THAT(refusal(settings_for("nodes=200")),
                HasSubstr("game 1 there limits the moves of a by 'nodes=100', not by 'nodes=200'"));
    EXPECT_THAT(refusal(settings_for("depth=3")), HasSubstr("not by 'depth=3'"));
    EXPECT_THAT(refusal(settings_for("tc=5+0.1")),
                HasSubstr("has the time control ? for a, not 5+0.1"));
    TournamentSettings other = settings_for("nodes=100");
    other.chess960 = true;
    EXPECT_THAT(refusal(other), HasSubstr("is standard, not chess960"));
    other = settings_for("nodes=100");
    std::ofstream(book) << "r1bqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1\n";
    EXPECT_THAT(refusal(other), HasSubstr("game 1 there has another opening"));
    std::remove(path.c_str());
    std::remove(book.c_str());
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
