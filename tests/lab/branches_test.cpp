// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of self-play games: what they are, that games do not notice them, and that files with them survive everything
// that files without them do.
#include "lab/data/branches.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>

#include "chess/notation/fen.hpp"
#include "lab/data/files.hpp"

namespace rokada::lab {
namespace {

using testing::HasSubstr;

std::string temp(const std::string& name) { return testing::TempDir() + "rokada_branches_" + name; }

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string bytes_of(const std::vector<TrainingGame>& games) {
    std::vector<unsigned char> bytes;
    for (const TrainingGame& game : games) append_training_game(game, bytes);
    return {bytes.begin(), bytes.end()};
}

std::string write(const std::string& name, const std::vector<TrainingGame>& games) {
    const std::string bytes = bytes_of(games);
    EXPECT_EQ(write_training_file(temp(name), {bytes.begin(), bytes.end()}), "");
    return temp(name);
}

std::vector<TrainingGame> games_of(const std::string& path) {
    std::vector<TrainingGame> games;
    EXPECT_EQ(read_training_games(path, [&](const TrainingGame& g) { games.push_back(g); }), "");
    return games;
}

std::vector<TrainingGame> without_branches(std::vector<TrainingGame> games) {
    std::erase_if(games, [](const TrainingGame& game) { return game.is_branch(); });
    return games;
}

DatagenPlan plan_for(const std::string& name, double branches, std::uint64_t games = 6) {
    DatagenPlan plan;
    plan.output = temp(name);
    plan.games = games;
    plan.nodes = 150;
    plan.branch_nodes = 60;
    plan.branches = branches;
    plan.hash_megabytes = 1;
    plan.network = false;
    plan.adjudication.max_moves = 40;
    return plan;
}

DatagenReport generate(const DatagenPlan& plan, const DatagenElsewhere& elsewhere = {}) {
    DatagenReport last;
    EXPECT_EQ(generate_games(
                  plan, [&](const DatagenReport& report) { last = report; }, [] { return true; },
                  elsewhere),
              "");
    return last;
}

DatagenReport generate_anew(const DatagenPlan& plan, const DatagenElsewhere& elsewhere = {}) {
    std::filesystem::remove(plan.output);
    return generate(plan, elsewhere);
}

// Made once: games with many branches.
const std::vector<TrainingGame>& some_games() {
    static const std::vector<TrainingGame> games = [] {
        const DatagenPlan plan = plan_for("some.bin", 0.5, 8);
        generate_anew(plan);
        return games_of(plan.output);
    }();
    return games;
}

Position after(const TrainingGame& game, std::size_t plies) {
    Position position;
    for (std::size_t i = 0; i < plies; ++i) {
        const Move move = decode_training_move(position, game.moves[i]);
        EXPECT_TRUE(move);
        position.play(move);
    }
    return position;
}

TEST(Branches, LeaveTheGamesAsTheyAre) {
    const DatagenPlan plain = plan_for("plain.bin", 0), branched = plan_for("branched.bin", 0.4);
    EXPECT_EQ(generate_anew(plain).new_branches, 0u);
    const DatagenReport report = generate_anew(branched);
    const auto games = games_of(branched.output);
    EXPECT_EQ(report.new_games, 6u);
    EXPECT_GT(report.new_branches, 20u);
    EXPECT_EQ(games.size(), report.new_games + report.new_branches);
    EXPECT_EQ(report.white_wins + report.draws + report.black_wins, 6u);
    EXPECT_EQ(bytes_of(without_branches(games)), bytes_of(plain.output));
    std::uint64_t positions = 0;
    for (const TrainingGame& game : games) positions += game.scores.size();
    EXPECT_EQ(report.new_positions, positions);
}

TEST(Branches, AreTheSameForTheSameSeedHereOrElsewhere) {
    const DatagenPlan plan = plan_for("here.bin", 0.3, 20);
    generate_anew(plan);
    DatagenPlan elsewhere = plan_for("elsewhere.bin", 0.3, 20);
    elsewhere.threads = 3;
    generate_anew(
        elsewhere,
        [&](const DatagenBlock& block,
            const std::function<bool()>& keep_going) -> Result<DatagenGames, std::string> {
            auto made = make_games(elsewhere, block, keep_going);
            if (!made) return Error{std::string("stopped")};
            return std::move(*made);
        });
    EXPECT_EQ(bytes_of(plan.output), bytes_of(elsewhere.output));

    // With threads games come in another order, each with its own branches.
    DatagenPlan threads = plan_for("threads.bin", 0.3, 20);
    threads.threads = 2;
    generate_anew(threads);
    const auto units = [](const std::string& path) {
        std::set<std::string> found;
        std::vector<TrainingGame> unit;
        for (const TrainingGame& game : games_of(path)) {
            if (!game.is_branch() && !unit.empty()) {
                found.insert(bytes_of(unit));
                unit.clear();
            }
            unit.push_back(game);
        }
        found.insert(bytes_of(unit));
        return found;
    };
    // The last ones begun may be others.
    const auto one = units(plan.output), two = units(threads.output);
    EXPECT_EQ(one.size(), 20u);
    std::vector<std::string> both;
    std::set_intersection(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(both));
    EXPECT_GE(both.size(), 18u);
}

TEST(Branches, AreLegalCalmNewAndBehindTheirGame) {
    std::size_t branches = 0;
    std::set<Key> on_board;
    TrainingGame game;
    for (const TrainingGame& one : some_games()) {
        if (!one.is_branch()) {
            game = one;
            on_board.clear();
            for (std::size_t i = 0; i <= game.moves.size(); ++i)
                on_board.insert(after(game, i).key());
            continue;
        }
        ++branches;
        ASSERT_EQ(one.scores.size(), 1u);
        ASSERT_EQ(one.moves.size(), static_cast<std::size_t>(one.opening) + 1);
        const Position position = after(one, one.moves.size() - 1);
        EXPECT_TRUE(is_calm(position)) << to_fen(position);
        EXPECT_TRUE(on_board.insert(position.key()).second) << to_fen(position);
        const Move best = decode_training_move(position, one.moves.back());
        ASSERT_TRUE(best) << to_fen(position);
        EXPECT_FALSE(position.is_capture(best) || best.is_promotion());
        // Eight plies or fewer off the game.
        const auto parted = std::mismatch(one.moves.begin(), one.moves.end() - 1,
                                          game.moves.begin(), game.moves.end())
                                .first;
        EXPECT_GE(parted - one.moves.begin(), game.opening);
        EXPECT_LE(one.moves.end() - 1 - parted, 8);
    }
    EXPECT_GT(branches, 60u);
    DataCounts counts;
    EXPECT_EQ(check_data(write("some.bin", some_games()), counts), "");
    EXPECT_EQ(counts.branches, branches);
    EXPECT_EQ(counts.games, 8u);
}

TEST(Branches, HaveScoresThatMeanSomething) {
    // Who is a queen up is better, in nearly all of them.
    int clear = 0, right = 0;
    for (const TrainingGame& one : some_games()) {
        if (!one.is_branch()) continue;
        const Position position = after(one, one.moves.size() - 1);
        int balance = 0;
        constexpr int worth[] = {1, 3, 3, 5, 9, 0};
        for (const Square s : position.occupied())
            balance += (color_of(position.at(s)) == position.turn() ? 1 : -1) *
                       worth[index(type_of(position.at(s)))];
        if (std::abs(balance) < 4) continue;
        ++clear;
        right += (balance > 0) == (one.scores[0] > 0);
    }
    EXPECT_GT(clear, 10);
    EXPECT_GT(right, clear * 8 / 10) << clear;
}

TEST(Branches, CalmIsWhereNothingIsToBeWonAtOnce) {
    const auto calm = [](const char* fen) { return is_calm(*parse_position(fen)); };
    EXPECT_TRUE(calm("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    EXPECT_FALSE(calm("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")) << "in check";
    EXPECT_FALSE(calm("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")) << "a pawn for nothing";
    EXPECT_TRUE(calm("4k3/8/2p5/3p4/8/1B6/8/4K3 w - - 0 1")) << "a pawn for a bishop";
    EXPECT_FALSE(calm("8/P6k/8/8/8/8/8/4K3 w - - 0 1")) << "a new queen";
}

// Whatever the machine was doing when it went down, games are made again where they end, branches or not.
TEST(Branches, AFileThatIsCutAnywhereGoesOn) {
    const DatagenPlan plan = plan_for("cut.bin", 0.5, 3);
    generate_anew(plan);
    const std::string whole = bytes_of(plan.output);
    const auto entries = games_of(plan.output);
    ASSERT_TRUE(entries.back().is_branch());
    const std::size_t last = bytes_of({entries.back()}).size();
    for (const std::size_t lost : {std::size_t{1}, last - 5, last - 1, last}) {
        std::ofstream(plan.output, std::ios::binary) << whole.substr(0, whole.size() - lost);
        DataCounts counts;
        ASSERT_EQ(repair_training_file(plan.output, counts), "");
        EXPECT_EQ(counts.games, 3u);
        EXPECT_EQ(counts.entries(), entries.size() - 1) << lost;
        DatagenPlan more = plan;
        more.games = 5;
        EXPECT_EQ(generate(more).new_games, 2u);
        const auto found = games_of(plan.output);
        EXPECT_EQ(without_branches(found).size(), 5u);
        EXPECT_EQ(bytes_of(plan.output).substr(0, whole.size() - last),
                  whole.substr(0, whole.size() - last));
        DataCounts all;
        EXPECT_EQ(check_data(plan.output, all), "");
    }
    // A branch is no game: three are three, and nothing is added.
    std::ofstream(plan.output, std::ios::binary) << whole;
    EXPECT_EQ(generate(plan).new_games, 0u);
    EXPECT_EQ(bytes_of(plan.output), whole);
}

TEST(Branches, CheckNamesOneThatIsNotOfTheGameBeforeIt) {
    const auto& games = some_games();
    const auto branch =
        std::find_if(games.begin(), games.end(), [](const auto& g) { return g.is_branch(); });
    ASSERT_NE(branch, games.end());
    const auto plain = without_branches(games);
    DataCounts counts;
    EXPECT_THAT(check_data(write("alone.bin", {*branch}), counts),
                HasSubstr("game 1: a branch that is not of the game before it"));
    counts = {};
    const TrainingGame& other = plain[1];
    ASSERT_FALSE(std::equal(other.moves.begin(), other.moves.begin() + other.opening,
                            branch->moves.begin()));
    EXPECT_THAT(check_data(write("other.bin", {plain[0], *branch, other, *branch}), counts),
                HasSubstr("game 4: a branch that is not of the game before it"));
    TrainingGame illegal = *branch;
    illegal.moves.back() = illegal.moves.front();
    counts = {};
    EXPECT_THAT(check_data(write("illegal.bin", {plain[0], illegal}), counts),
                HasSubstr("game 2, ply"));
}

TEST(Branches, AreCountedApart) {
    const auto& games = some_games();
    const auto plain = without_branches(games);
    DataStats with, without;
    ASSERT_EQ(data_stats(write("with.bin", games), with), "");
    ASSERT_EQ(data_stats(write("without.bin", plain), without), "");
    EXPECT_EQ(with.branches, games.size() - plain.size());
    EXPECT_EQ(with.games, without.games);
    EXPECT_EQ(with.results, without.results);
    EXPECT_EQ(with.plies, without.plies);
    EXPECT_EQ(with.decided, without.decided);
    EXPECT_EQ(with.better_side_won, without.better_side_won);
    EXPECT_EQ(with.positions, without.positions + with.branches);
    EXPECT_EQ(with.bytes, bytes_of(games).size());
}

TEST(Branches, StayBehindTheirGamesWhenShuffled) {
    const std::string path = write("some.bin", some_games()), mixed = temp("mixed.bin.zst");
    DataCounts counts, after_it;
    ASSERT_EQ(shuffle_data({path, path}, mixed, 5, counts), "");
    EXPECT_EQ(counts.games, 16u);
    EXPECT_EQ(counts.entries(), 2 * some_games().size());
    EXPECT_EQ(check_data(mixed, after_it), "");
    EXPECT_EQ(after_it.branches, counts.branches);
    EXPECT_NE(bytes_of(games_of(mixed)), bytes_of(path) + bytes_of(path));
}

TEST(Branches, ArePackedWithTheRestAndLeftOutOfEpd) {
    const auto plain = without_branches(some_games());
    const std::string path = write("some.bin", some_games());
    ConvertCounts packed, lines, plain_lines;
    ASSERT_EQ(convert_data(path, temp("packed.zst"), packed), "");
    EXPECT_EQ(bytes_of(games_of(temp("packed.zst"))), bytes_of(path));
    EXPECT_EQ(packed.games, plain.size());
    EXPECT_EQ(packed.branches, some_games().size() - plain.size());
    EXPECT_EQ(packed.left_out, 0u);
    ASSERT_EQ(convert_data(path, temp("with.epd"), lines), "");
    ASSERT_EQ(convert_data(write("plain.bin", plain), temp("without.epd"), plain_lines), "");
    EXPECT_EQ(bytes_of(temp("with.epd")), bytes_of(temp("without.epd")));
    EXPECT_EQ(lines.games, plain.size());
    EXPECT_EQ(lines.branches, 0u);
    EXPECT_EQ(lines.left_out, packed.branches);
}

// A game that goes on is no branch of the one before it.
TEST(Branches, AGameOfPgnWithoutAResultDoesNotBecomeOne) {
    std::ofstream(temp("open.pgn")) << "[Result \"1-0\"]\n\n1. e4 {[%eval 0.2]} 1-0\n\n"
                                       "[Result \"*\"]\n\n1. d4 {[%eval 0.2]} *\n";
    ConvertCounts counts;
    ASSERT_EQ(convert_data(temp("open.pgn"), temp("open.bin"), counts), "");
    EXPECT_EQ(counts.games, 1u);
    EXPECT_EQ(counts.left_out, 1u);
}

TEST(Branches, AreScoredAnewLikeGames) {
    RelabelPlan plan;
    plan.input = write("some.bin", some_games());
    plan.output = temp("scored.bin");
    plan.nodes = 40;
    plan.threads = 2;
    plan.network = false;
    plan.hash_megabytes = 1;
    std::filesystem::remove(plan.output);
    ASSERT_EQ(relabel_data(plan, nullptr, [] { return true; }), "");
    const auto scored = games_of(plan.output);
    const std::string whole = bytes_of(plan.output);
    ASSERT_EQ(scored.size(), some_games().size());
    for (std::size_t i = 0; i < scored.size(); ++i) {
        EXPECT_EQ(scored[i].moves, some_games()[i].moves);
        EXPECT_EQ(scored[i].result, some_games()[i].result);
        EXPECT_EQ(scored[i].opening, some_games()[i].opening);
    }
    // Cut in the middle of a branch, which is not the last entry.
    std::size_t bytes = 0, entries = 0;
    while (entries < 3 || !scored[entries].is_branch())
        bytes += bytes_of({scored[entries++]}).size();
    std::filesystem::resize_file(plan.output, bytes + 7);
    RelabelReport last;
    ASSERT_EQ(relabel_data(
                  plan, [&](const RelabelReport& report) { last = report; }, [] { return true; }),
              "");
    EXPECT_EQ(bytes_of(plan.output), whole);
    EXPECT_EQ(last.games, scored.size());
    EXPECT_EQ(last.wanted, scored.size());
}

TEST(Branches, TakeAFifthOfTheNodesUnlessToldOtherwise) {
    DatagenPlan plan;
    plan.nodes = 5000;
    EXPECT_EQ(plan.label_nodes(), 1000u);
    plan.nodes = 400;
    EXPECT_EQ(plan.label_nodes(), 200u);
    plan.branch_nodes = 50;
    EXPECT_EQ(plan.label_nodes(), 50u);
}

}  // namespace
}  // namespace rokada::lab
