// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/match/game_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/pgn_game_reader.hpp"
#include "protocol/tokens.hpp"

namespace rokada::lab {

namespace {

// A line of moves may begin with a bracket too: that of a command in a comment, `[%clk ...]`.
bool is_tag(const std::string& line) { return line.size() > 1 && line[0] == '[' && line[1] != '%'; }

bool ends_with_result(const std::string& line) {
    if (is_tag(line)) return false;
    for (const std::string_view result : {"1-0", "0-1", "1/2-1/2"})
        if (line.size() >= result.size() &&
            line.compare(line.size() - result.size(), result.size(), result) == 0)
            return true;
    return false;
}

// Of one side or, if there is no such tag, of both.
std::string tag_of(const PgnGame& game, std::string_view color, std::string_view name) {
    const std::string_view own = game.tag(std::string(color) + std::string(name));
    return std::string(own.empty() ? game.tag(name) : own);
}

// A game that the match wrote; nothing if it has no number.
std::optional<StoredGame> read_game(std::string_view text) {
    const PgnGames games = parse_pgn(text);
    if (games.games.size() != 1) return std::nullopt;
    const PgnGame& game = games.games.front();
    StoredGame stored;
    stored.number = static_cast<int>(protocol::to_integer(game.tag("GameNumber")).value_or(0));
    if (stored.number < 1 || game.result() == PgnResult::Unfinished) return std::nullopt;
    stored.white = game.tag("White");
    stored.black = game.tag("Black");
    stored.result = to_string(game.result());
    stored.termination = game.tag("TerminationDetails");
    stored.time_control = {
        {tag_of(game, "White", "TimeControl"), tag_of(game, "Black", "TimeControl")}};
    stored.move_limits = {
        {tag_of(game, "White", "MoveLimits"), tag_of(game, "Black", "MoveLimits")}};
    stored.variant = game.tag("Variant");
    stored.opening.start = game.start();
    for (const PgnGame::Node node : game.main_line()) {
        const PgnNotes* const notes = game.find_notes(node);
        if (notes == nullptr || notes->after.text.compare(0, 4, "book") != 0) {
            stored.has_own_moves = true;
            break;
        }
        stored.opening.moves.push_back(game.move(node));
    }
    return stored;
}

// Whether a text, possibly cut off, fits "[Name "value"]" with a value of this form: '?' is itself, '*' any
// text, '#' a number.
bool fits(std::string_view text, bool whole, std::string_view form) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (at == text.size()) return !whole;
        if (form[i] == '*') {
            if (!whole) return true;
            const std::string_view rest = form.substr(i + 1);
            return text.size() - at >= rest.size() &&
                   text.substr(text.size() - rest.size()) == rest;
        }
        if (form[i] == '#') {
            const std::size_t begin = at;
            while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
            if (at == begin) return false;
        } else if (text[at++] != form[i]) {
            return false;
        }
    }
    return at == text.size();
}

// Whether a text is the beginning of one game as we write it, cut off anywhere.
bool is_game_cut_off(std::string_view text) {
    constexpr std::string_view beginning[] = {"[Event \"*\"]", "[Site \"?\"]", "[Date \"*\"]",
                                              "[Round \"#.#\"]"};
    bool numbered = false;
    for (std::size_t line_number = 0; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        const bool whole = end != std::string_view::npos;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(whole ? end + 1 : text.size());
        if (line_number < std::size(beginning)) {
            if (!fits(line, whole, beginning[line_number])) return false;
        } else if (fits(line, whole, "[Event \"*\"]") && whole) {
            return false;  // another game
        } else if (fits(line, whole, "[GameNumber \"#\"]")) {
            numbered = true;
        } else if (!numbered && whole && (line.empty() || line[0] != '[')) {
            return false;  // moves, and of a game that is not ours
        }
    }
    return true;
}

}  // namespace

GameFile::~GameFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::vector<StoredGame>, std::string> GameFile::resume(const std::string& path) {
    path_ = path;
    std::vector<StoredGame> games;
    std::uint64_t complete = 0, offset = 0;
    std::string behind;  // the last complete game
    {
        std::ifstream file(path, std::ios::binary);
        std::string line, last;
        while (std::getline(file, line)) {
            const bool terminated = !file.eof();
            offset += line.size() + (terminated ? 1 : 0);
            behind += line;
            if (terminated) behind += '\n';
            // A blank line after the result ends a game.
            if (line.empty() && terminated && ends_with_result(last)) {
                if (auto game = read_game(behind)) {
                    games.push_back(std::move(*game));
                    complete = offset;
                    behind.clear();
                }
            }
            last = line;
        }
    }
    if (!is_game_cut_off(behind))
        return Error{fmt::format("'{}' {}; choose another file", path,
                                 games.empty() ? "holds no games of a match"
                                               : "ends with text that is no game of a match")};
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0)
        return Error{fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
    cut_at_ = complete;
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
    if (cut_at_) {
        if (::ftruncate(descriptor_, static_cast<off_t>(*cut_at_)) != 0 ||
            ::lseek(descriptor_, 0, SEEK_END) < 0)
            return fmt::format("cannot write '{}': {}", path_, std::strerror(errno));
        cut_at_.reset();
    }
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
