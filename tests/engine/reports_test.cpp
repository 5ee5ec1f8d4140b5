// SPDX-License-Identifier: GPL-3.0-or-later
// What a search tells while it runs: chances, depths, bounds, the move it is busy with; contempt and MultiPV.
#include <set>
#include <thread>

#include "engine/win_chances.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

TEST(WinChances, AddUpAndGrowWithTheScore) {
    const std::string_view fens[] = {kStartFen,
                                     "8/5pk1/6p1/1p1Pp2p/1P2P2P/5PP1/r4K2/3R4 w - - 1 42",
                                     "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"};
    for (const std::string_view fen : fens) {
        const Position position = position_of(fen);
        int last = 0;
        for (int score = -3000; score <= 3000; score += 50) {
            const WinChances chances = win_chances(Score::centipawns(score), position);
            EXPECT_EQ(chances.win + chances.draw + chances.loss, 1000);
            EXPECT_GE(chances.win, last);
            EXPECT_GE(chances.draw, 0);
            last = chances.win;
            // The other side sees the same the other way round.
            const WinChances other = win_chances(Score::centipawns(-score), position);
            EXPECT_NEAR(other.loss, chances.win, 1);
        }
        EXPECT_GT(last, 950);
    }
    EXPECT_EQ(win_chances(Score::mate_in(3), Position()).win, 1000);
    EXPECT_EQ(win_chances(Score::mated_in(3), Position()).loss, 1000);
    EXPECT_EQ(win_chances(Score::mated_in(0), Position()).loss, 1000);
}

TEST(Reports, AreComplete) {
    Recorder recorder;
    recorder.think(kStartFen, depth(10));
    ASSERT_EQ(recorder.infos.size(), 10u);
    std::uint64_t nodes_before = 0;
    for (const Info& info : recorder.infos) {
        EXPECT_EQ(info.chances.win + info.chances.draw + info.chances.loss, 1000);
        EXPECT_GE(info.selective_depth, 1);
        EXPECT_GE(info.nodes, nodes_before);
        EXPECT_FALSE(info.line.empty());
        nodes_before = info.nodes;
    }
    EXPECT_GE(recorder.infos.back().selective_depth, 10);
    EXPECT_GT(recorder.infos.back().hash_full, 0);
    EXPECT_EQ(recorder.infos.back().tablebase_hits, 0u);
}

TEST(Reports, TellTheCurrentMoveOnlyAfterSeconds) {
    std::mutex mutex;
    std::vector<CurrentMove> early, late;
    const auto begin = std::chrono::steady_clock::now();
    Callbacks callbacks;
    callbacks.on_current_move = [&](const CurrentMove& current) {
        const std::lock_guard lock(mutex);
        const bool soon =
            std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(2500);
        (soon ? early : late).push_back(current);
    };
    Engine engine(callbacks);
    Limits limits = move_time(3600);
    engine.set_position(
        position_of("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"));
    engine.think(limits);
    EXPECT_TRUE(early.empty());
    for (const CurrentMove& current : late) {
        EXPECT_TRUE(engine.position().is_legal(current.move));
        EXPECT_GE(current.number, 1);
        EXPECT_GE(current.depth, 1);
    }
}

TEST(Contempt, MakesADrawWorseForTheSideToMove) {
    for (const int contempt : {-120, -30, 0, 40, 150}) {
        Recorder recorder;
        recorder.engine.set_option("Contempt", std::to_string(contempt));
        // Nothing but kings: a draw whatever happens.
        recorder.think("7k/8/8/8/8/8/8/K7 w - - 0 1", depth(6));
        EXPECT_NEAR(recorder.infos.back().score.centipawns(), -contempt, 1);
    }
}

TEST(MultiPv, ShowsEveryMoveThereIs) {
    Recorder recorder;
    recorder.engine.set_option("MultiPV", "218");
    recorder.think(kStartFen, depth(4));
    ASSERT_GE(recorder.infos.size(), 20u);
    std::set<std::uint16_t> moves;
    for (auto info = recorder.infos.end() - 20; info != recorder.infos.end(); ++info) {
        EXPECT_EQ(info->depth, 4);
        moves.insert(info->line.at(0).bits());
    }
    EXPECT_EQ(moves.size(), 20u);
}

TEST(MultiPv, KeepsToTheMovesAskedFor) {
    Recorder recorder;
    recorder.engine.set_option("MultiPV", "3");
    Limits limits = depth(5);
    limits.search_moves = {Move(Square::A2, Square::A3), Move(Square::H2, Square::H3)};
    recorder.think(kStartFen, limits);
    std::set<int> ranks;
    for (const Info& info : recorder.infos) {
        ranks.insert(info.multipv);
        EXPECT_TRUE(info.line[0] == limits.search_moves[0] ||
                    info.line[0] == limits.search_moves[1]);
    }
    EXPECT_EQ(ranks, (std::set<int>{1, 2}));
}

TEST(Reproducible, WithAllThatIsReported) {
    std::vector<std::string> first;
    for (int round = 0; round < 2; ++round) {
        Recorder recorder;
        recorder.engine.set_option("MultiPV", "2");
        recorder.engine.set_option("Hash", "2");
        std::vector<std::string> lines;
        // Also a second search that finds the memory of the first.
        for (const std::uint64_t count : {7000, 20000, 31337})
            recorder.think(kStartFen, nodes(count));
        for (const Info& info : recorder.infos)
            lines.push_back(text(info) + std::to_string(info.hash_full) + ' ' +
                            std::to_string(info.chances.win));
        for (const BestMove& best : recorder.best_moves)
            lines.push_back(to_uci(best.move) + (best.ponder ? to_uci(best.ponder) : ""));
        if (round == 0)
            first = lines;
        else
            EXPECT_EQ(lines, first);
    }
}

}  // namespace
}  // namespace rokada::engine
