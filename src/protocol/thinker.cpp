// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/thinker.hpp"

#include "protocol/tokens.hpp"

namespace rokada::protocol {

std::optional<engine::Option> find_option(const Thinker& thinker, std::string_view name) {
    for (engine::Option& option : thinker.options())
        if (equal_ignoring_case(option.name, name)) return std::move(option);
    return std::nullopt;
}

bool is_checked(const Thinker& thinker, std::string_view name) {
    const auto option = find_option(thinker, name);
    return option && option->value == "true";
}

}  // namespace rokada::protocol
