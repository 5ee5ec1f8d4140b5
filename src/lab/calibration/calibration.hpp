// SPDX-License-Identifier: GPL-3.0-or-later
// How strong the levels are: plays dials against reference players of known strength and against
// each other, fits one scale, and writes the table that UCI_Elo uses. All games are kept as scores
// in one text file, so that a calibration can be stopped, resumed and extended.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "lab/calibration/rating_fit.hpp"
#include "lab/match/tournament.hpp"

namespace rokada::lab {

struct CalibrationSettings {
    std::string program;                  // ourselves
    std::string reference = "stockfish";  // Debian's, 15.1: the labels below are its
    std::string openings;                 // EPD or PGN
    std::string results = "levels.txt";   // one line per encounter: names, games, points
    std::string reference_terms;          // a time control for the references; empty: fixed depth
    std::vector<int> dials;               // empty: a default ladder
    int lowest = 0, highest = 3300;       // players outside this range rest
    int games = 20;                       // of one encounter
    int rounds = 1;                       // encounters of each dial
    double doubt = 60;  // how far off the labels of the references may be, as a standard deviation
    int concurrency = 1;
    PlayElsewhere elsewhere;  // set: the games are played there
};

struct Player {
    std::string name;    // "dial 300", "skill 4", "diluted 30"
    std::string engine;  // as `rokada match --engine` wants it
    int dial = -1;       // of our own levels
    Rated rating;
    std::optional<double> begun;  // the Elo it had before any fit
};

struct CalibrationProgress {
    std::string first, second;
    double games = 0, points = 0;
    int done = 0, planned = 0;
};

class Calibration {
  public:
    explicit Calibration(CalibrationSettings settings);

    // Reads the results so far, if there are any.
    std::optional<std::string> load();
    std::optional<std::string> run(
        const std::function<void(const CalibrationProgress&)>& on_progress);
    void stop() { stopping_ = true; }

    const std::vector<Player>& players() const { return players_; }
    double games() const;
    std::string table() const;  // for people
    std::string scale() const;  // src/engine/levels/scale.hpp
    std::string plot() const;   // SVG: Elo by dial

  private:
    struct Fitted {
        int dial;
        double elo, error;
    };
    void fit();
    std::vector<Fitted> curve() const;
    std::vector<std::pair<std::size_t, std::size_t>> next_round() const;
    Result<PairScore, std::string> play(std::size_t first, std::size_t second, std::uint64_t seed);
    double games_between(std::size_t first, std::size_t second) const;

    CalibrationSettings settings_;
    std::vector<Player> players_;
    std::vector<PairScore> scores_;
    std::atomic<bool> stopping_{false};
};

}  // namespace rokada::lab
