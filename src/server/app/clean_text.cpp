// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/clean_text.hpp"

#include <algorithm>

#include "net/url.hpp"

namespace rokada::server {
namespace {

// The bytes of the character the text begins with; 0 when it begins with none.
std::size_t first_character(std::string_view text) {
    for (std::size_t size = 1; size <= std::min<std::size_t>(4, text.size()); ++size)
        if (net::valid_utf8(text.substr(0, size))) return size;
    return 0;
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

}  // namespace

std::string clean_text(std::string_view text, std::size_t most_bytes) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t size = first_character(text);
        std::string_view character = size == 0 ? "\xEF\xBF\xBD" : text.substr(0, size);
        if (size == 1 && is_control(text.front())) character = " ";
        if (clean.size() + character.size() > most_bytes) break;
        clean += character;
        text.remove_prefix(std::max<std::size_t>(1, size));
    }
    return clean;
}

}  // namespace rokada::server
