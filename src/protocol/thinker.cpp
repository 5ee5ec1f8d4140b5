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

bool plays_at_full_strength(const Thinker& thinker) {
    const auto skill = find_option(thinker, "Skill"), dial = find_option(thinker, "Dial");
    return !is_checked(thinker, "UCI_LimitStrength") &&
           (!skill || equal_ignoring_case(skill->value, "Full")) &&
           (!dial || to_integer(dial->value).value_or(-1) < 0);
}

}  // namespace rokada::protocol
