// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/house.hpp"

#include <fmt/format.h>

#include "cli/bench.hpp"
#include "protocol/tokens.hpp"

namespace rokada::cli {

protocol::House make_house() {
    protocol::House house;
    house.version = ROKADA_VERSION;
    house.bench = [](const std::string& arguments,
                     const std::function<void(std::string_view)>& print,
                     const std::atomic<bool>& stop) {
        BenchArguments bench;
        if (!arguments.empty()) {
            const auto depth = protocol::to_integer(arguments);
            if (!depth || *depth < 1 || *depth > 60)
                return print("info string error: 'bench' takes a depth from 1 to 60");
            bench.depth = static_cast<int>(*depth);
        }
        const BenchTotals totals = run_bench(
            bench,
            [&print](std::uint64_t nodes, std::string_view fen) {
                print(fmt::format("{:>12}  {}", nodes, fen));
            },
            stop);
        print(fmt::format("Nodes searched: {}", totals.nodes));
        print(fmt::format("Nodes/second: {:.0f}", totals.nodes_per_second()));
    };
    return house;
}

}  // namespace rokada::cli
