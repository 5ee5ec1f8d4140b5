// SPDX-License-Identifier: GPL-3.0-or-later
// A UCI engine that is another UCI engine, except that a share of its moves is chosen by lot: a
// ladder of known rungs below the weakest reference player.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rokada::lab {

struct DilutionSettings {
    std::vector<std::string> command;
    int random_percent = 0;
    std::uint64_t seed = 1;
};

// Speaks UCI on standard input and output until `quit`. The error is a sentence.
std::optional<std::string> run_dilution(const DilutionSettings& settings);

}  // namespace rokada::lab
