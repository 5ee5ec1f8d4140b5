// SPDX-License-Identifier: GPL-3.0-or-later
// Where larger collections of test data are, if this machine has them. Tests that use them skip otherwise.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace rokada::testing_support {

// The folder `data/NAME` of $ROKADA_SHARED or of ../shared beside the source; empty if there is none.
inline std::filesystem::path shared_data(const std::string& name) {
    namespace fs = std::filesystem;
    const char* given = std::getenv("ROKADA_SHARED");
    std::vector<fs::path> places;
    if (given != nullptr) places.emplace_back(given);
    places.push_back(fs::path(ROKADA_SOURCE_DIR) / ".." / "shared");
    for (const fs::path& place : places)
        if (std::error_code error; fs::exists(place / "data" / name, error))
            return place / "data" / name;
    return {};
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Without the ends of lines and without empty ones.
inline std::vector<std::string> read_lines(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
    return lines;
}

}  // namespace rokada::testing_support
