// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as an object: set a position, go, be called back. Every call returns at once and may
// come from any thread; several engines live in one process. It never prints, never throws, never
// ends its host.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chess/polyglot.hpp"
#include "chess/position.hpp"
#include "engine/limits.hpp"
#include "engine/options.hpp"
#include "engine/score.hpp"
#include "engine/win_chances.hpp"

namespace rokada::engine {

enum class Bound : std::uint8_t { Exact, Lower, Upper };

// One line of thinking.
struct Info {
    int depth = 0;
    int selective_depth = 0;
    int multipv = 1;  // rank of the line, from 1
    Score score;
    Bound bound = Bound::Exact;
    WinChances chances;
    std::uint64_t nodes = 0;
    Milliseconds time{0};
    int hash_full = 0;  // per mille
    std::uint64_t tablebase_hits = 0;
    std::vector<Move> line;
};

// What the search is busy with, told now and then by one that takes long.
struct CurrentMove {
    int depth = 0;
    Move move;
    int number = 1;  // among the moves of the root, from 1
};

struct BestMove {
    Move move;    // none when there is no legal move
    Move ponder;  // the reply expected, if any
};

struct Callbacks {
    // Called from the searching thread, one at a time, never after on_best_move of that search.
    std::function<void(const Info&)> on_info;
    std::function<void(const BestMove&)> on_best_move;
    std::function<void(std::string_view)> on_message;  // for humans: a file not found and the like
    std::function<void(const CurrentMove&)> on_current_move = nullptr;
};

class Engine {
  public:
    explicit Engine(Callbacks callbacks = {});
    ~Engine();  // stops and waits
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // The list with current values; set by name, case-insensitively. The error is a sentence for
    // the user.
    std::vector<Option> options() const;
    std::optional<std::string> set_option(std::string_view name, std::string_view value);

    // Takes another network than the built-in one, from a file's bytes; the error says why it is refused.
    std::optional<std::string> load_network(const unsigned char* bytes, std::size_t size);

    // The moves count for repetition. They must be legal one after the other.
    void set_position(const Position& start, const std::vector<Move>& moves = {});
    Position position() const;

    // What the book (BookFile) knows of a position, the heaviest first; whether it is used or not.
    std::vector<BookMove> book_moves(const Position& position) const;

    // Whether something is known of this position from searches of this game: what they met most lately, as far as there
    // is room. Waits until no search runs.
    bool remembers(const Position& position) const;

    void go(const Limits& limits);
    void stop();        // on_best_move follows soon
    void ponder_hit();  // the expected move was played: the clock runs now
    void new_game();    // forgets everything learnt
    void wait();        // until no search runs
    bool searching() const;

    // Thinks in the calling thread and returns the move; the callbacks are used as well. For hosts
    // without threads (the browser) and for callers that have a thread to spare.
    BestMove think(const Limits& limits);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rokada::engine
