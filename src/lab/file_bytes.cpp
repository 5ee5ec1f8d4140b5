// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/file_bytes.hpp"

#include <filesystem>

namespace rokada::lab {

std::string why_unreadable(const std::string& path) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(path, ignored).type();
    if (kind == std::filesystem::file_type::directory) return path + ": is a folder";
    if (kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::block)
        return path + ": is a device";
    return std::ifstream(path) ? "" : path + ": cannot be opened";
}

std::string read_whole_file(const std::string& path, std::vector<unsigned char>& bytes) {
    if (std::string problem = why_unreadable(path); !problem.empty()) return problem;
    FileBytes file(path);
    constexpr std::size_t kChunk = 1 << 20;
    bytes.clear();
    for (std::size_t read = kChunk; read > 0;) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kChunk);
        read = file.read(reinterpret_cast<char*>(bytes.data() + size), kChunk);
        bytes.resize(size + read);
    }
    return file.failed() ? path + ": cannot be read" : "";
}

}  // namespace rokada::lab
