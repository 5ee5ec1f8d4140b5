// SPDX-License-Identifier: GPL-3.0-or-later
// `go mate` answers the shortest mate with a complete line, or says that there is none.
#include "engine/search/mate_proof.hpp"

#include <random>

#include "tests/chess/shared_data.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

const auto kNeverStop = [](std::uint64_t) { return false; };

// Tries everything.
bool mates(const Position& position, int moves);
bool is_mated(const Position& position, int moves) {
    bool any = false;
    for (const Move move : legal_moves(position)) {
        any = true;
        Position next = position;
        next.play(move);
        if (moves == 0 || !mates(next, moves)) return false;
    }
    return any || position.in_check();
}
bool mates(const Position& position, int moves) {
    for (const Move move : legal_moves(position)) {
        Position next = position;
        next.play(move);
        if (is_mated(next, moves - 1)) return true;
    }
    return false;
}

void expect_mate_line(const Position& start, const std::vector<Move>& line, int moves) {
    EXPECT_EQ(static_cast<int>(line.size()), 2 * moves - 1);
    Position position = start;
    for (const Move move : line) {
        ASSERT_TRUE(position.is_legal(move));
        position.play(move);
    }
    EXPECT_TRUE(position.in_check() && !has_legal_move(position))
        << to_fen(start) << ' ' << text(line);
}

TEST(MateProof, AgreesWithTryingEverything) {
    // Random walks from positions in which mates are near.
    std::mt19937 random(4);
    int found = 0, none = 0;
    for (const char* fen :
         {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
          "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "4k3/8/4K3/8/8/8/8/7R w - - 0 1",
          "7k/5P2/6K1/8/8/8/8/8 w - - 0 1", "k7/2Q5/8/1pP5/8/2K5/8/8 w - b6 0 1"})
        for (int walk = 0; walk < 30; ++walk) {
            Position position = position_of(fen);
            for (int ply = 0; ply < 6; ++ply) {
                const MoveList moves = legal_moves(position);
                if (moves.empty()) break;
                MateProof proof(1, kNeverStop);
                for (int n = 1; n <= 2; ++n) {
                    const bool expected = mates(position, n);
                    ASSERT_EQ(proof.prove(position, n) == MateProof::Answer::Mate, expected)
                        << to_fen(position) << n;
                    ++(expected ? found : none);
                    if (!expected) continue;
                    expect_mate_line(position, proof.line(position, n), n);
                    break;
                }
                position.play(moves[random() % moves.size()]);
            }
        }
    EXPECT_GT(found, 50);
    EXPECT_GT(none, 50);
}

TEST(MateProof, FiftyMoveRuleEndsTheHunt) {
    // Mate in two, if there is time.
    for (const auto& [clock, expected] :
         {std::pair{0, true}, {96, true}, {97, true}, {98, false}}) {
        const Position position =
            position_of("7k/8/5K2/8/8/8/8/6R1 w - - " + std::to_string(clock) + " 90");
        MateProof proof(1, kNeverStop);
        EXPECT_EQ(proof.prove(position, 2) == MateProof::Answer::Mate, expected) << clock;
    }
}

TEST(GoMate, AnswersTheShortestMate) {
    Recorder recorder;
    Limits limits;
    limits.mate = 8;
    const BestMove best = recorder.think("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", limits);
    ASSERT_EQ(recorder.infos.size(), 1u);
    EXPECT_EQ(recorder.infos[0].score.moves_to_mate(), 3);
    EXPECT_EQ(best.move, recorder.infos[0].line[0]);
    expect_mate_line(position_of("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), recorder.infos[0].line,
                     3);
}

TEST(GoMate, SaysThatThereIsNone) {
    Recorder recorder;
    Limits limits;
    limits.mate = 2;
    const BestMove best = recorder.think("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", limits);
    EXPECT_THAT(recorder.messages, testing::ElementsAre("no mate in 2"));
    EXPECT_TRUE(best.move);
    recorder.messages.clear();
    recorder.think(kStartFen, limits);
    EXPECT_THAT(recorder.messages, testing::ElementsAre("no mate in 2"));
}

TEST(GoMate, KeepsToItsLimitsAndToTheMovesAsked) {
    Recorder recorder;
    Limits limits = nodes(5000);
    limits.mate = 50;
    EXPECT_TRUE(recorder.think(kStartFen, limits).move);
    ASSERT_EQ(recorder.messages.size(), 1u);
    EXPECT_THAT(recorder.messages[0], testing::HasSubstr("stopped: no mate in"));
    // The only mate in one is not among the moves asked for.
    recorder.messages.clear();
    Limits other;
    other.mate = 1;
    other.search_moves = {Move(Square::A1, Square::A2)};
    EXPECT_EQ(recorder.think("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", other).move,
              other.search_moves[0]);
    EXPECT_THAT(recorder.messages, testing::ElementsAre("no mate in 1"));
}

TEST(GoMate, StopsWhenTold) {
    Recorder recorder;
    Limits limits;
    limits.mate = 100;
    recorder.engine.set_position(Position());
    recorder.engine.go(limits);
    recorder.engine.stop();
    recorder.engine.wait();
    EXPECT_EQ(recorder.finished(), 1u);
    EXPECT_TRUE(recorder.best_moves[0].move);
}

TEST(GoMate, RecordedMatesAreFoundAndNotShorter) {
    const auto folder = testing_support::shared_data("suites/mate");
    if (folder.empty()) GTEST_SKIP() << "no mate problems here";
    const bool all = std::getenv("ROKADA_LONG") != nullptr;
    int solved = 0, number = 0;
    for (const std::string& line : testing_support::read_lines(folder / "matetrack.epd")) {
        const int moves = std::stoi(line.substr(line.find("bm #") + 4));
        if (moves < 1 || moves > (all ? 6 : 4) || number++ % (all ? 1 : 2) != 0) continue;
        std::istringstream words(line);
        std::string fen, word;
        for (int i = 0; i < 4 && words >> word; ++i) fen += word + ' ';
        const Position position = position_of(fen + "0 1");
        Recorder recorder;
        recorder.engine.set_position(position);
        Limits limits = nodes(all ? 20'000'000 : 500'000);
        limits.mate = moves;
        recorder.engine.think(limits);
        // With too few nodes it may not come to an end; what it says is right in any case.
        EXPECT_NE(recorder.messages,
                  std::vector<std::string>{"no mate in " + std::to_string(moves)})
            << line;
        if (!recorder.messages.empty()) continue;
        ++solved;
        EXPECT_EQ(recorder.infos[0].score.moves_to_mate(), moves) << line;
        expect_mate_line(position, recorder.infos[0].line, moves);
    }
    EXPECT_GT(solved, all ? 300 : 40);
}

}  // namespace
}  // namespace rokada::engine
