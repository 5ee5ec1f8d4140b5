// SPDX-License-Identifier: GPL-3.0-or-later
// Threads in WebAssembly with shared memory. The module cannot start any: the page starts workers that share its memory,
// and each gives itself here for good. Runners (threads.hpp) take them as they need them.
#pragma once

namespace rokada::engine {

// Whether the page has told the running search to end; the search asks now and then.
#if defined(__wasm_atomics__)
bool stopped_by_page();
#else
constexpr bool stopped_by_page() { return false; }
#endif

}  // namespace rokada::engine

#if defined(__wasm_atomics__)

#include <atomic>

namespace rokada::engine {

// Sleeps while the word has this value; may wake early. Never part of another function: V8's first compiler (Liftoff, as of version
// 11.3) forgets what a function holds in registers when it waits.
[[gnu::noinline]] void sleep_while(std::atomic<int>& word, int value);
void wake_all(std::atomic<int>& word);

// Does the jobs of runners; never returns. Called once by each worker, with numbers from 0 and less than kMaxThreads - 1.
[[noreturn]] void serve_as_thread(int number);

// Nobody can call into a module whose threads all search, but the page can write to its memory: it numbers its searches upwards
// from 1 and writes into this word up to which one they shall end. So a stop that comes before its search begins counts as well.
std::atomic<int>& stop_word();
// Called before each search; 0 for one that the page does not stop.
void number_search(int number);

}  // namespace rokada::engine

#endif
