// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/memory.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rokada::engine {

LargeBlock::~LargeBlock() { release(); }

#ifdef __linux__

bool LargeBlock::allocate(std::size_t bytes) {
    release();
    // Rounded up to whole huge pages and mapped with room to align, so that the kernel may use
    // them.
    constexpr std::size_t huge = std::size_t{2} << 20;
    const std::size_t wanted = (bytes + huge - 1) / huge * huge;
    void* const mapping =
        mmap(nullptr, wanted + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return false;
    auto* first = static_cast<std::byte*>(mapping);
    const std::size_t skip = (huge - reinterpret_cast<std::size_t>(first) % huge) % huge;
    if (skip > 0) munmap(first, skip);
    if (huge - skip > 0) munmap(first + skip + wanted, huge - skip);
    data_ = first + skip;
    size_ = bytes;
    mapped_ = wanted;
    madvise(data_, mapped_, MADV_HUGEPAGE);  // a wish, not a condition
    return true;
}

void LargeBlock::release() {
    if (data_) munmap(data_, mapped_);
    data_ = nullptr;
    size_ = mapped_ = 0;
}

#else

bool LargeBlock::allocate(std::size_t bytes) {
    release();
    constexpr std::size_t line = 64;
    mapped_ = (bytes + line - 1) / line * line;
    data_ = std::aligned_alloc(line, mapped_);
    if (!data_) {
        mapped_ = 0;
        return false;
    }
    size_ = bytes;
    std::memset(data_, 0, mapped_);
    return true;
}

void LargeBlock::release() {
    std::free(data_);
    data_ = nullptr;
    size_ = mapped_ = 0;
}

#endif

}  // namespace rokada::engine
