// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation of a position as a table for people: every term with its name, for both sides and
// both phases.
#pragma once

#include <string>

#include "chess/position.hpp"

namespace rokada::protocol {

std::string evaluation_text(const Position& position);  // several lines, each ended by a line break

}  // namespace rokada::protocol
