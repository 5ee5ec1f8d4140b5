// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a text and where. Every reader of a notation reports this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rokada {

struct ParseError {
    std::size_t offset = 0;  // bytes from the start of the text
    std::string message;

    std::string to_string() const {
        return "character " + std::to_string(offset + 1) + ": " + message;
    }
};

// A byte as it can be shown in a message, whatever it is.
std::string quoted(char c);
// A piece of foreign text made printable and short enough for one line.
std::string quoted(std::string_view text);

}  // namespace rokada
