// SPDX-License-Identifier: GPL-3.0-or-later
// What `rokada lab levels` counts.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "lab/levels/report.hpp"

namespace rokada::lab {

namespace {

Position at(const char* fen) { return *parse_position(fen); }
Move san(const Position& position, const char* text) { return *parse_san(position, text); }

std::string file_with(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

TEST(Puzzles, AreReadFromTheColumnsOfTheDatabaseWhateverStandsBefore) {
    const std::string path = file_with(
        "levels_puzzles.csv",
        "PuzzleId,FEN,Moves,Rating,RatingDeviation\n"
        "CJi0b,6k1/p1p2ppp/1pqp2r1/3Q4/8/1P6/P1P2PPP/4RK2 b - - 8 22,c6d5 e1e8,400,116,81\n"
        "7,xyz,6k1/p1p2ppp/1pqp2r1/3Q4/8/1P6/P1P2PPP/4RK2 b - - 8 22,c6d5 e1e8,1234,1,1\n");
    const auto puzzles = read_puzzles(path);
    ASSERT_TRUE(puzzles) << puzzles.error();
    ASSERT_EQ(puzzles->size(), 2U);
    EXPECT_EQ((*puzzles)[0].rating, 400);
    EXPECT_EQ((*puzzles)[1].rating, 1234);
    EXPECT_EQ((*puzzles)[0].moves.size(), 2U);
}

TEST(Puzzles, ABrokenLineIsNamed) {
    const auto fails = [](const std::string& text, const std::string& part) {
        const auto read = read_puzzles(file_with("levels_broken.csv", "header\n" + text));
        ASSERT_FALSE(read);
        EXPECT_NE(read.error().find("line 2"), std::string::npos) << read.error();
        EXPECT_NE(read.error().find(part), std::string::npos) << read.error();
    };
    fails("x,8/8/8/8/8/8/8/8 w - - 0 1,e2e4 e7e5,1500\n", "king");
    fails("x,6k1/8/8/8/8/8/8/4RK2 b - - 8 22,g8h8 e1e9,1500\n", "e1e9");
    fails("x,6k1/8/8/8/8/8/8/4RK2 b - - 8 22,g8h8,1500\n", "two moves");
    fails("x,6k1/8/8/8/8/8/8/4RK2 b - - 8 22,g8h8 e1e8,many\n", "rating");
    fails("nothing\n", "no position");
    EXPECT_FALSE(read_puzzles("/nowhere/puzzles.csv"));
}

// The opponent's move, then the one move that is asked for.
Puzzle puzzle_of(const char* fen, const char* first, const char* answer) {
    Puzzle puzzle;
    puzzle.start = at(fen);
    Position position = puzzle.start;
    puzzle.moves = {san(position, first)};
    position.play(puzzle.moves[0]);
    puzzle.moves.push_back(san(position, answer));
    return puzzle;
}

TEST(Puzzles, AnyMateSolvesAndAnythingElseDoesNot) {
    LevelPlayer strong(3000);
    const char* const queen_hangs = "6k1/5ppp/8/8/8/8/q7/R3K2R b KQ - 0 1";
    EXPECT_TRUE(solves(strong, puzzle_of(queen_hangs, "Kf8", "Rxa2"), 1));
    EXPECT_FALSE(solves(strong, puzzle_of(queen_hangs, "Kf8", "Rb1"), 1));
    // Either rook mates.
    for (const char* answer : {"Ra8", "Rb8"})
        EXPECT_TRUE(
            solves(strong, puzzle_of("6k1/5ppp/8/8/8/8/8/RR2K3 b - - 0 1", "Kh8", answer), 1));
}

// Attempts drawn from the curve itself, as many as its probability says at each rating.
TEST(SolverFit, FindsTheCurveThatMadeTheAttempts) {
    for (const double slope : {0.7, 1.0, 1.6}) {
        std::vector<Attempt> attempts;
        for (int rating = 400; rating <= 2800; rating += 50) {
            const double p = 1 / (1 + std::pow(10, (rating - 1350) * slope / 400));
            for (int i = 0; i < 200; ++i) attempts.push_back({rating, i < std::lround(200 * p)});
        }
        const SolverFit fit = fit_solver(attempts);
        EXPECT_NEAR(fit.rating, 1350, 10);
        EXPECT_NEAR(fit.slope, slope, 0.05);
        EXPECT_GT(fit.error, 1);
        EXPECT_LT(fit.error, 30);
    }
    const SolverFit nothing = fit_solver({{1500, false}, {1500, false}});
    EXPECT_TRUE(std::isfinite(nothing.rating));
}

TEST(Technique, PositionsAreWonAndRepeatable) {
    for (const Ending& ending : basic_endings())
        for (std::uint64_t number = 1; number <= 50; ++number) {
            const Position position = ending_position(ending, number);
            EXPECT_EQ(position.occupied().count(), 2 + static_cast<int>(ending.men.size()));
            EXPECT_EQ(position.turn(), Color::White);
            EXPECT_EQ(to_fen(position), to_fen(ending_position(ending, number)));
            if (ending.name == "KBBK") {
                const Bitboard bishops = position.pieces(Color::White, PieceType::Bishop);
                EXPECT_EQ((bishops & kLightSquares).count(), 1) << to_fen(position);
            }
        }
}

TEST(Technique, FullStrengthMatesAndABeginnerDoesNotAlways) {
    LevelPlayer strong(3000);
    Judge defender(500);
    for (std::uint64_t number = 1; number <= 3; ++number)
        EXPECT_TRUE(
            wins_ending(strong, defender, ending_position(basic_endings()[0], number), number));
    // Two bishops are beyond the weakest.
    LevelPlayer weak(400);
    EXPECT_FALSE(wins_ending(weak, defender, ending_position(basic_endings()[3], 1), 1));
}

TEST(Conduct, KnowsWhatAnybodySees) {
    // A rook stands there for the taking.
    const Position free_rook = at("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1");
    EXPECT_TRUE(is_trivial(free_rook, Move(), free_rook));
    const Position calm = at("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
    EXPECT_FALSE(is_trivial(calm, Move(), calm));
    // A pawn attacks the queen, which has somewhere to go.
    const Position hit = at("4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1");
    EXPECT_TRUE(is_trivial(hit, Move(), hit));
    // Defended by a pawn the knight that just took a knight can still be taken back.
    const Position before = at("4k3/8/3p4/8/2n5/4N3/3P4/4K3 b - - 0 1");
    const Move takes = san(before, "Nxe3");
    Position after = before;
    after.play(takes);
    EXPECT_TRUE(is_trivial(before, takes, after));
}

TEST(Conduct, AQueenForLessThanARookIsAGift) {
    const Position position = at("4k3/8/2p5/8/8/8/3Q4/4K3 w - - 0 1");
    EXPECT_TRUE(gives_queen(position, san(position, "Qd5")));
    EXPECT_FALSE(gives_queen(position, san(position, "Qd4")));
    // For a queen it is a trade.
    const Position trade = at("3qk3/8/8/8/8/8/3Q4/4K3 w - - 0 1");
    EXPECT_FALSE(gives_queen(trade, san(trade, "Qxd8+")));
    // It was lost before.
    const Position attacked = at("4k3/8/8/4p3/3Q4/8/8/4K3 w - - 0 1");
    EXPECT_FALSE(gives_queen(attacked, san(attacked, "Kf1")));
}

TEST(Conduct, AWholeGameIsJudgedAndAddsUp) {
    LevelPlayer player(800, LevelPlayer::Book::Own);
    Judge judge(200);
    const Conduct one = play_and_judge(player, judge, 7);
    EXPECT_EQ(one.games, 1U);
    EXPECT_GT(one.all_moves, 10U);
    std::uint64_t shares = 0;
    for (const std::uint64_t share : one.shares) shares += share;
    EXPECT_EQ(shares, one.moves);
    EXPECT_LE(one.trivial_missed, one.trivial);
    const Conduct again = play_and_judge(player, judge, 7);
    EXPECT_EQ(again.all_moves, one.all_moves) << "the same seed plays the same game";
    Conduct sum = one;
    sum.add(again);
    EXPECT_EQ(sum.moves, one.moves + again.moves);
    EXPECT_EQ(sum.games, 2U);
}

TEST(LevelReport, TablesAndPlotHoldEveryLevel) {
    LevelSettings settings;
    settings.games = 1;
    settings.endings = 1;
    settings.judge_nodes = 100;
    settings.defender_nodes = 100;
    settings.concurrency = 2;
    const std::atomic<bool> stopping{false};
    std::size_t last = 0;
    const LevelReport report = measure_level(1500, settings, stopping,
                                             [&](std::size_t done, std::size_t) { last = done; });
    EXPECT_EQ(last, 1 + basic_endings().size());
    for (const EndingResult& ending : report.endings) EXPECT_EQ(ending.played, 1U);
    EXPECT_NE(level_line(report).find("1500"), std::string::npos);
    const std::string csv = level_csv({report});
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
    const auto header = csv.substr(0, csv.find('\n'));
    const auto row = csv.substr(csv.find('\n') + 1);
    EXPECT_EQ(std::count(header.begin(), header.end(), ','),
              std::count(row.begin(), row.end(), ','));
    EXPECT_NE(solver_svg({report}).find("<svg"), std::string::npos);
}

}  // namespace

}  // namespace rokada::lab
