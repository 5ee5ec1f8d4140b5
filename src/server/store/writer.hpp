// SPDX-License-Identifier: GPL-3.0-or-later
// The only writer of a database: one thread, one connection. Writes that arrive while a commit is on
// its way to the disk share the next one (group commit). `done` is called after the commit is on
// disk, or with the fault; a failed sync stops all further acknowledgements.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

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
    void submit(Work work, Done done);
    // Waits for the outcome. Not for threads that must not block.
    WriteOutcome submit_and_wait(Work work);

    bool broken() const { return broken_.load(); }
    const Counters& counters() const { return counters_; }

  private:
    struct Job {
        Work work;
        Done done;
        WriteOutcome outcome;
    };
    void loop();
    void write_batch(std::deque<Job>& batch);

    static constexpr std::size_t kQueueLimit = 20000;
    static constexpr std::size_t kBatchLimit = 256;

    std::unique_ptr<Session> session_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> queue_;
    bool stopping_ = false;
    std::atomic<bool> broken_{false};
    Counters counters_;
    std::thread thread_;
};

}  // namespace rokada::server
