// SPDX-License-Identifier: GPL-3.0-or-later
// Puts tuned numbers into the text of engine/evaluation/weights.hpp: same names, comments and layout,
// ready to be compiled in.
#pragma once

#include <string>
#include <string_view>

#include "chess/result.hpp"
#include "lab/tuning/features.hpp"

namespace rokada::lab {

// The error says which weight the text does not have in the form expected.
Result<std::string, std::string> with_values(std::string_view header, const TunedValues& values);

}  // namespace rokada::lab
