// SPDX-License-Identifier: GPL-3.0-or-later
// What each technique is worth: the lab's engine searches and plays without it. The list is the one of
// docs/engine.md; a test keeps them equal.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/match/openings.hpp"
#include "lab/match/statistics.hpp"

namespace rokada::lab {

using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct AblationEntry {
    std::string key;   // as in docs/engine.md
    std::string text;  // for people
    OptionValues with, without;
};
// Every technique; `threads` are used by the entry of that name.
std::vector<AblationEntry> ablation_entries(int threads);

struct AblationSettings {
    std::vector<std::string> engine;       // the lab's engine and its arguments
    std::vector<std::string> positions;    // FEN
    int depth = 9;                         // nodes and time are compared at this depth
    std::uint64_t most_nodes = 1'000'000;  // per position: a search that explodes is cut there
    std::uint64_t nodes = 50'000;          // the depth reached is compared at this number of nodes
    int games = 0;
    std::string terms = "nodes=10000";  // of the games, as `rokada match --each` has it
    OpeningSettings openings;
    int concurrency = 1;
};

struct Effort {
    std::uint64_t nodes = 0;
    double seconds = 0;
    double depth = 0;   // reached on average with the same nodes
    int cut_short = 0;  // positions that did not reach the depth
};

struct AblationResult {
    AblationEntry entry;
    Effort with, without;
    std::int64_t games = 0;
    std::optional<Estimate> elo;  // of the engine without it against the one with it
};

class Ablation {
  public:
    explicit Ablation(AblationSettings settings) : settings_(std::move(settings)) {}

    // One after the other; the error is a sentence. Stops early, with what there is, after stop().
    Result<std::vector<AblationResult>, std::string> run(
        const std::vector<AblationEntry>& entries,
        const std::function<void(const std::string& doing)>& on_progress,
        const std::function<void(const AblationResult&)>& on_result);
    void stop() { stopping_ = true; }

  private:
    Result<Effort, std::string> measure(const OptionValues& options);
    Result<Estimate, std::string> play(const AblationEntry& entry, std::int64_t& games);

    AblationSettings settings_;
    std::vector<std::pair<OptionValues, Effort>> measured_;
    std::atomic<bool> stopping_{false};
};

std::string ablation_table(const std::vector<AblationResult>& results);  // Markdown
std::string ablation_csv(const std::vector<AblationResult>& results);
std::string ablation_svg(const std::vector<AblationResult>& results);
std::string ablation_html(const AblationSettings& settings,
                          const std::vector<AblationResult>& results);

}  // namespace rokada::lab
