// SPDX-License-Identifier: GPL-3.0-or-later
// Which positions of which games are trained on, which are kept aside, and what is shown of the run afterwards.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "chess/notation/uci_move.hpp"
#include "lab/training/score_scale.hpp"
#include "tests/lab/training_helpers.hpp"

namespace rokada::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string temp(const std::string& name) {
    return testing::TempDir() + "rokada_training_data_" + name;
}

// A game whose scores are the numbers of its plies.
TrainingGame game_of(const std::string& moves) {
    TrainingGame game;
    Position position;
    std::istringstream words(moves);
    for (std::string word; words >> word;) {
        const auto move = parse_uci_move(position, word);
        EXPECT_TRUE(move) << word;
        game.scores.push_back(static_cast<std::int16_t>(game.moves.size()));
        game.moves.push_back(encode_training_move(*move));
        position.play(*move);
    }
    return game;
}

std::string write_games(const std::string& name, const std::vector<TrainingGame>& games) {
    std::vector<unsigned char> bytes;
    for (const TrainingGame& game : games) append_training_game(game, bytes);
    EXPECT_EQ(write_training_file(temp(name), bytes), "");
    return temp(name);
}

std::vector<int> scores_of(const std::vector<Record>& records) {
    std::vector<int> scores;
    for (const Record& record : records) scores.push_back(record.score);
    return scores;
}

// The plies of one game that are kept. Game 0 is no game to be held out.
std::vector<int> kept(const TrainingGame& game, const RecordFilter& filter) {
    EXPECT_FALSE(is_held_out(0));
    const std::string path = write_games("one", {game});
    DataSet set;
    EXPECT_EQ(load_records(path, filter, set), "");
    EXPECT_TRUE(set.held_out.empty());
    EXPECT_EQ(set.positions, game.scores.size());
    std::remove(path.c_str());
    return scores_of(set.training);
}

TEST(LoadRecords, KeepsQuietPositionsOnly) {
    const RecordFilter all{0, 32000};
    // Captures (2, 3) and the position in check (6) are no quiet ones; the move that gives check (5) is played in one.
    EXPECT_THAT(kept(game_of("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2 e5e2"), all),
                ElementsAre(0, 1, 4, 5));
    // A promotion without a capture (8).
    EXPECT_THAT(kept(game_of("a2a4 b7b5 a4b5 b8a6 b5b6 a6c5 b6b7 c5a6 b7b8q"), all),
                ElementsAre(0, 1, 3, 4, 5, 6, 7));
    // En passant (4) is a capture.
    EXPECT_THAT(kept(game_of("e2e4 a7a6 e4e5 d7d5 e5d6 a6a5"), all), ElementsAre(0, 1, 2, 3, 5));
}

TEST(LoadRecords, LeavesOutTheOpeningAndLargeScores) {
    TrainingGame game = game_of("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    EXPECT_THAT(kept(game, {3, 32000}), ElementsAre(3, 4, 5, 6, 7));
    game.scores[5] = -3001;
    game.scores[6] = 3001;
    game.scores[7] = 3000;
    EXPECT_THAT(kept(game, {3, 3000}), ElementsAre(3, 4, 3000));
    // Plies of the opening have no score.
    game.opening = 4;
    game.scores = {40, 50, 60, 70};
    EXPECT_THAT(kept(game, {0, 3000}), ElementsAre(40, 50, 60, 70));
}

TEST(LoadRecords, HoldsOutOneGameInAHundredWhole) {
    // Every score says which game it is of; the second file goes on counting where the first ends.
    constexpr int games = 3000;
    std::vector<TrainingGame> halves[2];
    for (int g = 0; g < games; ++g) {
        TrainingGame game = game_of("g1f3 g8f6 f3g1 f6g8");
        for (std::int16_t& score : game.scores) score = static_cast<std::int16_t>(g);
        halves[g < games / 2 ? 0 : 1].push_back(game);
    }
    DataSet set;
    const RecordFilter all{0, 32000};
    for (const int half : {0, 1}) {
        const std::string path = write_games("half", halves[half]);
        ASSERT_EQ(load_records(path, all, set), "");
        std::remove(path.c_str());
    }
    EXPECT_EQ(set.games, static_cast<std::uint64_t>(games));
    EXPECT_EQ(set.training.size() + set.held_out.size(), 4u * games);
    std::set<int> held_out;
    for (const int game : scores_of(set.held_out)) held_out.insert(game);
    for (const int game : scores_of(set.training)) EXPECT_FALSE(held_out.contains(game)) << game;
    for (const int game : held_out)
        EXPECT_TRUE(is_held_out(static_cast<std::uint64_t>(game))) << game;
    EXPECT_EQ(set.held_out.size(), 4 * held_out.size());
    EXPECT_GT(held_out.size(), games / 200u);
    EXPECT_LT(held_out.size(), games / 50u);
}

TEST(LoadRecords, ABranchHasNoResultForEitherSide) {
    const Position white;
    Position black;
    black.play(Move(Square::E2, Square::E4));
    EXPECT_EQ(make_record(white, 5, kNoResult).result, kNoResult);
    EXPECT_EQ(make_record(black, 5, kNoResult).result, kNoResult);
    EXPECT_EQ(make_record(black, 5, 2).result, 0);
    EXPECT_EQ(make_record(black, 5, 0).result, 2);
}

// What is held out must not be known from the branches of its games; and branches change nothing for the games.
TEST(LoadRecords, BranchesAreHeldOutWithTheGameTheyFollow) {
    constexpr int games = 1500;
    std::vector<TrainingGame> plain, branched;
    for (int g = 0; g < games; ++g) {
        TrainingGame game = game_of("g1f3 g8f6 f3g1 f6g8");
        for (std::int16_t& score : game.scores) score = static_cast<std::int16_t>(g);
        plain.push_back(game);
        branched.push_back(game);
        TrainingGame branch = game_of("g1f3 g8f6 b1c3 b8c6 c3b1");
        branch.result = kNoResult;
        branch.opening = 4;
        branch.scores = {static_cast<std::int16_t>(g)};
        for (int i = 0; i < g % 4; ++i) branched.push_back(branch);
    }
    const RecordFilter all{0, 32000};
    const std::string one = write_games("plain", plain), two = write_games("branched", branched);
    DataSet without, with;
    ASSERT_EQ(load_records(one, all, without), "");
    ASSERT_EQ(load_records(two, all, with), "");
    EXPECT_EQ(with.games, without.games);
    EXPECT_EQ(with.branches, branched.size() - plain.size());
    EXPECT_EQ(with.positions, without.positions + with.branches);
    const auto games_in = [](const std::vector<Record>& records) {
        const auto scores = scores_of(records);
        return std::set<int>(scores.begin(), scores.end());
    };
    EXPECT_FALSE(games_in(without.held_out).empty());
    EXPECT_EQ(games_in(with.held_out), games_in(without.held_out));
    EXPECT_EQ(games_in(with.training), games_in(without.training));
    EXPECT_EQ(with.training.size() + with.held_out.size(),
              without.training.size() + without.held_out.size() + with.branches);
    for (const std::string& path : {one, two}) std::remove(path.c_str());
}

TEST(LoadRecords, NamesTheGameAndPlyOfAnIllegalMove) {
    TrainingGame wrong = game_of("e2e4 e7e5");
    wrong.moves[1] = wrong.moves[0];
    const std::string path = write_games("wrong", {game_of("e2e4"), wrong});
    DataSet set;
    EXPECT_EQ(load_records(path, {}, set), path + ": game 2, ply 2: no legal move");
    std::remove(path.c_str());
}

TEST(ScoreScale, IsFoundInTheResultsOfTheGames) {
    for (const double scale : {110.0, 250.0, 600.0}) {
        std::mt19937 random(7);
        std::normal_distribution<double> scores(0, 350);
        std::uniform_real_distribution<double> fate(0, 1);
        std::vector<Record> records(200'000);
        for (Record& record : records) {
            record.score = static_cast<std::int16_t>(std::lround(scores(random)));
            // A third of the points that are not certain are draws.
            const double p = 1 / (1 + std::exp(-record.score / scale));
            const double draw = std::min(p, 1 - p) * 2 / 3, at = fate(random);
            record.result = at < draw ? 1 : at < p + draw / 2 ? 2 : 0;
        }
        EXPECT_NEAR(fit_score_scale(records), scale, 0.03 * scale);
    }
}

TEST(ScoreScale, TakesNoNoticeOfWhatHasNoResult) {
    std::mt19937 random(8);
    std::vector<Record> records(5000);
    for (Record& record : records) {
        record.score = static_cast<std::int16_t>(static_cast<int>(random() % 1000) - 500);
        record.result = random() % 600 < static_cast<unsigned>(record.score + 550) ? 2 : 0;
    }
    const double fitted = fit_score_scale(records);
    for (int i = 0; i < 5000; ++i) {
        Record record;
        record.score = static_cast<std::int16_t>(-i % 700);
        record.result = kNoResult;
        records.push_back(record);
    }
    EXPECT_EQ(fit_score_scale(records), fitted);
}

TEST(ScoreScale, StaysInItsLimitsWhateverTheRecords) {
    std::vector<Record> records(1000);
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i].score = static_cast<std::int16_t>(i);
    for (Record& record : records) record.result = 1;  // scores mean nothing
    EXPECT_NEAR(fit_score_scale(records), kLargestScale, 1);
    for (Record& record : records) record.result = 2;  // any advantage wins
    EXPECT_NEAR(fit_score_scale(records), kSmallestScale, 1);
    const double none = fit_score_scale({});
    EXPECT_GE(none, kSmallestScale);
    EXPECT_LE(none, kLargestScale);
}

std::string output_of(const std::string& words) {
    FILE* const pipe = ::popen((std::string(ROKADA_BINARY) + " " + words + " 2>&1").c_str(), "r");
    std::string output;
    for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    ::pclose(pipe);
    return output;
}

TEST(ScoreScale, IsFittedByTheCommandUnlessGiven) {
    // Both sides shuffle their knights; White, always better, takes half of the games and draws the rest.
    std::vector<TrainingGame> games;
    for (int g = 0; g < 50; ++g) {
        std::string moves;
        for (int i = 0; i < 4; ++i) moves += "g1f3 g8f6 f3g1 f6g8 ";
        games.push_back(game_of(moves));
        for (std::size_t ply = 0; ply < games.back().scores.size(); ++ply)
            games.back().scores[ply] = ply % 2 == 0 ? 100 : -100;
        games.back().result = g % 2 == 0 ? 2 : 1;
    }
    const std::string path = write_games("command", games), network = temp("command.nn");
    DataSet set;
    ASSERT_EQ(load_records(path, {}, set), "");
    // 75 % of the points with 100 centipawns are 100 / ln 3; the game held out takes a little away.
    const double fitted = fit_score_scale(set.training);
    EXPECT_NEAR(fitted, 91.0, 5.0);
    const std::string command = "lab train " + path +
                                " --hidden 64 --batch 64 --samples 64 --threads 1 --fresh --out " +
                                network;
    EXPECT_THAT(output_of(command),
                HasSubstr(fmt::format("score scale {:.1f}, fitted to the results", fitted)));
    EXPECT_THAT(output_of(command + " --score-scale 250"), HasSubstr("score scale 250.0\n"));
    for (const char* end : {"", ".checkpoint", ".csv", ".svg"})
        std::remove((network + end).c_str());
    std::remove(path.c_str());
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++times;
    return times;
}

TEST(LossPlot, ShowsBothLossesOfEveryReport) {
    const DataSet set = small_set();
    TrainingPlan plan = small_training_plan();
    plan.samples = 512 * 30;
    plan.report_every = 512 * 10;
    plan.log = temp("losses.csv");
    ASSERT_EQ(Trainer(plan, set).run({}, [] { return true; }), "");
    const std::string plot = loss_plot(plan.log);
    EXPECT_EQ(plot.find("<svg"), 0u);
    EXPECT_THAT(plot, HasSubstr(">training</text>"));
    EXPECT_THAT(plot, HasSubstr(">held out</text>"));
    // Two curves of three points each.
    EXPECT_EQ(count(plot, "<path"), 2u);
    EXPECT_EQ(count(plot, " L"), 4u) << plot;
    std::remove(plan.log.c_str());
}

TEST(LossPlot, PassesOverALineThatWasCutOff) {
    const std::string path = temp("cut.csv");
    const std::string head = "samples,seconds,rate,training_loss,held_out_loss\n";
    std::ofstream(path) << head;
    EXPECT_EQ(loss_plot(path), "");
    std::ofstream(path) << head << "1000000,1,0.001,0.05,0.06\n";
    const std::string whole = loss_plot(path);
    EXPECT_NE(whole, "");
    std::ofstream(path) << head << "1000000,1,0.001,0.05,0.06\n2000000,2,0.00";
    EXPECT_EQ(loss_plot(path), whole);
    std::remove(path.c_str());
    EXPECT_EQ(loss_plot(path), "");
}

}  // namespace
}  // namespace rokada::lab
