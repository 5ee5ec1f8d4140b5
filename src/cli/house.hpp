// SPDX-License-Identifier: GPL-3.0-or-later
// What the program lends its sessions: name, evaluation table, benchmark.
#pragma once

#include "protocol/house.hpp"

namespace rokada::cli {

protocol::House make_house();

}  // namespace rokada::cli
