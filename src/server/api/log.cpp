// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/log.hpp"

#include "server/api/json_text.hpp"

namespace rokada::server {
namespace {

std::string_view word(LogLevel level) {
    switch (level) {
        case LogLevel::Info: return "info";
        case LogLevel::Warning: return "warning";
        case LogLevel::Error: return "error";
    }
    return "error";
}

// Bare when that is unmistakable, else as a JSON string.
std::string plain_value(std::string_view text) {
    const bool bare = !text.empty() && text.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-.:/{}[]+@") == std::string_view::npos;
    return bare ? std::string(text) : JsonText().value(text).take();
}

}  // namespace

std::string log_line(const LogEntry& entry, LogFormat format, Millis wall) {
    if (format == LogFormat::Json) {
        JsonText json;
        json.open_object().field("time", time_text(wall)).field("level", word(entry.level));
        json.field("event", entry.event);
        for (const auto& [name, value] : entry.fields) json.field(name, value);
        return json.close_object().take();
    }
    std::string line = time_text(wall) + " " + std::string(word(entry.level)) + " " + entry.event;
    for (const auto& [name, value] : entry.fields) line += " " + name + "=" + plain_value(value);
    return line;
}

}  // namespace rokada::server
