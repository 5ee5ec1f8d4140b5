// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/pgn_tag.hpp"

namespace rokada {

namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::size_t skip_blanks(std::string_view line, std::size_t at) {
    while (at < line.size() && is_blank(line[at])) ++at;
    return at;
}

bool ends_name(char c) { return is_blank(c) || c == '"' || c == ']' || c == '['; }

// Whether a quotation mark closes the value: then a bracket or the end of the line comes next.
bool closes(std::string_view line, std::size_t quote) {
    const std::size_t next = skip_blanks(line, quote + 1);
    return next == line.size() || line[next] == ']';
}

PgnTagText dropped(std::string_view line, std::size_t at, const char* mistake) {
    PgnTagText tag;
    const std::size_t close = line.find(']', at);
    tag.size = close == kNowhere ? line.size() : close + 1;
    tag.mistake = mistake;
    tag.mistake_at = at;
    return tag;
}

// The value never closes if its escapes are believed; so the last mark that could close it does.
void close_somehow(std::string_view line, std::size_t begin, PgnTagText& tag) {
    tag.escaped = false;
    for (std::size_t quote = line.rfind('"'); quote != kNowhere && quote >= begin;
         quote = quote == 0 ? kNowhere : line.rfind('"', quote - 1)) {
        if (!closes(line, quote)) continue;
        tag.value = line.substr(begin, quote - begin);
        tag.mistake = "the value ends with an escaped quotation mark";
        tag.mistake_at = quote;
        return;
    }
    std::size_t end = line.size();
    while (end > begin && is_blank(line[end - 1])) --end;
    if (end > begin && line[end - 1] == ']') --end;
    tag.value = line.substr(begin, end - begin);
    tag.mistake = "the value is not closed by a quotation mark";
    tag.mistake_at = begin - 1;
}

}  // namespace

PgnTagText read_pgn_tag(std::string_view line) {
    PgnTagText tag;
    const std::size_t name = skip_blanks(line, 1);
    std::size_t at = name;
    while (at < line.size() && !ends_name(line[at])) ++at;
    if (at == name) return dropped(line, name, "the tag has no name");
    const std::size_t name_end = at;
    at = skip_blanks(line, at);
    if (at == line.size() || line[at] != '"')
        return dropped(line, at, "the tag has no value in quotation marks");
    tag.name = line.substr(name, name_end - name);

    const std::size_t begin = ++at;
    for (;; ++at) {
        if (at == line.size()) {
            close_somehow(line, begin, tag);
            tag.size = line.size();
            return tag;
        }
        if (line[at] == '\\' && at + 1 < line.size() &&
            (line[at + 1] == '"' || line[at + 1] == '\\')) {
            tag.escaped = true;
            ++at;
        } else if (line[at] == '"') {
            if (closes(line, at)) break;
            if (tag.mistake == nullptr) {
                tag.mistake = "a quotation mark within the value is not escaped";
                tag.mistake_at = at;
            }
        }
    }
    tag.value = line.substr(begin, at - begin);
    at = skip_blanks(line, at + 1);
    if (at == line.size() && tag.mistake == nullptr) {
        tag.mistake = "the tag is not closed by a bracket";
        tag.mistake_at = at;
    }
    tag.size = at == line.size() ? at : at + 1;
    return tag;
}

void append_unescaped(std::string& out, std::string_view value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size() &&
            (value[i + 1] == '"' || value[i + 1] == '\\'))
            ++i;
        out += value[i];
    }
}

void append_pgn_tag(std::string& out, std::string_view name, std::string_view value) {
    out += '[';
    out += name;
    out += " \"";
    for (const char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    out += "\"]\n";
}

}  // namespace rokada
