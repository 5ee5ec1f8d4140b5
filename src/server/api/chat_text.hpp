// SPDX-License-Identifier: GPL-3.0-or-later
// What may be said in a game: plain text, 1 to 140 characters after trimming, no control characters.
// One rule for the live socket, the HTTP interface and bots.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rokada::server {

std::optional<std::string> chat_text(std::string_view text);

}  // namespace rokada::server
