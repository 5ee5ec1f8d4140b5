// SPDX-License-Identifier: GPL-3.0-or-later
// The groups into which the terms of the classical evaluation fall, for tables and for the lab.
#pragma once

#include <string_view>

namespace rokada::engine {

enum class TermGroup : unsigned char {
    Material,
    Placement,
    Mobility,
    Pawns,
    PassedPawns,
    Pieces,
    King,
    Threats,
    Space,
    Tempo,
    Winnable,
};
std::string_view to_string(TermGroup group);

}  // namespace rokada::engine
