// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/tuning/weights_file.hpp"

#include <cctype>
#include <cmath>

namespace rokada::lab {

namespace {

int rounded(float value) { return static_cast<int>(std::lround(value)); }

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the word stands as a whole, followed by that character; npos if nowhere.
std::size_t find_word(std::string_view text, std::string_view word, char next) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_name(text[at - 1])) && end < text.size() && text[end] == next)
            return at;
    }
    return std::string_view::npos;
}

// One pair keeps the room it had, so that columns stay columns as far as possible.
void put_pair(std::string& text, std::size_t begin, std::size_t end, int middlegame, int endgame) {
    const std::string pair =
        "{" + std::to_string(middlegame) + ", " + std::to_string(endgame) + "}";
    if (text.compare(begin, end - begin, pair) == 0) return;
    std::size_t blanks = 0, after = end;
    if (after < text.size() && text[after] == ',') {
        std::size_t next = after + 1;
        while (next < text.size() && text[next] == ' ') ++next;
        if (next < text.size() && text[next] != '\n') {
            const std::size_t room = next - begin, needed = pair.size() + 1;
            blanks = room > needed ? room - needed : 1;
            text.replace(after, next - after, "," + std::string(blanks, ' '));
        }
    }
    text.replace(begin, end - begin, pair);
}

}  // namespace

Result<std::string, std::string> with_values(std::string_view header, const TunedValues& values) {
    std::string text(header);
    for (const engine::Term& term : engine::kTerms) {
        // `name{a, b};` for one weight, `name{S{a, b}, S{}, ...};` for many.
        const std::size_t name = find_word(text, term.name, '{');
        const std::size_t end = name == std::string::npos ? name : text.find(';', name);
        if (end == std::string::npos)
            return Error{"no weight " + std::string(term.name) + " in the file"};
        std::size_t at = name + term.name.size();
        for (std::size_t i = term.first; i < term.first + term.count; ++i) {
            if (term.count > 1) at = text.find("S{", at) + 1;
            const std::size_t close = at == 0 ? std::string::npos : text.find('}', at);
            if (close == std::string::npos || text[at] != '{' || close > text.find(';', at))
                return Error{"fewer values of " + std::string(term.name) + " than expected"};
            const int middlegame = rounded(values[2 * i]), endgame = rounded(values[2 * i + 1]);
            // What is never used stays unwritten.
            if (close == at + 1 && middlegame == 0 && endgame == 0)
                at = close;
            else
                put_pair(text, at, close + 1, middlegame, endgame);
        }
    }
    const std::size_t danger = text.find("struct DangerWeights {");
    if (danger == std::string::npos) return Error{std::string("no DangerWeights in the file")};
    for (std::size_t i = 0; i < engine::kDangerCount; ++i) {
        const std::string name(engine::kDangerTerms[i]);
        const std::size_t at = find_word(std::string_view(text).substr(danger), name, ' ');
        const std::size_t value = at == std::string::npos ? at : danger + at + name.size() + 3;
        if (value == std::string::npos || text.compare(value - 3, 3, " = ") != 0)
            return Error{"no unit " + name + " in the file"};
        text.replace(value, text.find_first_of(",;", value) - value,
                     std::to_string(rounded(values[kDangerBegin + i])));
    }
    return text;
}

}  // namespace rokada::lab
