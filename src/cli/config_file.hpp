// SPDX-License-Identifier: GPL-3.0-or-later
// Settings from a file for the options of a command: one `name = value` per line, `#` begins a comment,
// names are those of the flags. Flags and environment win over the file; an unknown name is an error.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace rokada::cli {

// The error names file and line. Call from the command's callback.
std::optional<std::string> apply_config_file(CLI::App& command, const std::string& path);

// All settings as they are now, in the form of such a file; passwords inside URLs are masked.
std::string settings_text(const CLI::App& command);

}  // namespace rokada::cli
