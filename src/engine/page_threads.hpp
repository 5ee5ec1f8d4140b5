// SPDX-License-Identifier: GPL-3.0-or-later
// Threads in WebAssembly with shared memory. The module cannot start any: the page starts workers that share its memory,
// and each gives itself here for good. Runners (threads.hpp) take them as they need them.
#pragma once

namespace rokada::engine {

// Whether the page has told the running search to end; the search asks now and then. In WebAssembly the module's host knows, and
// the binding asks it (bindings/wasm/engine.cpp).
#if defined(__wasm__)
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

}  // namespace rokada::engine

#endif
