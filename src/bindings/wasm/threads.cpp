// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine module with threads needs besides: stacks for the page's workers, and memory that several of them may ask for at once
// (the C library here was built for one thread).
#include "engine/threads.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "bindings/wasm/exchange.hpp"
#include "engine/page_threads.hpp"

namespace {

namespace engine = rokada::engine;

std::atomic<int> memory_taken{0};

// Held for moments only, and mostly by nobody: the search itself does not allocate.
class MemoryLock {
  public:
    MemoryLock() {
        while (memory_taken.exchange(1, std::memory_order_acquire) != 0)
            engine::sleep_while(memory_taken, 1);
    }
    ~MemoryLock() {
        memory_taken.store(0, std::memory_order_release);
        engine::wake_all(memory_taken);
    }
    MemoryLock(const MemoryLock&) = delete;
    MemoryLock& operator=(const MemoryLock&) = delete;
};

constexpr std::size_t kStackSize = std::size_t{2} << 20;

// The first word of a static variable's guard, as the C++ ABI has it: the lowest byte tells that it is ready.
enum Guard : int { kUntouched = 0, kReady = 1, kBeingMade = 256 };
std::atomic<int>& guard_of(std::uint32_t* guard) {
    return *reinterpret_cast<std::atomic<int>*>(guard);
}

}  // namespace

// The linker leads every call of the C library's functions here (--wrap), also those of its own and of the C++ library.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t size) {
    const MemoryLock lock;
    return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
    const MemoryLock lock;
    return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
    const MemoryLock lock;
    return __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    const MemoryLock lock;
    return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    const MemoryLock lock;
    return __real_posix_memalign(memory, alignment, size);
}
void __wrap_free(void* memory) {
    const MemoryLock lock;
    __real_free(memory);
}

// Static variables of functions: made by whoever comes first, the others wait. The C++ library's own knows one thread only.
int __cxa_guard_acquire(std::uint32_t* guard) {
    std::atomic<int>& state = guard_of(guard);
    for (;;) {
        int seen = kUntouched;
        if (state.compare_exchange_strong(seen, kBeingMade)) return 1;
        if (seen == kReady) return 0;
        engine::sleep_while(state, kBeingMade);
    }
}
void __cxa_guard_release(std::uint32_t* guard) {
    guard_of(guard).store(kReady);
    engine::wake_all(guard_of(guard));
}
}

// Where a new thread's stack begins: it grows downwards.
ROKADA_EXPORT(rokada_thread_stack) char* rokada_thread_stack() {
    return static_cast<char*>(std::aligned_alloc(16, kStackSize)) + kStackSize;
}

// How many threads the engine can use now, its own included.
ROKADA_EXPORT(rokada_threads) int rokada_threads() { return engine::available_threads(); }

ROKADA_EXPORT(rokada_thread_serve) void rokada_thread_serve(int number) {
    engine::serve_as_thread(number);
}
