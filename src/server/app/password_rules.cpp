// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/password_rules.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace rokada::server {
namespace {

constexpr std::size_t kMaxBytes = 1024;

// Lists of leaked passwords are, above 7 characters, almost all one of these words with digits or
// signs around it, a row of keys, or a repeated piece. Rules therefore cover more than a list would.
constexpr std::array<std::string_view, 108> kWords{
    "password",  "passwort",  "passw0rd", "parola",    "haslo",      "lozinka",    "zaporka",
    "qwerty",    "qwertz",    "azerty",   "letmein",   "welcome",    "admin",      "administrator",
    "master",    "monkey",    "dragon",   "football",  "baseball",   "basketball", "superman",
    "batman",    "iloveyou",  "princess", "sunshine",  "shadow",     "michael",    "jennifer",
    "trustno",   "starwars",  "whatever", "freedom",   "computer",   "internet",   "samsung",
    "liverpool", "chelsea",   "arsenal",  "barcelona", "realmadrid", "juventus",   "pokemon",
    "naruto",    "minecraft", "fortnite", "roblox",    "chess",      "lichess",    "checkmate",
    "rokada",    "kasparov",  "carlsen",  "changeme",  "default",    "secret",     "login",
    "guest",     "user",      "test",     "testing",   "hello",      "google",     "facebook",
    "summer",    "winter",    "spring",   "autumn",    "monday",     "sunday",     "january",
    "december",  "charlie",   "jordan",   "hunter",    "ranger",     "daniel",     "thomas",
    "robert",    "jessica",   "ashley",   "andrew",    "matthew",    "joshua",     "nicole",
    "amanda",    "maverick",  "phoenix",  "mustang",   "corvette",   "ferrari",    "mercedes",
    "yankees",   "cowboys",   "steelers", "eminem",    "metallica",  "nirvana",    "slipknot",
    "killer",    "hockey",    "soccer",   "tigger",    "buster",     "cookie",     "pepper",
    "ginger",    "cheese",    "banana"};

constexpr std::array<std::string_view, 9> kRows{"1q2w3e4r5t6y7u8i9o0p",
                                                "qwertyuiop[]asdfghjkl;'zxcvbnm,./",
                                                "qwertzuiopasdfghjklyxcvbnm",
                                                "azertyuiopqsdfghjklmwxcvbn",
                                                "1234567890-=",
                                                "01234567890",
                                                "abcdefghijklmnopqrstuvwxyz",
                                                "qazwsxedcrfvtgbyhnujmikolp",
                                                "1qaz2wsx3edc4rfv5tgb6yhn7ujm"};

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 32);
    return result;
}

// 4 for a, 0 for o and so on, as people disguise words.
std::string plain_letters(std::string text) {
    for (char& c : text) {
        switch (c) {
            case '@':
            case '4': c = 'a'; break;
            case '3': c = 'e'; break;
            case '1':
            case '!': c = 'i'; break;
            case '0': c = 'o'; break;
            case '5':
            case '$': c = 's'; break;
            case '7': c = 't'; break;
            default: break;
        }
    }
    return text;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::string_view core(std::string_view text) {
    while (!text.empty() && !is_letter(text.front())) text.remove_prefix(1);
    while (!text.empty() && !is_letter(text.back())) text.remove_suffix(1);
    return text;
}

bool has_word(std::string_view text) {
    return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

bool is_repeated_piece(std::string_view text) {
    for (std::size_t size = 1; size <= 4 && size * 2 <= text.size(); ++size) {
        bool same = true;
        for (std::size_t i = size; i < text.size() && same; ++i) same = text[i] == text[i - size];
        if (same) return true;
    }
    return false;
}

// Mostly neighbours on the keyboard, in either direction, in runs of at least four.
bool is_key_row(std::string_view text) {
    std::size_t covered = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t longest = 1;
        for (const std::string_view row : kRows) {
            const std::string back(row.rbegin(), row.rend());
            for (const std::string_view line : {row, std::string_view(back)})
                for (std::size_t n = text.size() - at; n > longest && n >= 4; --n)
                    if (line.find(text.substr(at, n)) != std::string_view::npos) longest = n;
        }
        if (longest >= 4) covered += longest;
        at += longest;
    }
    return covered + 2 >= text.size();
}

bool is_common(const std::string& text) {
    if (is_repeated_piece(text)) return true;
    if (std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
        text.size() <= 10)
        return true;  // dates and telephone numbers
    if (is_key_row(text)) return true;
    if (has_word(core(text)) || has_word(text)) return true;
    const std::string disguised = plain_letters(text);
    return has_word(core(disguised)) || has_word(core(plain_letters(std::string(core(text)))));
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

}  // namespace

std::optional<PasswordError> check_password(std::string_view password, std::string_view user_name) {
    if (characters(password) < 8) return PasswordError::TooShort;
    if (password.size() > kMaxBytes) return PasswordError::TooLong;
    const std::string text = lowered(password);
    const std::string name = lowered(user_name);
    if (name.size() >= 3 && text.find(name) != std::string::npos && text.size() < name.size() + 6)
        return PasswordError::LikeName;
    if (is_common(text)) return PasswordError::Common;
    return std::nullopt;
}

std::string_view code_of(PasswordError error) {
    switch (error) {
        case PasswordError::TooShort: return "too_short";
        case PasswordError::TooLong: return "too_long";
        case PasswordError::Common: return "common";
        case PasswordError::LikeName: return "like_name";
    }
    return "invalid";
}

std::string_view message_of(PasswordError error) {
    switch (error) {
        case PasswordError::TooShort: return "The password needs at least 8 characters.";
        case PasswordError::TooLong: return "The password is too long.";
        case PasswordError::Common:
            return "This password is too easy to guess. Three or four words make a good one.";
        case PasswordError::LikeName:
            return "The password must not be the name with something added.";
    }
    return "";
}

}  // namespace rokada::server
