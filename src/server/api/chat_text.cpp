// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/chat_text.hpp"

#include "net/url.hpp"

namespace rokada::server {

std::optional<std::string> chat_text(std::string_view text) {
    constexpr int kMost = 140;
    if (!net::valid_utf8(text)) return std::nullopt;
    text = net::trim(text);
    int characters = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) return std::nullopt;
        if ((byte & 0xc0) != 0x80) ++characters;
    }
    if (characters < 1 || characters > kMost) return std::nullopt;
    return std::string(text);
}

}  // namespace rokada::server
