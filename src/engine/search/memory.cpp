// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/memory.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rokada::engine {

namespace {

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

#ifdef __linux__

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void* take_large(std::size_t bytes) {
    // Rounded up to whole huge pages and mapped with room to align, so that the kernel may use
    // them.
    const std::size_t wanted = round_up(bytes, kHugePage);
    void* const mapping = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(mapping);
    const std::size_t skip =
        (kHugePage - reinterpret_cast<std::size_t>(first) % kHugePage) % kHugePage;
    if (skip > 0) munmap(first, skip);
    if (kHugePage - skip > 0) munmap(first + skip + wanted, kHugePage - skip);
    madvise(first + skip, wanted, MADV_HUGEPAGE);  // a wish, not a condition
    return first + skip;
}

void give_back_large(void* memory, std::size_t bytes) {
    if (memory) munmap(memory, round_up(bytes, kHugePage));
}

#else

void* take_large(std::size_t bytes) {
    constexpr std::size_t line = 64;
    const std::size_t wanted = round_up(bytes, line);
    void* const memory = std::aligned_alloc(line, wanted);
    if (memory) std::memset(memory, 0, wanted);
    return memory;
}

void give_back_large(void* memory, std::size_t) { std::free(memory); }

#endif

bool LargeBlock::allocate(std::size_t bytes) {
    release();
    data_ = take_large(bytes);
    size_ = data_ ? bytes : 0;
    return data_ != nullptr;
}

void LargeBlock::release() {
    give_back_large(data_, size_);
    data_ = nullptr;
    size_ = 0;
}

}  // namespace rokada::engine
