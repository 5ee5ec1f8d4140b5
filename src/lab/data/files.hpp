// SPDX-License-Identifier: GPL-3.0-or-later
// Work on files of training games: what is in them, whether it is sound, mixing, turning them into
// other forms, and scoring them anew with our own search.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "lab/training/game_file.hpp"

namespace rokada::lab {

// Every text returned is empty if all went well, else it says what is wrong.

// What stands in a file: games, branches (see game_file.hpp), scored positions of both.
struct DataCounts {
    std::uint64_t games = 0, branches = 0, positions = 0;
    std::uint64_t entries() const { return games + branches; }
};

// Counts what is whole in a plain file and cuts off what an interrupted run may have left at its
// end. No file is an empty one.
std::string repair_training_file(const std::string& path, DataCounts& counts);

struct DataStats {
    std::uint64_t games = 0, branches = 0, positions = 0, plies = 0, bytes = 0;  // plies of games
    std::array<std::uint64_t, 3> results{};  // Black won, drawn, White won
    std::array<std::uint64_t, 8>
        pieces{};  // scored positions by men on the board: 2-5, 6-9, ... 30-32
    std::array<std::uint64_t, 7> scores{};  // by size: up to 50, 100, 200, 400, 800, 1600, more
    std::uint64_t mates = 0, in_check = 0, quiet = 0;
    std::uint64_t better_side_won = 0, decided = 0;  // positions beyond 200 in games with a winner
    std::uint64_t repeated = 0;                      // positions that have been seen before, by key
};
std::string data_stats(const std::string& path, DataStats& stats);

// Replays every game; the first that is wrong is named. A branch must share the opening of the game it follows.
std::string check_data(const std::string& path, DataCounts& counts);

// Branches go with their games.
std::string shuffle_data(const std::vector<std::string>& inputs, const std::string& output,
                         std::uint64_t seed, DataCounts& counts);

// From PGN with evaluations, or from training games; to training games (.bin, .zst) or to lines of EPD
// with score and result (.epd), by the names' endings. Left out are games of PGN without a result or with gaps among the
// evaluations, and in EPD, whose lines end with a result, branches.
struct ConvertCounts {
    std::uint64_t games = 0, branches = 0, left_out = 0;
};
std::string convert_data(const std::string& input, const std::string& output,
                         ConvertCounts& counts);

struct RelabelPlan {
    std::string input, output;  // the output is a plain file; resumed where it ends
    std::uint64_t nodes = 5000;
    int threads = 1;
    bool network = true;
    int hash_megabytes = 8;
};
struct RelabelReport {
    std::uint64_t games = 0, wanted = 0, new_positions = 0;  // branches count as games here
    double seconds = 0;
};
// Scores these games in place. False when keep_going said no or a move is illegal. `on_done` hears how
// many games are ready.
bool relabel_games(const RelabelPlan& plan, std::vector<TrainingGame>& games,
                   const std::function<bool()>& keep_going,
                   const std::function<void(std::size_t done)>& on_done = {});
// Whoever does that in our place; may take its time. The error is a sentence, or "stopped".
using RelabelElsewhere = std::function<Result<std::vector<TrainingGame>, std::string>(
    const std::vector<TrainingGame>& games, const std::function<bool()>& keep_going)>;
// "stopped" when keep_going said no. With `elsewhere` the threads hand blocks of games over and wait.
std::string relabel_data(const RelabelPlan& plan,
                         const std::function<void(const RelabelReport&)>& on_report,
                         const std::function<bool()>& keep_going,
                         const RelabelElsewhere& elsewhere = {});

}  // namespace rokada::lab
