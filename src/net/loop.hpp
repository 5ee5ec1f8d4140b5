// SPDX-License-Identifier: GPL-3.0-or-later
// Where work runs: event loops (one thread each), timers on them, and a bounded pool for blocking
// work. Used by all of net and by the server, which needs no Asio header. Work posted to one
// Executor runs in order and never at the same time, so an Executor is also the strand a game lives
// on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rokada::net {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Task = std::function<void()>;

class Loop;

// A handle on one event loop; copies are cheap. Tasks must not block: blocking work goes to a
// WorkerPool. An exception that escapes a task is reported to Loops' error hook and otherwise
// ignored. The loop must outlive its handles' use.
class Executor {
  public:
    Executor() = default;
    explicit Executor(std::shared_ptr<Loop> loop) : loop_(std::move(loop)) {}

    void post(Task task) const;      // later, in order
    void dispatch(Task task) const;  // now if already on that loop's thread, else like post
    bool on_this_thread() const;
    explicit operator bool() const { return loop_ != nullptr; }
    Loop& loop() const { return *loop_; }

  private:
    std::shared_ptr<Loop> loop_;
};

// One serial line of work. A loop has one thread, so an Executor is already serial: a game takes
// the executor of one loop and keeps it.
using Strand = Executor;

// A one-shot timer. The task runs on the executor. Cancelling (or destroying the timer) on that
// executor guarantees that the task will not run; from elsewhere it may be running already.
class Timer {
  public:
    explicit Timer(Executor executor);
    ~Timer();
    Timer(Timer&&) noexcept;
    Timer& operator=(Timer&&) noexcept;

    void start(Clock::duration delay, Task task) {
        start_at(Clock::now() + delay, std::move(task));
    }
    void start_at(Clock::time_point when, Task task);  // replaces what was set before
    void cancel();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

using ErrorHook = std::function<void(const std::string& what)>;

// N event loops with a thread each. With zero threads there is one loop, driven by poll(): for
// fuzzing and deterministic tests.
class Loops {
  public:
    explicit Loops(unsigned threads, ErrorHook on_error = {});
    ~Loops();  // stop()
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;

    std::size_t size() const;
    bool threaded() const;                       // false in zero-thread mode
    Executor executor(std::size_t index) const;  // index is taken modulo size()
    Executor next();                             // round robin
    Strand strand_for(std::uint64_t key) const;  // the same key, the same strand
    void stop();                                 // drops what has not run; joins the threads
    std::size_t poll();                          // runs what is ready (zero-thread mode)
    std::size_t poll_for(Clock::duration time);  // runs for that long (zero-thread mode)
    // The longest time a task waited for its loop since the last call: the event-loop lag, for
    // metrics.
    Clock::duration take_worst_lag();

  private:
    std::vector<std::shared_ptr<Loop>> loops_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> next_{0};
    bool stopped_ = false;
};

// Threads for work that blocks (database, password hashing). The queue is bounded: a full one
// refuses.
class WorkerPool {
  public:
    WorkerPool(std::string name, unsigned threads, std::size_t max_queued, ErrorHook on_error = {});
    ~WorkerPool();  // finishes what is queued
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] bool try_post(Task task);  // false: full or stopping; the task has not been taken
    std::size_t queued() const;
    void stop();  // refuses new work, finishes what is queued, joins

  private:
    void run();

    std::string name_;
    std::size_t max_queued_;
    ErrorHook on_error_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace rokada::net
