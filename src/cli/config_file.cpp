// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/config_file.hpp"

#include <fstream>

#include <CLI/CLI.hpp>

namespace rokada::cli {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// postgres://user:password@host -> postgres://user:***@host
std::string masked(std::string value) {
    const std::size_t scheme = value.find("://");
    const std::size_t at = value.rfind('@');
    if (scheme == std::string::npos || at == std::string::npos) return value;
    const std::size_t colon = value.find(':', scheme + 3);
    if (colon == std::string::npos || colon > at) return value;
    return value.replace(colon + 1, at - colon - 1, "***");
}

bool is_setting(const CLI::Option& option) {
    const std::string& name = option.get_single_name();
    return name != "help" && name != "config";
}

}  // namespace

std::optional<std::string> apply_config_file(CLI::App& command, const std::string& path) {
    std::ifstream file(path);
    if (!file) return "cannot read " + path;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const auto complaint = [&](const std::string& what) {
            return path + ":" + std::to_string(number) + ": " + what;
        };
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) return complaint("write name = value");
        const std::string name = trimmed(line.substr(0, equals));
        std::string value = trimmed(line.substr(equals + 1));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
            value = value.substr(1, value.size() - 2);
        CLI::Option* option = command.get_option_no_throw("--" + name);
        if (option == nullptr || !is_setting(*option))
            return complaint("there is no setting " + name);
        if (option->count() > 0 && option->get_expected_max() <= 1) continue;
        try {
            option->add_result(value);
            option->run_callback();
        } catch (const CLI::Error&) {
            return complaint(name + " cannot be " + value);
        }
    }
    return std::nullopt;
}

std::string settings_text(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : command.get_options()) {
        if (!is_setting(*option)) continue;
        for (const std::string& value : option->results())
            text += option->get_single_name() + " = " + masked(value) + "\n";
        if (option->count() == 0) text += "# " + option->get_single_name() + " =\n";
    }
    return text;
}

}  // namespace rokada::cli
