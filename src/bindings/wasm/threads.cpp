// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine module with threads needs besides: stacks for the page's workers, and memory that several of them may ask for at once
// (the C library here was built for one thread).
#include "engine/threads.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "bindings/wasm/exchange.hpp"
#include "engine/page_threads.hpp"

namespace {

std::atomic<int> memory_taken{0};

// Held for moments only, and mostly by nobody: the search itself does not allocate.
class MemoryLock {
  public:
    MemoryLock() {
        while (memory_taken.exchange(1, std::memory_order_acquire) != 0)
            __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&memory_taken), 1,
                                                1'000'000);
    }
    ~MemoryLock() {
        memory_taken.store(0, std::memory_order_release);
        __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&memory_taken), 1);
    }
    MemoryLock(const MemoryLock&) = delete;
    MemoryLock& operator=(const MemoryLock&) = delete;
};

constexpr std::size_t kStackSize = std::size_t{1} << 20;

}  // namespace

void* operator new(std::size_t size) {
    const MemoryLock lock;
    if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
    std::abort();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const MemoryLock lock;
    const auto step = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step))
        return memory;
    std::abort();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return operator new(size, alignment);
}
void operator delete(void* memory) noexcept {
    const MemoryLock lock;
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    operator delete(memory);
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    operator delete(memory);
}

// Where a new thread's stack begins: it grows downwards.
ROKADA_EXPORT(rokada_thread_stack) char* rokada_thread_stack() {
    return static_cast<char*>(operator new(kStackSize, std::align_val_t{16})) + kStackSize;
}

// How many threads the engine can use now, its own included.
ROKADA_EXPORT(rokada_threads) int rokada_threads() { return rokada::engine::available_threads(); }

ROKADA_EXPORT(rokada_thread_serve) void rokada_thread_serve(int number) {
    rokada::engine::serve_as_thread(number);
}
