// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rokada::server {
namespace {

// Every letter beyond ASCII that a name may have: its upper and lower form, and the ASCII letter and
// combining mark it may arrive as. The Romanian letters written with a cedilla in old encodings fold
// to those with a comma. This is NFKC and case folding, restricted to these letters.
struct Letter {
    char32_t upper, lower;
    char base;
    char32_t mark;
    char32_t folded;
};
constexpr std::array<Letter, 20> kLetters{{
    {U'Ă', U'ă', 'a', 0x306, U'ă'}, {U'Â', U'â', 'a', 0x302, U'â'}, {U'Î', U'î', 'i', 0x302, U'î'},
    {U'Ș', U'ș', 's', 0x326, U'ș'}, {U'Ț', U'ț', 't', 0x326, U'ț'}, {U'Ş', U'ş', 's', 0x327, U'ș'},
    {U'Ţ', U'ţ', 't', 0x327, U'ț'}, {U'Ą', U'ą', 'a', 0x328, U'ą'}, {U'Ć', U'ć', 'c', 0x301, U'ć'},
    {U'Ę', U'ę', 'e', 0x328, U'ę'}, {U'Ł', U'ł', 0, 0, U'ł'},       {U'Ń', U'ń', 'n', 0x301, U'ń'},
    {U'Ó', U'ó', 'o', 0x301, U'ó'}, {U'Ś', U'ś', 's', 0x301, U'ś'}, {U'Ź', U'ź', 'z', 0x301, U'ź'},
    {U'Ż', U'ż', 'z', 0x307, U'ż'}, {U'Č', U'č', 'c', 0x30c, U'č'}, {U'Đ', U'đ', 0, 0, U'đ'},
    {U'Š', U'š', 's', 0x30c, U'š'}, {U'Ž', U'ž', 'z', 0x30c, U'ž'},

}};

constexpr std::array<std::string_view, 26> kReserved{
    "admin",  "administrator", "anonymous", "api",    "bot",      "computer", "deleted",
    "device", "engine",        "guest",     "help",   "login",    "logout",   "me",
    "mod",    "moderator",     "null",      "owner",  "register", "rokada",   "root",
    "server", "settings",      "support",   "system", "undefined"};

// One code point, or nothing for bytes that are not UTF-8.
std::optional<char32_t> take_code_point(std::string_view& text) {
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                                            : 0;
    if (size == 0 || text.size() < size) return std::nullopt;
    char32_t value = size == 1 ? first : first & (size == 2 ? 0x1f : 0x0f);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
        value = (value << 6) | (byte(i) & 0x3f);
    }
    text.remove_prefix(size);
    return value;
}

void append_utf8(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xc0 | (c >> 6));
        text += static_cast<char>(0x80 | (c & 0x3f));
    } else {
        text += static_cast<char>(0xe0 | (c >> 12));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        text += static_cast<char>(0x80 | (c & 0x3f));
    }
}

bool is_ascii_letter(char32_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

const Letter* letter(char32_t c) {
    for (const Letter& l : kLetters)
        if (l.folded != 0 && (c == l.upper || c == l.lower)) return &l;
    return nullptr;
}

// A letter and the mark after it, as one character.
char32_t compose(char32_t base, char32_t mark) {
    for (const Letter& l : kLetters)
        if (l.mark == mark && l.base != 0 && (base | 32) == static_cast<char32_t>(l.base))
            return base < 'a' ? l.upper : l.lower;
    return 0;
}

char32_t fold(char32_t c) {
    if (const Letter* l = letter(c)) return l->folded;
    return c >= 'A' && c <= 'Z' ? c | 32 : c;
}

// Full-width forms of ASCII, as some keyboards type them.
char32_t narrow(char32_t c) { return c >= 0xff01 && c <= 0xff5e ? c - 0xfee0 : c; }

}  // namespace

Result<UserName, NameError> parse_user_name(std::string_view text) {
    if (text.size() > 24 * 8) return Error{NameError::TooLong};
    std::vector<char32_t> characters;
    while (!text.empty()) {
        const auto c = take_code_point(text);
        if (!c) return Error{NameError::Characters};
        const char32_t composed = characters.empty() ? 0 : compose(characters.back(), *c);
        if (composed != 0) {
            characters.back() = composed;
        } else {
            characters.push_back(narrow(*c));
        }
    }
    UserName name;
    for (const char32_t c : characters) {
        const bool plain = is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!plain && letter(c) == nullptr) return Error{NameError::Characters};
        append_utf8(name.shown, c);
        append_utf8(name.folded, fold(c));
    }
    if (characters.size() < 2) return Error{NameError::TooShort};
    if (characters.size() > 24) return Error{NameError::TooLong};
    if (std::find(kReserved.begin(), kReserved.end(), name.folded) != kReserved.end())
        return Error{NameError::Reserved};
    return name;
}

std::string_view code_of(NameError error) {
    switch (error) {
        case NameError::TooShort: return "too_short";
        case NameError::TooLong: return "too_long";
        case NameError::Characters: return "characters";
        case NameError::Reserved: return "reserved";
    }
    return "invalid";
}

std::string_view message_of(NameError error) {
    switch (error) {
        case NameError::TooShort: return "The name needs at least 2 characters.";
        case NameError::TooLong: return "The name can have at most 24 characters.";
        case NameError::Characters: return "Use letters, digits, _ and - only.";
        case NameError::Reserved: return "This name is reserved.";
    }
    return "";
}

}  // namespace rokada::server
