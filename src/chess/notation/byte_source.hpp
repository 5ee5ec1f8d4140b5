// SPDX-License-Identifier: GPL-3.0-or-later
// Where a reader of long texts gets its bytes from: a file, a socket, a string. The rules know no files, so
// whoever has one implements this.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace rokada {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    // Puts up to `size` bytes into the buffer and says how many; 0 only at the end.
    virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

// The text must outlive the source.
class StringSource final : public ByteSource {
  public:
    explicit StringSource(std::string_view text) : rest_(text) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t taken = rest_.copy(buffer, size);
        rest_.remove_prefix(taken);
        return taken;
    }

  private:
    std::string_view rest_;
};

}  // namespace rokada
