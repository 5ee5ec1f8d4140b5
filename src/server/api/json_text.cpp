// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace rokada::server {
namespace {

constexpr std::array<bool, 256> kSpecial = [] {
    std::array<bool, 256> special{};
    for (std::size_t c = 0; c < 0x20; ++c) special[c] = true;
    special['"'] = special['\\'] = special['<'] = true;
    return special;
}();

// How far the text can be copied as it is.
std::size_t plain_length(std::string_view text) {
    const auto special = [](char c) { return kSpecial[static_cast<unsigned char>(c)]; };
    return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), special) - text.begin());
}

}  // namespace

void JsonText::separate() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
}

JsonText& JsonText::open(char bracket) {
    constexpr std::size_t kUsual = 400;  // most messages never grow beyond it
    if (text_.empty()) text_.reserve(kUsual);
    separate();
    text_ += bracket;
    needs_comma_ = false;
    return *this;
}

JsonText& JsonText::close(char bracket) {
    text_ += bracket;
    needs_comma_ = true;
    return *this;
}

JsonText& JsonText::name(std::string_view text) {
    value(text);
    text_ += ':';
    needs_comma_ = false;
    return *this;
}

JsonText& JsonText::value(std::string_view text) {
    separate();
    text_ += '"';
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t plain = plain_length(text.substr(at));
        text_.append(text, at, plain);
        at += plain;
        if (at == text.size()) break;
        switch (const char c = text[at]) {
            case '"': text_ += "\\\""; break;
            case '\\': text_ += "\\\\"; break;
            case '\n': text_ += "\\n"; break;
            case '\r': text_ += "\\r"; break;
            case '\t': text_ += "\\t"; break;
            // Harmless even if the text lands inside a page.
            case '<': text_ += "\\u003c"; break;
            default: {
                char escaped[8];
                std::snprintf(escaped, sizeof escaped, "\\u%04x",
                              static_cast<unsigned>(static_cast<unsigned char>(c)));
                text_ += escaped;
            }
        }
    }
    text_ += '"';
    return *this;
}

JsonText& JsonText::value(std::int64_t number) {
    char digits[24];
    const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return raw(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}
JsonText& JsonText::value(std::uint64_t number) { return raw(std::to_string(number)); }
JsonText& JsonText::value(bool truth) { return raw(truth ? "true" : "false"); }
JsonText& JsonText::null() { return raw("null"); }

JsonText& JsonText::value(double number) {
    if (!std::isfinite(number)) return null();
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", number);
    return raw(text);
}

JsonText& JsonText::value(const std::vector<std::string>& texts) {
    open_array();
    for (const std::string& text : texts) value(text);
    return close_array();
}

JsonText& JsonText::raw(std::string_view json) {
    separate();
    text_ += json;
    return *this;
}

std::string time_text(std::int64_t wall_ms) {
    const std::time_t seconds = static_cast<std::time_t>(wall_ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[96];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(wall_ms % 1000));
    return text;
}

}  // namespace rokada::server
