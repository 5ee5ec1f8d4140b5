// SPDX-License-Identifier: GPL-3.0-or-later
// The most frequent message of the live socket, read without building a JSON value. Used by
// read_live_message; whatever is not written in the plainest way is left to the general reader.
#pragma once

#include <optional>
#include <string_view>

#include "server/api/live_in.hpp"

namespace rokada::server {

// A move written without blanks, escapes and repeated names, with every field within its limits.
// Nothing: it may be a good message all the same, or a bad one. What is returned is exactly what the
// general reader returns.
std::optional<LiveMessage> read_plain_move(std::string_view text);

}  // namespace rokada::server
