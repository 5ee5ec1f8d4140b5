// SPDX-License-Identifier: GPL-3.0-or-later
// Runs an engine session on standard input and output until it is told to quit or the input ends.
#pragma once

#include "protocol/house.hpp"

namespace rokada::protocol {

enum class SessionKind {
    Detect,  // a first line `xboard` means that protocol, anything else UCI
    Uci,
    Xboard,
};

int run_session(SessionKind kind, const House& house);

}  // namespace rokada::protocol
