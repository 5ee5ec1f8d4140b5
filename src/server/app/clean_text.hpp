// SPDX-License-Identifier: GPL-3.0-or-later
// Text of strangers that is kept and shown again: names in imported games, what a browser calls itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rokada::server {

// Valid UTF-8 without control characters and of at most so many bytes: wrong bytes become U+FFFD, control
// characters spaces, and no character is cut in two.
std::string clean_text(std::string_view text, std::size_t most_bytes);

}  // namespace rokada::server
