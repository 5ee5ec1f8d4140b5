// SPDX-License-Identifier: GPL-3.0-or-later
// Who plays whom. A schedule grows stage by stage from the results so far and from nothing else, so
// that a tournament that was stopped goes on exactly where it was.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace rokada::lab {

struct Pairing {
    int number = 0;  // of the game, from 1
    std::size_t white = 0, black = 0;
    int pair = 0;  // games with the same pair share an opening with colours swapped; from 0
    int round = 1;
};

// Points of White in twice their usual size: 2, 1 or 0; none for a game not played (yet).
using GamePoints = std::vector<std::optional<int>>;  // by game number minus 1

enum class Format { RoundRobin, Gauntlet, Knockout, Swiss };

struct ScheduleSettings {
    Format format = Format::RoundRobin;
    std::size_t engines = 2;
    int games = 2;     // of one encounter
    int rounds = 0;    // Swiss: 0 chooses enough to find a winner
    bool swap = true;  // both colours of each opening
};

class Schedule {
  public:
    virtual ~Schedule() = default;
    // The games of the next stage, once all earlier ones have a result; empty when it is over.
    virtual std::vector<Pairing> next_stage(const GamePoints& points) = 0;

    static std::unique_ptr<Schedule> make(const ScheduleSettings& settings);
};

}  // namespace rokada::lab
