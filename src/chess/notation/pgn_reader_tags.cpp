// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PgnReader that finds the next game and reads its tags.
#include <algorithm>
#include <array>

#include "chess/notation/fen.hpp"
#include "chess/notation/pgn_reader.hpp"
#include "chess/notation/pgn_tag.hpp"

namespace rokada {

namespace {

constexpr std::size_t kNameLookahead = 64;

// Tags of which a game has one, so that a second one speaks for the next game.
constexpr std::array<std::string_view, 8> kOncePerGame{"Event", "Site",  "Date",   "Round",
                                                       "White", "Black", "Result", "FEN"};

unsigned once_per_game_bit(std::string_view name) {
    for (std::size_t i = 0; i < kOncePerGame.size(); ++i)
        if (kOncePerGame[i] == name) return 1u << i;
    return 0;
}

// Lower case letters and digits only, so that "Chess 960" and "chess960" are one.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 64)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
        if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

// Chess960 needs no name: castling rights tell everything. Other rules are not played here.
bool is_chess(std::string_view variant) {
    constexpr std::array<std::string_view, 13> known{"",
                                                     "chess",
                                                     "standard",
                                                     "normal",
                                                     "fromposition",
                                                     "chess960",
                                                     "fischerandom",
                                                     "fischerrandom",
                                                     "frc",
                                                     "fischerrandomchess",
                                                     "freestyle",
                                                     "freestylechess",
                                                     "960"};
    return std::find(known.begin(), known.end(), plain(variant)) != known.end();
}

}  // namespace

bool PgnReader::skip_blanks() {
    int lines = 0;
    while (true) {
        text_.provide(1);
        const char* p = text_.at();
        while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') lines += *p++ == '\n';
        text_.move_to(p);
        if (p != text_.end() || text_.at_end_of_text()) return lines > 1;
    }
}

// Remembers how far a search has come, so that it never goes over the same text twice.
const char* PgnReader::find(char wanted, std::uint64_t& known_before) {
    const std::uint64_t here = text_.offset();
    const std::size_t known =
        known_before > here ? static_cast<std::size_t>(known_before - here) : 0;
    const char* found = text_.find(wanted, known, limits_.text);
    const auto searched =
        static_cast<std::size_t>((found != nullptr ? found : text_.end()) - text_.at());
    known_before = std::max(known_before, here + std::min(searched, limits_.text));
    return found;
}

// The '\n' of this line, or the end of the text; null if it is further than the limit.
const char* PgnReader::line_end() {
    const char* end = find('\n', no_line_end_before_);
    if (end != nullptr) return end;
    const auto rest = static_cast<std::size_t>(text_.end() - text_.at());
    return rest < limits_.text ? text_.end() : nullptr;
}

// The '}' of the comment that begins here; null, and the problem named, if it has none.
const char* PgnReader::comment_end(const char*& problem) {
    const char* end = find('}', no_brace_before_);
    const char* begin = text_.at();
    if (end == nullptr) {
        problem = static_cast<std::size_t>(text_.end() - begin) >= limits_.text
                      ? "the comment is too long"
                      : "the comment is not closed";
        return nullptr;
    }
    // A comment that holds the head of a game was never closed.
    constexpr std::string_view kNextGame = "\n[Event \"";
    const std::string_view inside(begin, static_cast<std::size_t>(end - begin));
    if (inside.find(kNextGame) != std::string_view::npos) {
        problem = "the comment is not closed before the next game";
        return nullptr;
    }
    return end;
}

void PgnReader::skip_line() {
    const char* end = line_end();
    while (end == nullptr) {
        text_.move_to(text_.at() + limits_.text);
        end = line_end();
    }
    text_.move_to(end);
}

bool PgnReader::skip_to_game() {
    prelude_.clear();
    while (true) {
        skip_blanks();
        text_.provide(kNameLookahead);
        if (text_.at_end_of_text()) return false;
        const char* p = text_.at();
        if (prelude_.empty()) game_offset_ = text_.offset();
        if (*p == '%' && p[-1] == '\n') {
            skip_line();
        } else if (std::string_view(p, 3) == "\xEF\xBB\xBF") {  // files are joined with their marks
            text_.move_to(p + 3);
        } else if (*p == ';' || *p == '{') {
            const bool line = *p == ';';
            const char* problem = nullptr;
            const char* end = line ? line_end() : comment_end(problem);
            if (end == nullptr) return true;  // the movetext reader will complain
            const std::string_view found(text_.at() + 1,
                                         static_cast<std::size_t>(end - text_.at() - 1));
            if (prelude_.size() + found.size() < limits_.text) {
                if (!prelude_.empty()) prelude_ += '\n';
                prelude_ += found;
            }
            text_.move_to(line ? end : end + 1);
        } else {
            return true;
        }
    }
}

bool PgnReader::read_tags() {
    while (true) {
        const bool empty_line = skip_blanks();
        text_.provide(kNameLookahead);
        const char c = *text_.at();
        if (c == '%' && text_.at()[-1] == '\n') {
            skip_line();
        } else if (c != '[') {
            return true;
        } else if (begins_other_game(empty_line)) {
            return false;
        } else {
            read_tag();
        }
    }
}

bool PgnReader::begins_other_game(bool after_empty_line) {
    if (!any_tag_) return false;
    const std::size_t size =
        std::min(static_cast<std::size_t>(text_.end() - text_.at()), kNameLookahead);
    std::string_view name(text_.at() + 1, size - 1);
    while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
    name = name.substr(0, name.find_first_of(" \t\r\n\"]"));
    if (name == "Event") return true;
    return after_empty_line && (tags_seen_ & once_per_game_bit(name)) != 0;
}

void PgnReader::read_tag() {
    const char* end = line_end();
    if (end == nullptr) {
        any_tag_ = true;
        if (!skipping_game()) broken(text_.at(), "the line of tags is too long");
        skip_line();
        return;
    }
    const char* begin = text_.at();
    const PgnTagText tag =
        read_pgn_tag(std::string_view(begin, static_cast<std::size_t>(end - begin)));
    any_tag_ = true;
    if (tag.mistake != nullptr && !skipping_game())
        report(begin + tag.mistake_at, PgnSeverity::Repaired, tag.mistake);
    tags_seen_ |= once_per_game_bit(tag.name);
    if (!tag.name.empty() && !skipping_game()) {
        std::string_view value = tag.value;
        if (tag.escaped) {
            scratch_.clear();
            append_unescaped(scratch_, value);
            value = scratch_;
        }
        visitor_->tag(tag.name, value);
        heed_visitor();
        use_tag(tag.name, value, tag.value.data());
    }
    text_.move_to(begin + tag.size);
}

void PgnReader::use_tag(std::string_view name, std::string_view value, const char* place) {
    if (skipping_game()) return;
    if (name == "FEN") {
        const auto position = parse_position(value);
        if (position)
            now_ = *position;
        else
            broken(place + std::min(position.error().offset, value.size()),
                   "the FEN is wrong: " + position.error().message);
    } else if (name == "Variant") {
        if (!is_chess(value)) broken(place, "the rules of " + quoted(value) + " are not known");
    } else if (name == "Result") {
        has_result_tag_ = true;
        result_tag_ = parse_pgn_result(value);
    }
}

}  // namespace rokada
