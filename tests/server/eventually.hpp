// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for what must come to pass in other threads and processes.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

namespace rokada::server::test {

inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

// How long a game may be without a server. The promise is five seconds, and the long tests hold us to it; the others
// share their processors with whatever else runs.
inline std::chrono::seconds take_over_limit() {
    const bool strict = std::getenv("ROKADA_LONG") != nullptr && !testing_support::kSanitized;
    return std::chrono::seconds(strict ? 5 : 20);
}

}  // namespace rokada::server::test
