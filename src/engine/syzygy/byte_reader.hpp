// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file's bytes from front to back. Reading behind the end gives zeros and is remembered, so that a parser
// may read on and ask once.
#pragma once

#include <cstdint>
#include <span>

namespace rokada::engine {

class ByteReader {
  public:
    explicit ByteReader(std::span<const unsigned char> bytes) : bytes_(bytes) {}

    bool overrun() const { return overrun_; }

    std::uint8_t u8() {
        const auto taken = take(1);
        return taken.empty() ? std::uint8_t{0} : taken[0];
    }
    std::uint16_t u16() {  // little-endian, as all numbers of the header
        const unsigned low = u8();
        return static_cast<std::uint16_t>(low | static_cast<unsigned>(u8()) << 8);
    }
    std::uint32_t u32() {
        const std::uint32_t low = u16();
        return low | static_cast<std::uint32_t>(u16()) << 16;
    }
    // The next bytes; none if there are not that many.
    std::span<const unsigned char> take(std::uint64_t count) {
        if (count > bytes_.size() - at_) {
            overrun_ = true;
            return {};
        }
        const auto part = bytes_.subspan(at_, static_cast<std::size_t>(count));
        at_ += part.size();
        return part;
    }
    void align(std::size_t to) { take((to - at_ % to) % to); }

  private:
    std::span<const unsigned char> bytes_;
    std::size_t at_ = 0;
    bool overrun_ = false;
};

}  // namespace rokada::engine
