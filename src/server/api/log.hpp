// SPDX-License-Identifier: GPL-3.0-or-later
// What a server writes down: one entry, one line, plain or JSON, UTC. Values are escaped, so nobody can
// forge a line; secrets (passwords, tokens, codes, query strings) are never put into an entry.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/store/records.hpp"

namespace rokada::server {

enum class LogLevel { Info, Warning, Error };

struct LogEntry {
    LogLevel level = LogLevel::Info;
    std::string event;  // stable, for programs: "login_failed"
    std::vector<std::pair<std::string, std::string>> fields;  // in this order
};

enum class LogFormat { Plain, Json };

// Without the line break.
std::string log_line(const LogEntry& entry, LogFormat format, Millis wall);

using LogSink = std::function<void(const LogEntry&)>;

}  // namespace rokada::server
