// SPDX-License-Identifier: GPL-3.0-or-later
// A source that hands out a few bytes at a time, to show that a reader does not care where they are parted.
#pragma once

#include <algorithm>
#include <string_view>

#include "chess/notation/byte_source.hpp"

namespace rokada::testing_support {

class SmallBites final : public ByteSource {
  public:
    SmallBites(std::string_view text, std::size_t bite) : rest_(text), bite_(bite) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t taken = rest_.copy(buffer, std::min(size, bite_));
        rest_.remove_prefix(taken);
        return taken;
    }

  private:
    std::string_view rest_;
    std::size_t bite_;
};

}  // namespace rokada::testing_support
