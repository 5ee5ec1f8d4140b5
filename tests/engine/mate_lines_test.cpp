// SPDX-License-Identifier: GPL-3.0-or-later
// Every mate that the search claims comes with a complete line that ends in checkmate, in every line of MultiPV, with
// several threads, at every depth; and it is not shorter than is possible.
#include "tests/chess/shared_data.hpp"
#include "tests/engine/helpers.hpp"

namespace rokada::engine {
namespace {

struct Problem {
    std::string fen;
    int moves;  // at least; negative: the side to move is mated
};

int incomplete_lines(const Position& start, const std::vector<Info>& infos) {
    int wrong = 0;
    for (const Info& info : infos) {
        Position position = start;
        bool legal = true;
        for (const Move m : info.line) {
            legal = legal && position.is_legal(m);
            if (legal) position.play(m);
        }
        EXPECT_TRUE(legal) << to_fen(start) << ' ' << text(info);
        if (!info.score.is_mate() || info.bound != Bound::Exact) continue;
        const int moves = info.score.moves_to_mate();
        const int plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
        const bool complete = static_cast<int>(info.line.size()) == plies && position.in_check() &&
                              !has_legal_move(position);
        wrong += !complete;
        EXPECT_TRUE(complete) << to_fen(start) << ' ' << text(info);
    }
    return wrong;
}

std::vector<Problem> own_problems() {
    return {{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2}, {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
            {"8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 1},     {"8/8/8/3k4/8/8/8/K6R w - - 0 1", 1},
            {"7k/8/8/8/8/8/8/KBN5 b - - 0 1", -1},    {"8/8/1PK5/8/8/1k6/8/8 w - - 0 1", 1}};
}

std::vector<Problem> recorded_problems(int step) {
    std::vector<Problem> problems;
    const auto folder = testing_support::shared_data("suites/mate");
    if (folder.empty()) return problems;
    int number = 0;
    for (const char* name : {"matetrack.epd", "mates2000.epd", "KRvK1000.epd"})
        for (const std::string& line : testing_support::read_lines(folder / name)) {
            if (number++ % step != 0) continue;
            std::istringstream words(line);
            Problem problem;
            std::string word;
            for (int i = 0; i < 4 && words >> word; ++i) problem.fen += word + ' ';
            problem.fen += "0 1";
            problem.moves = std::stoi(line.substr(line.find("bm #") + 4));
            problems.push_back(problem);
        }
    return problems;
}

TEST(MateLines, AreCompleteAndNotShorterThanPossible) {
    const bool all = std::getenv("ROKADA_LONG") != nullptr;
    auto problems = recorded_problems(all ? 13 : 150);
    for (const Problem& problem : own_problems()) problems.push_back(problem);
    int claimed = 0;
    for (const Problem& problem : problems) {
        Recorder recorder;
        recorder.engine.set_option("Hash", "4");
        recorder.think(problem.fen, nodes(all ? 1'000'000 : 60'000));
        incomplete_lines(position_of(problem.fen), recorder.infos);
        for (const Info& info : recorder.infos) {
            if (!info.score.is_mate() || info.bound != Bound::Exact) continue;
            ++claimed;
            EXPECT_EQ(info.score.moves_to_mate() > 0, problem.moves > 0) << problem.fen;
            if (problem.moves > 0) {
                EXPECT_GE(info.score.moves_to_mate(), problem.moves) << problem.fen;
            }
        }
    }
    EXPECT_GT(claimed, 20);
}

TEST(MateLines, AreCompleteInEveryLineAndWithSeveralThreads) {
    auto problems = recorded_problems(600);
    for (const Problem& problem : own_problems()) problems.push_back(problem);
    for (const Problem& problem : problems) {
        Recorder recorder;
        recorder.engine.set_option("Hash", "4");
        recorder.engine.set_option("MultiPV", "4");
        recorder.think(problem.fen, nodes(60'000));
        recorder.engine.set_option("MultiPV", "1");
        recorder.engine.set_option("Threads", "3");
        recorder.engine.wait();
        recorder.think(problem.fen, nodes(60'000));
        incomplete_lines(position_of(problem.fen), recorder.infos);
    }
}

}  // namespace
}  // namespace rokada::engine
