// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/game_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

// `[Name "value"]`, with the escapes taken back.
bool read_tag(const std::string& line, std::string_view name, std::string& value) {
    const std::string begin = "[" + std::string(name) + " \"";
    if (line.compare(0, begin.size(), begin) != 0) return false;
    value.clear();
    for (std::size_t i = begin.size(); i < line.size() && line[i] != '"'; ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        value += line[i];
    }
    return true;
}

// A line of moves may begin with a bracket too: that of a command in a comment, `[%clk ...]`.
bool is_tag(const std::string& line) { return line.size() > 1 && line[0] == '[' && line[1] != '%'; }

bool ends_with_result(const std::string& line, const std::string& result) {
    return !result.empty() && line.size() >= result.size() &&
           line.compare(line.size() - result.size(), result.size(), result) == 0;
}

}  // namespace

GameFile::~GameFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::vector<StoredGame>, std::string> GameFile::resume(const std::string& path) {
    path_ = path;
    std::vector<StoredGame> games;
    std::uint64_t complete = 0, offset = 0;
    {
        std::ifstream file(path, std::ios::binary);
        std::string line, last, number;
        StoredGame game;
        while (std::getline(file, line)) {
            const bool terminated = !file.eof();
            offset += line.size() + (terminated ? 1 : 0);
            if (read_tag(line, "White", game.white) || read_tag(line, "Black", game.black) ||
                read_tag(line, "Result", game.result) ||
                read_tag(line, "TerminationDetails", game.termination))
                continue;
            if (read_tag(line, "GameNumber", number)) {
                game.number = static_cast<int>(protocol::to_integer(number).value_or(0));
                continue;
            }
            // A blank line after the result ends a game.
            if (line.empty() && terminated && game.number > 0 && !last.empty() && !is_tag(last) &&
                ends_with_result(last, game.result)) {
                games.push_back(game);
                game = {};
                complete = offset;
            }
            last = line;
        }
    }
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(complete)) != 0 ||
        ::lseek(descriptor_, 0, SEEK_END) < 0)
        return Error{fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
    return games;
}

std::optional<std::string> GameFile::create(const std::string& path) {
    path_ = path;
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0644);
    if (descriptor_ < 0) return fmt::format("cannot write '{}': {}", path, std::strerror(errno));
    if (::lseek(descriptor_, 0, SEEK_END) > 0)
        return fmt::format("'{}' already holds games; use --resume to go on or choose another file",
                           path);
    return std::nullopt;
}

std::optional<std::string> GameFile::append(const std::string& pgn) {
    const std::lock_guard lock(mutex_);
    std::string_view left = pgn;
    while (!left.empty()) {
        const ssize_t written = ::write(descriptor_, left.data(), left.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return fmt::format("cannot write '{}': {}", path_, std::strerror(errno));
        left.remove_prefix(static_cast<std::size_t>(written));
    }
    ::fdatasync(descriptor_);
    return std::nullopt;
}

}  // namespace rokada::lab
