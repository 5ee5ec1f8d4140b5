// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/thinker.hpp"

#include "protocol/tokens.hpp"

namespace rokada::protocol {

const engine::Option* find_option(const Thinker& thinker, std::string_view name) {
    for (const engine::Option& option : thinker.options())
        if (equal_ignoring_case(option.name, name)) return &option;
    return nullptr;
}

bool is_checked(const Thinker& thinker, std::string_view name) {
    const engine::Option* option = find_option(thinker, name);
    return option != nullptr && option->value == "true";
}

}  // namespace rokada::protocol
