// SPDX-License-Identifier: GPL-3.0-or-later
// The options that only the lab's engine has: every number of parameters.hpp by its name, and
// `Use_NAME` for every technique of switches.hpp. In the playing engine there are none.
#pragma once

#include <vector>

#include "engine/options.hpp"

namespace rokada::engine {

#ifdef ROKADA_TUNING
void append_adjustable_options(std::vector<Option>& options);
void adjust(const Option& option);  // after its value has been set; other options do nothing
#else
inline void append_adjustable_options(std::vector<Option>&) {}
inline void adjust(const Option&) {}
#endif

}  // namespace rokada::engine
