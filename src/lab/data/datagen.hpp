// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play games for training, in the format of lab/training/game_file.hpp: random openings, the
// same number of nodes for every move, all threads. A file can be continued at any time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "lab/match/adjudication.hpp"

namespace rokada::lab {

struct DatagenPlan {
    std::string output;
    std::uint64_t games = 10'000;  // in the file at the end, those already there included
    std::uint64_t nodes = 5'000;   // per move: no further iteration once they are searched
    int threads = 1;
    std::uint64_t seed = 1;
    int random_plies = 8;         // or one more, by lot
    int largest_opening = 150;    // centipawns; a more lopsided opening is thrown away
    double random_moves = 0.005;  // share of random moves before ply 80
    bool network = true;
    int hash_megabytes = 8;
    double branches = 0;             // share of the searches of which one position more is kept
    std::uint64_t branch_nodes = 0;  // for its score; 0: see label_nodes()
    std::uint64_t label_nodes() const {
        return branch_nodes > 0 ? branch_nodes : std::max<std::uint64_t>(nodes / 5, 200);
    }
    AdjudicationSettings adjudication{AdjudicationSettings::Resign{4, 1000, true},
                                      AdjudicationSettings::Draw{50, 8, 8}, 250};
};

struct DatagenReport {
    std::uint64_t games = 0, wanted = 0;  // in the file
    std::uint64_t new_games = 0, new_branches = 0, nodes = 0;
    std::uint64_t new_positions = 0;  // those of branches included
    double seconds = 0;
    std::uint64_t white_wins = 0, draws = 0, black_wins = 0;
    // Nodes per second of processor time, against that of one long search.
    double raw_speed = 0, speed = 0;
    double efficiency() const { return raw_speed > 0 ? speed / raw_speed : 0; }
};

// Games by their numbers: the same bytes wherever they are made. An opening that is not worth playing
// gives no game.
struct DatagenBlock {
    std::uint64_t salt = 0;  // games in the file when the run began
    std::uint64_t first = 0, count = 16;
};
struct DatagenGames {
    std::vector<std::string> games;  // the bytes of each, its branches after it
    std::uint64_t nodes = 0;
    double seconds = 0;  // of processor time
};
// Nothing when keep_going said no, which is asked before each game; `on_done` hears how many were tried.
std::optional<DatagenGames> make_games(const DatagenPlan& plan, const DatagenBlock& block,
                                       const std::function<bool()>& keep_going,
                                       const std::function<void(std::uint64_t done)>& on_done = {});
// Whoever makes them in our place; may take its time. The error is a sentence, or "stopped".
using DatagenElsewhere = std::function<Result<DatagenGames, std::string>(
    const DatagenBlock&, const std::function<bool()>& keep_going)>;

// With `elsewhere` the threads ask for blocks and wait; the games are written in the order of their numbers.
// "stopped" when keep_going said no; else empty or what went wrong. on_report comes about once a second.
std::string generate_games(const DatagenPlan& plan,
                           const std::function<void(const DatagenReport&)>& on_report,
                           const std::function<bool()>& keep_going,
                           const DatagenElsewhere& elsewhere = {});

}  // namespace rokada::lab
