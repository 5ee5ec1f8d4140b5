// SPDX-License-Identifier: GPL-3.0-or-later
// JSON strings for the --json output of commands.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace rokada::cli {

inline std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            out += c;
    }
    return out + '"';
}

}  // namespace rokada::cli
