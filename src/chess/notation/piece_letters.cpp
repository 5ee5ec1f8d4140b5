// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/piece_letters.hpp"

namespace rokada {

namespace {

// The bytes of the UTF-8 character at the front; 0 if it is none.
std::size_t character_size(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t size = lead < 0x80             ? 1
                             : (lead & 0xE0) == 0xC0 ? 2
                             : (lead & 0xF0) == 0xE0 ? 3
                             : (lead & 0xF8) == 0xF0 ? 4
                                                     : 0;
    if (size > text.size()) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    return size;
}

}  // namespace

Result<PieceLetters, ParseError> parse_piece_letters(std::string_view text) {
    std::array<std::string_view, 5> letters;
    std::size_t at = 0;
    for (std::string_view& letter : letters) {
        if (at == text.size()) return Error{ParseError{at, "five piece letters are needed"}};
        const std::size_t size = character_size(text.substr(at));
        if (size == 0) return Error{ParseError{at, quoted(text[at]) + " is no UTF-8 character"}};
        letter = text.substr(at, size);
        // These would be taken for a square, a capture or a mark.
        if (size == 1 &&
            (text[at] <= ' ' ||
             std::string_view("abcdefghx12345678-=+#!?").find(text[at]) != std::string_view::npos))
            return Error{ParseError{at, quoted(text[at]) + " cannot name a piece"}};
        at += size;
    }
    if (at != text.size()) return Error{ParseError{at, "only five piece letters are needed"}};
    return PieceLetters(letters[0], letters[1], letters[2], letters[3], letters[4]);
}

}  // namespace rokada
