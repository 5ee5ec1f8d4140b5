// SPDX-License-Identifier: GPL-3.0-or-later
// A pair of values, for the middlegame and for the endgame, added and multiplied as one number.
#pragma once

#include <cstdint>

namespace rokada::engine {

class Tapered {
  public:
    constexpr Tapered() = default;
    constexpr Tapered(int middlegame, int endgame)
        : bits_(static_cast<std::int32_t>(static_cast<std::uint32_t>(endgame) << 16) + middlegame) {
    }

    // The low half may have borrowed one from the high half; adding 0x8000 gives it back.
    constexpr int endgame() const {
        return static_cast<std::int16_t>((static_cast<std::uint32_t>(bits_) + 0x8000u) >> 16);
    }
    constexpr int middlegame() const {
        return static_cast<std::int16_t>(static_cast<std::uint32_t>(bits_) & 0xFFFFu);
    }

    constexpr Tapered operator-() const { return raw(-bits_); }
    constexpr Tapered operator+(Tapered o) const { return raw(bits_ + o.bits_); }
    constexpr Tapered operator-(Tapered o) const { return raw(bits_ - o.bits_); }
    constexpr Tapered operator*(int n) const { return raw(bits_ * n); }
    constexpr Tapered& operator+=(Tapered o) { return *this = *this + o; }
    constexpr Tapered& operator-=(Tapered o) { return *this = *this - o; }
    friend constexpr bool operator==(Tapered a, Tapered b) { return a.bits_ == b.bits_; }

  private:
    static constexpr Tapered raw(std::int32_t bits) {
        Tapered t;
        t.bits_ = bits;
        return t;
    }
    std::int32_t bits_ = 0;
};

}  // namespace rokada::engine
