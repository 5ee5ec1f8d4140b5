// SPDX-License-Identifier: GPL-3.0-or-later
// The only writer of a database: one thread, one connection. Writes that arrive while a commit is on
// its way to the disk share the next one (group commit). `done` is called after the commit is on
// disk, or with the fault; a failed sync stops all further acknowledgements.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "server/store/move_log.hpp"
#include "server/store/session.hpp"

namespace rokada::server {

struct WriteFailure {
    StoreFault fault = StoreFault::Other;
    std::string message;
};
using WriteOutcome = std::optional<WriteFailure>;  // nothing: it is on disk

class Writer {
  public:
    using Work = std::function<void(Session&)>;
    using Done = std::function<void(const WriteOutcome&)>;  // on the writer's thread: be quick

    struct Counters {
        std::atomic<std::uint64_t> commits{0}, writes{0}, failures{0}, busy_us{0};
    };

    explicit Writer(std::unique_ptr<Session> session);
    ~Writer();  // finishes what is queued
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Always answers through `done`, also when the queue is full or the store has stopped.
    void submit(Work work, Done done, Writes writes = Writes::Alone);
    // The most frequent write of all, through the log of moves where there is one.
    void submit_turn(std::shared_ptr<const TurnRecord> turn, Done done);
    // Waits for the outcome. Not for threads that must not block.
    WriteOutcome submit_and_wait(Work work, Writes writes = Writes::Alone);

    // Moves of a game that are durable but perhaps not in the tables yet.
    Turns waiting_turns(const std::string& game_id) const { return log_.waiting(game_id); }
    // For work, on the writer's thread: moves that wait come before other changes of their game.
    void settle(const std::string& game_id) { log_.settle(*session_, game_id); }
    // Enters all moves of the log in the tables. Blocks only if there are any.
    WriteOutcome settle_all();
    void settle_later();  // without keeping anybody waiting for long

    bool broken() const { return broken_.load(); }
    // What is written now will be kept, as far as the last try tells.
    bool takes_writes() const { return !broken_ && !unreachable_; }
    // Finds out whether the database answers, for takes_writes; at most one at a time.
    void probe();
    const Counters& counters() const { return counters_; }

  private:
    struct Job {
        Work work;
        std::shared_ptr<const TurnRecord> turn;  // instead of work
        Done done;
        Writes writes = Writes::Alone;
        WriteOutcome outcome = std::nullopt;
    };
    void loop();
    void enqueue(Job job);
    void settle_slice(std::int64_t row);
    void write_batch(std::deque<Job>& batch);
    bool write_together(std::deque<Job>& batch);
    void write_apart(std::deque<Job>& batch);
    void run(const Job& job);

    static constexpr std::size_t kQueueLimit = 20000;
    static constexpr std::size_t kBatchLimit = 256;
    // A commit costs as much for one write as for many: where they follow each other closely, more
    // are gathered first. A write after a quiet moment goes to the disk at once.
    static constexpr std::chrono::milliseconds kCommitPause{2};

    std::unique_ptr<Session> session_;
    const bool logs_moves_;
    MoveLog log_;
    std::atomic<bool> settling_{false}, more_to_settle_{false};
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> queue_;
    bool stopping_ = false;
    std::atomic<bool> broken_{false}, unreachable_{false}, probing_{false};
    Counters counters_;
    std::thread thread_;
};

}  // namespace rokada::server
