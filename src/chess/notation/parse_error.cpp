// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/parse_error.hpp"

namespace rokada {

namespace {

void append_printable(std::string& out, char c) {
    constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
        out += c;
    } else {
        out += "\\x";
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
}

}  // namespace

std::string quoted(char c) { return quoted(std::string_view(&c, 1)); }

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    std::string out = "'";
    for (const char c : text.substr(0, kLongest)) append_printable(out, c);
    if (text.size() > kLongest) out += "...";
    return out + "'";
}

}  // namespace rokada
