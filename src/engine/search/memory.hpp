// SPDX-License-Identifier: GPL-3.0-or-later
// Large blocks of zeroed memory, on huge pages where the system has them: for tables that are read
// at random, where every small page would cost a look-up of its address.
#pragma once

#include <cstddef>

namespace rokada::engine {

// Null when the system has not that much; to be given back with the same size.
void* take_large(std::size_t bytes);
void give_back_large(void* memory, std::size_t bytes);

class LargeBlock {
  public:
    LargeBlock() = default;
    ~LargeBlock() { release(); }
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
};

}  // namespace rokada::engine
