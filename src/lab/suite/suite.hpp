// SPDX-License-Identifier: GPL-3.0-or-later
// Test suites: positions with a known answer (EPD with bm, am, scored moves in c0, or `bm #5` for
// mates), put to an engine one after the other. Also the speed of engines on fixed positions.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chess/notation/epd.hpp"
#include "chess/result.hpp"
#include "lab/match/engine_spec.hpp"

namespace rokada::lab {

struct SuitePosition {
    std::string id;
    Position position;
    std::vector<Move> best, avoid;
    std::vector<std::pair<Move, int>> points;  // of c0
    std::optional<int> mate;                   // the listed distance; negative: being mated
};

// A line that is no question is passed over; a broken one is an error with its number.
Result<std::vector<SuitePosition>, std::string> read_suite(const std::string& path, int every = 1);

struct SuiteAnswer {
    const SuitePosition* asked = nullptr;
    Move move;
    std::string failure;  // instead of a move
    protocol::ThoughtSummary thought;
    bool solved = false;
    int points = 0;
    std::string mate_problem;  // what is wrong with a claimed mate; empty if nothing
};

struct SuiteTotals {
    int positions = 0, solved = 0, failures = 0;
    int points = 0, most_points = 0;
    int mates_listed = 0, mates_claimed = 0, best_mates = 0, wrong_mates = 0;
};

// What is wrong with a mate score and its line: sign, length against the listed one, a line that
// does not end in checkmate. Empty if it is sound.
std::string check_mate_claim(const SuitePosition& asked, const protocol::ThoughtSummary& thought);

// Asks every position of a fresh game; several engines of the same kind at once.
Result<SuiteTotals, std::string> run_suite(
    const std::vector<SuitePosition>& suite, const EngineSpec& engine, int concurrency,
    const std::atomic<bool>& stopping, const std::function<void(const SuiteAnswer&)>& on_answer);

// Nodes per second of an engine over some positions, each searched as its terms say.
struct SpeedResult {
    std::uint64_t nodes = 0;
    double seconds = 0;
    double nodes_per_second() const {
        return seconds > 0 ? static_cast<double>(nodes) / seconds : 0;
    }
};
Result<SpeedResult, std::string> measure_speed(const std::vector<Position>& positions,
                                               const EngineSpec& engine);

}  // namespace rokada::lab
