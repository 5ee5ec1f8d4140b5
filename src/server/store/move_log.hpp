// SPDX-License-Identifier: GPL-3.0-or-later
// Moves on their way into the tables of a SQLite store. A commit writes one row with the moves of all games
// that moved, which costs a fraction of an update and two inserts for each; that row is what makes them
// durable. Later, and before anything else is written about a game, they are entered in the tables, game by
// game. After a crash `recover` enters what was left. Belongs to the writer and runs on its thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/store/records.hpp"
#include "server/store/session.hpp"
#include "server/store/turn_text.hpp"

namespace rokada::server {

// What was read from the tables, with moves that are not there yet. Those that are change nothing.
void add_turns(GameRecord& game, const Turns& turns);
void add_turns(std::vector<EventRecord>& events, std::int64_t after, const Turns& turns);

class MoveLog {
  public:
    // Inside the writer's transaction.
    void add(std::shared_ptr<const TurnRecord> turn);
    void settle(Session& session, const std::string& game_id);
    void settle_all(Session& session);
    // A slice of those that have waited since before `row`; false when none are left.
    bool settle_some(Session& session, std::int64_t row);
    void write(Session& session);  // what was added, as the last act before the commit

    // A part of the transaction was undone: what it settled waits again.
    std::size_t mark() const { return settled_.size(); }
    void undo_to(std::size_t mark);
    void committed();
    void rolled_back();

    // Nothing waits that a reader could miss. From any thread.
    bool empty() const { return count_.load() == 0; }
    std::int64_t last_row() const { return last_row_.load(); }
    // To be taken before the tables are read.
    Turns waiting(const std::string& game_id) const;

    // Enters what an earlier run left behind; in a transaction of its own.
    static void recover(Session& session);

  private:
    // As text, which is what the tables get: the records belong to the threads of the games.
    struct Waiting {
        std::string text;
        std::int64_t version = 0;  // of the first of them
        std::int64_t since = 0;    // its row
        bool settled = false;      // in this transaction
    };
    struct Fresh {
        std::shared_ptr<const TurnRecord> turn;
        std::size_t begin = 0, size = 0;  // in text_, once it is written
    };
    void settle(Session& session, const std::string& game_id, Waiting& waiting);
    void forget_rows(Session& session);

    std::vector<Fresh> fresh_;  // of this transaction
    mutable std::mutex mutex_;  // for those who look at waiting_ from other threads
    std::unordered_map<std::string, Waiting> waiting_;
    std::vector<std::string> settled_;  // those of waiting_, in order
    std::atomic<std::int64_t> last_row_{0};
    std::string text_;
    std::atomic<std::size_t> count_{0};
};

}  // namespace rokada::server
