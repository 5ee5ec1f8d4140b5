// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark itself: `rokada bench` and the command `bench` of a UCI session run the same one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rokada::cli {

struct BenchArguments {
    int depth = 14;
    int hash = 16;
    int threads = 1;
    bool quiet = false;
    std::string evaluation = "classical";
};

struct BenchTotals {
    std::uint64_t nodes = 0;
    double seconds = 0;
    double nodes_per_second() const { return static_cast<double>(nodes) / std::max(seconds, 1e-9); }
};

BenchTotals run_bench(
    const BenchArguments& arguments,
    const std::function<void(std::uint64_t nodes, std::string_view fen)>& on_position,
    const std::atomic<bool>& stop);

}  // namespace rokada::cli
