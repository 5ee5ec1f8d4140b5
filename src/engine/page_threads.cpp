// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/page_threads.hpp"

#if defined(__wasm_atomics__)

#include <array>
#include <atomic>

#include "engine/threads.hpp"

namespace rokada::engine {

namespace {

enum State : int { kAbsent, kFree, kIdle, kWorking };  // idle: belongs to a runner

struct PageThread {
    std::atomic<int> state{kAbsent};
    const Job* job = nullptr;  // of the runner that has this thread
};

std::array<PageThread, kMaxThreads - 1> page_threads;

PageThread& page_thread(int number) { return page_threads[static_cast<std::size_t>(number)]; }

void change(PageThread& thread, State next) {
    thread.state.store(next);
    wake_all(thread.state);
}

// Sleeps while the thread is in this state.
void wait_while(PageThread& thread, State now) {
    while (thread.state.load() == now) sleep_while(thread.state, now);
}

}  // namespace

void sleep_while(std::atomic<int>& word, int value) {
    constexpr long long for_ever = -1;
    __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), value, for_ever);
}

void wake_all(std::atomic<int>& word) {
    __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0U);
}

[[noreturn]] void serve_as_thread(int number) {
    PageThread& thread = page_thread(number);
    change(thread, kFree);
    for (;;) {
        wait_while(thread, kFree);
        wait_while(thread, kIdle);
        if (thread.state.load() != kWorking) continue;
        (*thread.job)();
        change(thread, kIdle);
    }
}

int available_threads() {
    int count = 1;
    for (const PageThread& thread : page_threads) count += thread.state.load() != kAbsent ? 1 : 0;
    return count;
}

Runner::Runner() : thread_(-1) {
    for (int i = 0; i < kMaxThreads - 1 && thread_ < 0; ++i) {
        int expected = kFree;
        if (page_thread(i).state.compare_exchange_strong(expected, kIdle)) thread_ = i;
    }
}

Runner::~Runner() {
    wait();
    if (thread_ >= 0) change(page_thread(thread_), kFree);
}

void Runner::post(Job job) {
    if (thread_ >= 0) {
        wait();
        current_ = std::move(job);
        page_thread(thread_).job = &current_;
        return change(page_thread(thread_), kWorking);
    }
    own_.post(std::move(job));
}

void Runner::wait() {
    if (thread_ >= 0) wait_while(page_thread(thread_), kWorking);
}

}  // namespace rokada::engine

#endif
