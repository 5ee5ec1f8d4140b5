// SPDX-License-Identifier: GPL-3.0-or-later
// The only place of the engine that knows whether the platform has threads. Without them (a plain
// browser build) jobs run at once in the caller and locks cost nothing; all other code is the same.
// In a browser page that shares its memory the host brings the threads (see page_threads.hpp).
#pragma once

#include <deque>
#include <functional>

#ifndef ROKADA_THREADS
#if defined(__wasm__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define ROKADA_THREADS 0
#else
#define ROKADA_THREADS 1
#endif
#endif

#if ROKADA_THREADS
#include <condition_variable>
#include <mutex>
#include <thread>
#endif

namespace rokada::engine {

using Job = std::function<void()>;

#if ROKADA_THREADS

inline constexpr int kMaxThreads = 256;
inline int available_threads() { return kMaxThreads; }
using Mutex = std::mutex;
using Lock = std::unique_lock<std::mutex>;

// One thread that does the jobs given to it in their order.
class Runner {
  public:
    Runner();
    ~Runner();  // finishes the jobs it has
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    void post(Job job);
    void wait();  // until nothing is left to do; returns at once on the runner's own thread

  private:
    void loop();

    Mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool busy_ = false;
    bool quit_ = false;
    std::thread thread_;
};

// Lets one thread sleep until another has changed something it waits for.
class Signal {
  public:
    template <class Condition>
    void wait_until(Condition condition) {
        Lock lock(mutex_);
        changed_.wait(lock, condition);
    }
    template <class Moment, class Condition>
    void wait_until(Moment moment, Condition condition) {
        Lock lock(mutex_);
        changed_.wait_until(lock, moment, condition);
    }
    // The change itself must have been made before (any atomic write will do).
    void notify() {
        {
            Lock lock(mutex_);
        }
        changed_.notify_all();
    }

  private:
    Mutex mutex_;
    std::condition_variable changed_;
};

#else

// The engine is called by one thread of the page only; there is nothing to guard.
struct Mutex {};
struct Lock {
    explicit Lock(Mutex&) {}
    ~Lock() {}
};

// Does jobs at once; one that is posted from within another comes after it.
class Turns {
  public:
    void post(Job job);

  private:
    std::deque<Job> jobs_;
    bool busy_ = false;
};

#if defined(__wasm_atomics__)
inline constexpr int kMaxThreads = 16;
int available_threads();  // those of the page and the caller's own

// Does its jobs in a thread of the page if one was free when it was made, otherwise in the caller.
class Runner {
  public:
    Runner();
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    void post(Job job);
    void wait();

  private:
    int thread_;  // none: negative
    Job current_;
    Turns own_;
};
#else
inline constexpr int kMaxThreads = 1;
inline int available_threads() { return kMaxThreads; }

class Runner {
  public:
    void post(Job job) { turns_.post(std::move(job)); }
    void wait() {}

  private:
    Turns turns_;
};
#endif

// Nobody else could make the condition true, so there is no use in waiting.
class Signal {
  public:
    template <class Condition>
    void wait_until(Condition) {}
    template <class Moment, class Condition>
    void wait_until(Moment, Condition) {}
    void notify() {}
};

#endif

}  // namespace rokada::engine
