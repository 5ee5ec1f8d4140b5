// SPDX-License-Identifier: GPL-3.0-or-later
// One engine of a tournament as the user describes it:
//   'cmd="./rokada uci" proto=uci name=New tc=2+0.02 nodes=N option.Hash=16'
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/match/time_control.hpp"
#include "protocol/driver/driver.hpp"

namespace rokada::lab {

struct EngineSpec {
    std::vector<std::string> command;
    std::string directory;
    std::string name;
    protocol::EngineProtocol protocol = protocol::EngineProtocol::Uci;
    GameTerms terms;
    std::chrono::milliseconds margin{0};  // how far the clock may be overstepped
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::string> init_lines;

    int threads() const;  // by its option Threads; 1 without it
};

// `defaults` is a text of the same form (without cmd) that holds for every engine; the engine's own
// words win.
Result<EngineSpec, std::string> parse_engine_spec(std::string_view text,
                                                  std::string_view defaults = "");
// Gives engines that ended up with the same name a number.
void make_names_unique(std::vector<EngineSpec>& engines);

}  // namespace rokada::lab
