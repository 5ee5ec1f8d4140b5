// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/json_text.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace rokada::server {

void JsonText::separate() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
}

JsonText& JsonText::open(char bracket) {
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
    for (const char c : text) {
        switch (c) {
            case '"': text_ += "\\\""; break;
            case '\\': text_ += "\\\\"; break;
            case '\n': text_ += "\\n"; break;
            case '\r': text_ += "\\r"; break;
            case '\t': text_ += "\\t"; break;
            // Harmless even if the text lands inside a page.
            case '<': text_ += "\\u003c"; break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    char escaped[8];
                    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
                    text_ += escaped;
                } else {
                    text_ += c;
                }
        }
    }
    text_ += '"';
    return *this;
}

JsonText& JsonText::value(std::int64_t number) { return raw(std::to_string(number)); }
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
