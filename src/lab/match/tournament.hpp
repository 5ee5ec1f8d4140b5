// SPDX-License-Identifier: GPL-3.0-or-later
// A whole tournament: plays the schedule on several threads, keeps the games, counts, tests, and
// can be stopped and taken up again. The PGN file is its only memory: a game that is complete there
// has been played.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/match/engine_spec.hpp"
#include "lab/match/game_file.hpp"
#include "lab/match/game_play.hpp"
#include "lab/match/openings.hpp"
#include "lab/match/schedule.hpp"
#include "lab/match/statistics.hpp"

namespace rokada::lab {

// A game that was played somewhere: its record without the moves, and all of it as PGN.
struct FinishedGame {
    GameRecord record;
    std::string pgn;
};
// Plays games of one opening in their order, in our place; may take its time. The error is a sentence.
struct TournamentSettings;
using PlayElsewhere = std::function<Result<std::vector<FinishedGame>, std::string>(
    const TournamentSettings& settings, const std::vector<Pairing>& games, const Opening& opening,
    const std::atomic<bool>& cancelled)>;

struct TournamentSettings {
    std::string event = "Rokada match";
    std::vector<EngineSpec> engines;
    ScheduleSettings schedule;
    OpeningSettings openings;
    PlaySettings play;
    bool chess960 = false;
    int concurrency = 1;
    bool pin = true;               // every running game gets processors of its own
    bool restart_engines = false;  // a new process for every game
    std::optional<SprtSettings> sprt;
    std::string pgn_path;  // empty: the games are not kept
    bool resume = false;
    std::string log_path;  // the whole conversation with the engines
    // Set: every thread asks for a pair of games and waits; they are counted in their order.
    PlayElsewhere elsewhere;
};

// What is known of the games between two engines, seen from the first.
struct Encounter {
    WinsDrawsLosses games;
    PairCounts pairs{};
};

struct EngineTotals {
    WinsDrawsLosses games;
    int time_losses = 0, illegal_moves = 0, crashes = 0, hangs = 0, other_failures = 0;
};

class Standings {
  public:
    explicit Standings(std::size_t engines);
    void add(const Pairing& pairing, int white_points, Ending ending);

    const EngineTotals& engine(std::size_t i) const { return totals_[i]; }
    Encounter encounter(std::size_t first, std::size_t second) const;
    // All complete pairs of an engine against everyone.
    PairCounts pairs_of(std::size_t engine) const;
    int finished() const { return finished_; }
    std::size_t engines() const { return totals_.size(); }
    std::vector<std::size_t> ranking() const;  // best first

  private:
    std::vector<EngineTotals> totals_;
    std::map<std::pair<std::size_t, std::size_t>, Encounter> encounters_;  // first < second
    std::map<int, std::pair<Pairing, int>> half_pairs_;
    int finished_ = 0;
};

struct Progress {
    const GameRecord* last = nullptr;  // null at the start and after a resume
    const Standings& standings;
    int planned = 0;  // games known so far
    std::optional<double> llr;
    std::chrono::duration<double> elapsed{0};
    std::optional<std::chrono::duration<double>> left;
    int running = 0;
};

enum class TournamentEnd { Complete, SprtDecided, Stopped };

struct TournamentResult {
    explicit TournamentResult(std::size_t engines) : standings(engines) {}

    TournamentEnd end = TournamentEnd::Complete;
    Standings standings;
    int planned = 0;
    std::optional<double> llr;
    int resumed = 0;  // games taken over from the file
    // Of the games played now: how long it took, and how long the engines thought, all added up.
    std::chrono::duration<double> elapsed{0}, thinking{0};
};

class Tournament {
  public:
    explicit Tournament(TournamentSettings settings);
    ~Tournament();

    // Checks everything that can be checked before the first game, engines included. An error is a
    // sentence.
    std::optional<std::string> prepare();
    // Nobody needs to watch: `on_progress` may be empty.
    Result<TournamentResult, std::string> run(
        const std::function<void(const Progress&)>& on_progress);
    // For somebody else's tournament: these games, here and now. An engine that cannot be started is
    // our fault and not a lost game. `on_done` hears how many have ended.
    Result<std::vector<FinishedGame>, std::string> play_games(
        const std::vector<Pairing>& games, const Opening& opening,
        const std::function<void(std::size_t done)>& on_done = {});
    // From a signal or another thread: let the running games end / break them off.
    void stop_soon() { stopping_ = true; }
    void stop_now() {
        stopping_ = true;
        cancelled_ = true;
    }
    const TournamentSettings& settings() const { return settings_; }

  private:
    class Slot;
    class Run;

    TournamentSettings settings_;
    std::unique_ptr<OpeningBook> book_;
    std::atomic<bool> stopping_{false}, cancelled_{false};
};

}  // namespace rokada::lab
