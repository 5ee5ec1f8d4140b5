// SPDX-License-Identifier: GPL-3.0-or-later
// Large blocks of zeroed memory, on huge pages where the system has them. Used by the transposition
// table.
#pragma once

#include <cstddef>

namespace rokada::engine {

class LargeBlock {
  public:
    LargeBlock() = default;
    ~LargeBlock();
    LargeBlock(const LargeBlock&) = delete;
    LargeBlock& operator=(const LargeBlock&) = delete;

    // False, with the block left empty, when the system has not that much.
    bool allocate(std::size_t bytes);
    void release();
    void* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t mapped_ = 0;
};

}  // namespace rokada::engine
