// SPDX-License-Identifier: GPL-3.0-or-later
// Load for a server, over its public interface: many players with a live socket each. Used by
// `rokada lab load` and `make bench-server`. What it reports is what players would see.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/client.hpp"

namespace rokada::lab {

struct LoadPlan {
    std::string url = "http://localhost:8080";
    std::string sockets;  // another server of the same site, for the sockets; empty: the same
    enum class Kind {
        Echo,   // ping and pong, the next as soon as the last is answered
        Moves,  // a move, its acknowledgement and its event, likewise
        Paced,  // moves at a steady rate over all games
        Idle,   // sockets that only exist
    } kind = Kind::Paced;
    int players = 100;
    double moves_per_second = 100;  // Paced: of all players together
    double seconds = 10;
    // Called when all sockets are open, and when the time is over, before anything is closed.
    std::function<void()> on_ready, on_done;
};

struct LoadReport {
    int players = 0;             // that could connect
    std::uint64_t answered = 0;  // acknowledgements or pongs within the time
    std::uint64_t told = 0;      // events that came as well
    std::uint64_t refused = 0;   // errors of the protocol, closed sockets
    double seconds = 0;
    double p50_ms = 0, p90_ms = 0, p99_ms = 0, worst_ms = 0;
    std::string problem;  // the first one, for the user
};

LoadReport run_load(const LoadPlan& plan);

}  // namespace rokada::lab
