// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lab's engine is: the command a user gave, or the program that stands beside this one.
#pragma once

#include <string>
#include <vector>

#include "chess/result.hpp"

namespace rokada::cli {

Result<std::vector<std::string>, std::string> lab_engine(const std::string& command);

}  // namespace rokada::cli
