// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever finds moves, seen from the games: ask, and be called back once. The engine pool is one;
// tests use a scripted one, other machines may come later.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/move.hpp"
#include "chess/position.hpp"
#include "server/store/records.hpp"

namespace rokada::server {

// One line of thinking while a search goes on, from the side to move.
struct Thought {
    int rank = 1;  // of the line, best first
    int depth = 0, selective_depth = 0;
    std::optional<int> centipawns, mate;
    std::uint64_t nodes = 0;
    Millis time = 0;
    std::vector<Move> line;
};

struct PickRequest {
    Position start;
    std::vector<Move> moves;  // from the start; they count for repetition
    std::string level;        // Easy, Medium, Hard, Full; empty: elo or full strength
    int elo = 0;              // 0: none
    bool classical = false;
    struct Clock {
        Millis white_ms = 0, black_ms = 0, white_increment_ms = 0, black_increment_ms = 0;
    };
    std::optional<Clock> clock;
    // For the engine service; a game leaves them to the level.
    std::optional<Millis> move_time;
    std::optional<std::uint64_t> nodes;
    std::optional<int> depth;
    int lines = 1;
    std::function<void(const Thought&)> on_thought;  // set: an analysis, which may take longer
    std::string asked_by;  // shares the pool fairly; a game's id or an address
    bool urgent = false;   // somebody waits at the board
};

struct PickedMove {
    bool cancelled = false;  // no move: the search was given up
    Move move;               // none when there is no legal move
    Move ponder;
    std::optional<int> centipawns, mate;  // from the side to move
    int depth = 0;
    std::uint64_t nodes = 0;
    Millis time = 0;
    std::vector<Move> line;
};

class MovePicker {
  public:
    // Dropping the ticket gives the search up; the callback then comes with `cancelled` or not at all.
    class Ticket {
      public:
        virtual ~Ticket() = default;
    };
    using Callback = std::function<void(const PickedMove&)>;

    virtual ~MovePicker() = default;
    // Nothing when too many wait already. The callback comes from another thread.
    virtual std::unique_ptr<Ticket> pick(PickRequest request, Callback callback) = 0;

    // Long work in steps of a fraction of a second: before each it asks whether to go on, and
    // while it asks, people at a board are served. Nothing when too many wait already.
    using LongWork = std::function<void(const std::function<bool()>& go_on)>;
    virtual std::unique_ptr<Ticket> run(const std::string& asked_by, LongWork work) = 0;
};

}  // namespace rokada::server
