// SPDX-License-Identifier: GPL-3.0-or-later
// What a site must know about the machine it runs on.
#pragma once

#include <cstddef>
#include <string>

namespace rokada::server {

// As many as the system gives us, less what the store and the pages need.
std::size_t room_for_connections();
std::string machine_name();
unsigned cores();  // at least 1

}  // namespace rokada::server
