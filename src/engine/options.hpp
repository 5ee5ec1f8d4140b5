// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the engine that a user can set, declared once: UCI, CECP, the terminal and the API show this list.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rokada::engine {

enum class OptionType : unsigned char { Check, Spin, Combo, Button, String };

struct Option {
    std::string name;
    OptionType type = OptionType::String;
    std::string default_value;
    std::string value;
    int min = 0, max = 0;              // Spin
    std::vector<std::string> choices;  // Combo
    std::string help;                  // one sentence
};

}  // namespace rokada::engine
