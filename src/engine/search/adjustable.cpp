// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/adjustable.hpp"

#ifdef ROKADA_TUNING

#include "engine/search/parameters.hpp"
#include "engine/search/switches.hpp"

namespace rokada::engine {

void append_adjustable_options(std::vector<Option>& options) {
    for (const SwitchInfo& info : kSwitchList) {
        Option o;
        o.name = "Use_" + std::string(info.name);
        o.type = OptionType::Check;
        o.value = o.default_value = "true";
        o.help = std::string(info.text);
        options.push_back(std::move(o));
    }
    for (const ParameterInfo& info : kSearchParameterList) {
        Option o;
        o.name = std::string(info.name);
        o.type = OptionType::Spin;
        o.value = o.default_value = std::to_string(info.value);
        o.min = info.low;
        o.max = info.high;
        o.help = "A number of the search.";
        options.push_back(std::move(o));
    }
}

void adjust(const Option& option) {
    for (const SwitchInfo& info : kSwitchList)
        if (option.name.compare(0, 4, "Use_") == 0 && option.name.substr(4) == info.name)
            kUse.*info.member = option.value == "true";
    for (const ParameterInfo& info : kSearchParameterList)
        if (option.name == info.name) kSearch.*info.member = std::stoi(option.value);
}

}  // namespace rokada::engine

#endif
