// SPDX-License-Identifier: GPL-3.0-or-later
// A web address as a code to scan, drawn with half blocks for a terminal of any colours.
#pragma once

#include <string>

namespace rokada::server {

// Empty when the text is too long for a code.
std::string qr_code(const std::string& text);

}  // namespace rokada::server
