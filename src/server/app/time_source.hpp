// SPDX-License-Identifier: GPL-3.0-or-later
// What time it is, as an interface, so that game logic is tested with a clock that is moved by hand.
#pragma once

#include <chrono>

#include "server/store/records.hpp"

namespace rokada::server {

// A moment on both clocks: `steady` never jumps and times the games, `wall` is for people and disk.
struct Moment {
    Millis steady = 0, wall = 0;
};

inline Moment earlier(Moment moment, Millis by) { return {moment.steady - by, moment.wall - by}; }

class TimeSource {
  public:
    virtual ~TimeSource() = default;
    virtual Moment now() const = 0;
};

class SystemTime final : public TimeSource {
  public:
    Moment now() const override {
        using namespace std::chrono;
        return {duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count(),
                duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
    }
};

}  // namespace rokada::server
