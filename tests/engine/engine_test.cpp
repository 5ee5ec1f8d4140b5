// SPDX-License-Identifier: GPL-3.0-or-later
// The promises of the public interface: limits, stopping, pondering, options, several engines,
// callers on any thread.
#include "engine/engine.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Engine, NodeLimitIsExactWithOneThread) {
    for (const std::uint64_t limit : {1u, 2u, 17u, 500u, 5000u, 20011u}) {
        Recorder recorder;
        std::uint64_t seen = 0;
        const BestMove best = recorder.think(kStartFen, nodes(limit));
        EXPECT_TRUE(best.move);
        for (const Info& info : recorder.infos) seen = std::max(seen, info.nodes);
        EXPECT_LE(seen, limit);
        if (limit > 100) {
            EXPECT_EQ(seen, limit);
        }
    }
}

TEST(Engine, DepthLimitIsReachedAndNotPassed) {
    Recorder recorder;
    recorder.think(kStartFen, depth(6));
    ASSERT_FALSE(recorder.infos.empty());
    EXPECT_EQ(recorder.infos.back().depth, 6);
}

TEST(Engine, FixedNodesGiveTheSameOutputEveryTime) {
    std::vector<std::string> first;
    for (int round = 0; round < 3; ++round) {
        Recorder recorder;
        std::vector<std::string> lines;
        for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                                "8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42"}) {
            recorder.engine.new_game();
            recorder.engine.wait();
            recorder.think(fen, nodes(30000));
        }
        for (const Info& info : recorder.infos) lines.push_back(text(info));
        if (round == 0)
            first = lines;
        else
            EXPECT_EQ(lines, first);
    }
}

TEST(Engine, MoveTimeIsKept) {
    Recorder recorder;
    recorder.engine.set_position(Position());
    const auto begin = Clock::now();
    recorder.engine.think(move_time(150));
    const auto took = Clock::now() - begin;
    EXPECT_GE(took, std::chrono::milliseconds(60));
    EXPECT_LE(took, std::chrono::milliseconds(700));  // generous: machines are busy
}

TEST(Engine, InfiniteSearchAnswersOnlyWhenStopped) {
    Recorder recorder;
    recorder.engine.set_position(position_of("7k/8/8/8/8/8/8/K7 w - - 0 1"));  // over at once
    Limits limits;
    limits.infinite = true;
    limits.depth = 3;
    recorder.engine.go(limits);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(recorder.finished(), 0u);
    EXPECT_TRUE(recorder.engine.searching());
    recorder.engine.stop();
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), 1u);
    EXPECT_FALSE(recorder.engine.searching());
}

TEST(Engine, PonderingWaitsForTheHit) {
    Recorder recorder;
    recorder.engine.set_position(Position());
    Limits limits = depth(2);
    limits.ponder = true;
    recorder.engine.go(limits);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(recorder.finished(), 0u);
    recorder.engine.ponder_hit();
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), 1u);
}

TEST(Engine, PonderHitThatCameFirstCounts) {
    Recorder recorder;
    Limits limits = depth(1);
    limits.ponder = true;
    recorder.engine.go(limits);
    recorder.engine.ponder_hit();
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), 1u);
}

TEST(Engine, NewSearchReplacesTheRunningOne) {
    Recorder recorder;
    Limits forever;
    forever.infinite = true;
    recorder.engine.go(forever);
    recorder.engine.go(depth(3));
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), 2u);
}

TEST(Engine, NoLegalMoveGivesNoBestMove) {
    Recorder mate;
    EXPECT_FALSE(mate.think("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", depth(3)).move);
    ASSERT_EQ(mate.infos.size(), 1u);
    EXPECT_TRUE(mate.infos[0].score.is_mate());
    EXPECT_EQ(mate.infos[0].score.moves_to_mate(), 0);
    Recorder stalemate;
    EXPECT_FALSE(stalemate.think("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth(3)).move);
    EXPECT_FALSE(stalemate.infos[0].score.is_mate());
    EXPECT_EQ(stalemate.infos[0].score.centipawns(), 0);
}

TEST(Engine, SearchMovesRestrictTheRoot) {
    Recorder recorder;
    Limits limits = depth(5);
    limits.search_moves = {Move(Square::A2, Square::A3), Move(Square::H2, Square::H3)};
    const BestMove best = recorder.think(kStartFen, limits);
    EXPECT_TRUE(best.move == limits.search_moves[0] || best.move == limits.search_moves[1]);
}

TEST(Engine, MultiPvGivesDistinctOrderedLines) {
    Recorder recorder;
    ASSERT_FALSE(recorder.engine.set_option("MultiPV", "4"));
    recorder.think("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", depth(6));
    ASSERT_GE(recorder.infos.size(), 4u);
    const auto* last = &recorder.infos[recorder.infos.size() - 4];
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(last[i].multipv, i + 1);
        EXPECT_EQ(last[i].depth, 6);
        for (int j = 0; j < i; ++j) {
            EXPECT_NE(last[i].line[0], last[j].line[0]);
            EXPECT_GE(last[j].score.centipawns(), last[i].score.centipawns());
        }
    }
}

TEST(Engine, RemembersWhatASearchMetUntilANewGame) {
    Recorder recorder;
    Engine& engine = recorder.engine;
    const Position start,
        elsewhere = position_of("8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42");
    EXPECT_FALSE(engine.remembers(start));
    recorder.think(kStartFen, nodes(20'000));
    EXPECT_TRUE(engine.remembers(start));
    EXPECT_FALSE(engine.remembers(elsewhere));
    Position position;
    for (const Move move : recorder.infos.back().line) {
        EXPECT_TRUE(engine.remembers(position)) << to_fen(position);
        position.play(move);
    }
    // All moves of the root have been tried.
    for (const Move move : legal_moves(start)) {
        Position next = start;
        next.play(move);
        EXPECT_TRUE(engine.remembers(next)) << to_uci(move);
    }
    engine.new_game();
    EXPECT_FALSE(engine.remembers(start)) << "what was asked for first comes first";
}

TEST(Engine, BeingAskedWhatItRemembersChangesNothingAndWaitsForTheSearch) {
    Recorder asked, left_alone;
    Position position;
    std::vector<Move> moves;
    for (int ply = 0; ply < 6; ++ply) {
        for (Recorder* recorder : {&asked, &left_alone}) {
            recorder->engine.set_position(Position(), moves);
            recorder->engine.go(nodes(5000));
            if (recorder == &asked) {
                EXPECT_TRUE(asked.engine.remembers(position));
                EXPECT_FALSE(asked.engine.searching());
            }
            recorder->engine.wait();
        }
        const Move best = asked.best_moves.back().move;
        EXPECT_EQ(best, left_alone.best_moves.back().move);
        EXPECT_EQ(text(asked.infos.back()), text(left_alone.infos.back()));
        moves.push_back(best);
        position.play(best);
    }
}

TEST(Engine, OptionsRefuseWhatIsWrongAndChangeNothing) {
    Engine engine;
    const auto value = [&](std::string_view name) {
        for (const Option& o : engine.options())
            if (o.name == name) return o.value;
        return std::string("?");
    };
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"Hash", "0"},
             {"Hash", "-5"},
             {"Hash", "99999999999999999999"},
             {"Hash", "16x"},
             {"Hash", ""},
             {"Threads", "1e3"},
             {"UCI_Elo", "399"},
             {"UCI_Elo", "3201"},
             {"Skill", "Impossible"},
             {"Ponder", "yes"},
             {"no such option", "1"},
             {std::string(100000, 'a'), std::string(100000, '\n')}}) {
        const auto error = engine.set_option(name, text);
        ASSERT_TRUE(error) << name.substr(0, 40);
        EXPECT_LT(error->size(), 300u);
        EXPECT_EQ(error->find('\n'), std::string::npos);
    }
    EXPECT_EQ(value("Hash"), "16");
    EXPECT_EQ(value("UCI_Elo"), "1500");
    EXPECT_FALSE(engine.set_option("hASH", "8"));
    EXPECT_EQ(value("Hash"), "8");
    EXPECT_FALSE(engine.set_option("skill", "easy"));
    EXPECT_EQ(value("Skill"), "Easy");
}

TEST(Engine, EveryDefaultIsAllowed) {
    Engine engine;
    for (const Option& o : engine.options()) {
        EXPECT_EQ(engine.set_option(o.name, o.default_value), std::nullopt) << o.name;
        EXPECT_FALSE(o.help.empty()) << o.name;
    }
}

TEST(Engine, SeveralEnginesSearchAtOnce) {
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (int i = 0; i < 4; ++i) {
        recorders.push_back(std::make_unique<Recorder>());
        recorders.back()->engine.set_position(Position());
        recorders.back()->engine.go(nodes(20000));
    }
    for (auto& r : recorders) r->engine.wait();
    for (auto& r : recorders) {
        ASSERT_EQ(r->finished(), 1u);
        EXPECT_EQ(r->best_moves[0].move, recorders[0]->best_moves[0].move);
    }
}

// Meant for the thread sanitizer, too: they share the table, the histories and the end.
TEST(Engine, FourThreadsSearchTogetherAndEndTogether) {
    Recorder recorder;
    recorder.engine.set_option("Hash", "1");
    recorder.engine.set_option("Threads", "4");
    for (std::size_t round = 1; round <= 3; ++round) {
        Limits limits;
        limits.depth = 7;
        recorder.engine.go(limits);
        recorder.engine.wait();
        ASSERT_EQ(recorder.finished(), round);
        EXPECT_FALSE(recorder.best_moves.back().move.none());
    }
}

// Meant for the thread sanitizer: every public call from other threads while searches run.
TEST(Engine, CallsMayComeFromAnyThread) {
    Recorder recorder;
    recorder.engine.set_option("Hash", "1");
    recorder.engine.set_option("Threads", "3");
    std::atomic<bool> done{false};
    std::vector<std::thread> callers;
    callers.emplace_back([&] {
        while (!done) {
            recorder.engine.stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    callers.emplace_back([&] {
        for (int i = 0; i < 30 && !done; ++i) {
            recorder.engine.ponder_hit();
            recorder.engine.set_option("Hash", recorder.engine.searching() ? "2" : "3");
            recorder.engine.options();
            recorder.engine.position();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    callers.emplace_back([&] {
        for (int i = 0; i < 20 && !done; ++i) {
            recorder.engine.new_game();
            recorder.engine.set_option("Threads", "2");
            recorder.engine.set_position(Position(), {Move(Square::E2, Square::E4)});
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
    });
    std::size_t asked = 0;
    for (; asked < 40; ++asked) {
        Limits limits;
        limits.infinite = asked % 2 == 0;
        limits.ponder = asked % 3 == 0;
        if (asked % 2 != 0) limits.depth = 4;
        recorder.engine.go(limits);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    recorder.engine.wait();
    done = true;
    for (auto& t : callers) t.join();
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), asked);
}

TEST(Engine, DestructionEndsARunningSearch) {
    Recorder recorder;
    {
        Engine engine;
        Limits limits;
        limits.infinite = true;
        engine.go(limits);
        engine.go(limits);
    }
    SUCCEED();
}

}  // namespace
}  // namespace rokada::engine
