// SPDX-License-Identifier: GPL-3.0-or-later
// One tag pair of a PGN game, [Name "value"], as text: reading with its escapes and the usual mistakes, and
// writing. The pieces of PgnReader and PgnWriter that know how a tag looks.
#pragma once

#include <string>
#include <string_view>

namespace rokada {

struct PgnTagText {
    std::string_view name;  // empty: nothing usable, the tag is to be dropped
    std::string_view value;
    bool escaped = false;  // the value holds backslashes that are not meant
    std::size_t size = 0;  // bytes of the line that belong to the tag
    const char* mistake = nullptr;
    std::size_t mistake_at = 0;
};

// The line begins with '[' and holds no end of line. A mistake is named and its likely meaning taken: a missing
// bracket, a quotation mark that should be escaped or should not be.
PgnTagText read_pgn_tag(std::string_view line);

// Appends the value without its escapes.
void append_unescaped(std::string& out, std::string_view value);
// Appends the whole line, end included. Control characters, which no tag can hold, become blanks.
void append_pgn_tag(std::string& out, std::string_view name, std::string_view value);

}  // namespace rokada
