// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the opening names of an npm package into src/chess/openings_table.inc; run by tools/make_openings.
// Reads records of the form  'FEN': { eco: 'A00', name: 'Amar Opening', ...  from standard input.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "chess/notation/fen.hpp"

namespace {

using namespace rokada;

constexpr std::size_t kBlock = 16;          // names per block, the first of each written in full
constexpr std::size_t kLongestShared = 90;  // so that ' ' + shared stays a printable character

struct Record {
    Key key = 0;
    std::string code, name;
};

// The text between quotes that starts at or after `at`, escapes resolved; moves `at` behind it.
std::string quoted_text(const std::string& text, std::size_t& at) {
    at = text.find_first_of("'\"", at);
    const char quote = text.at(at++);
    std::string value;
    for (; text.at(at) != quote; ++at) {
        if (text[at] == '\\') ++at;
        value += text.at(at);
    }
    ++at;
    return value;
}

std::vector<Record> read_records(const std::string& text) {
    std::vector<Record> records;
    for (std::size_t at = 0; (at = text.find("eco: ", at)) != std::string::npos;) {
        std::size_t line = text.rfind("': {", at);
        line = text.rfind('\n', line);
        const std::string fen = quoted_text(text, line);
        Record record;
        record.code = quoted_text(text, at);
        at = text.find("name: ", at) + 6;
        record.name = quoted_text(text, at);
        const auto position = parse_position(fen);
        if (!position) {
            std::fprintf(stderr, "%s: %s\n", fen.c_str(), position.error().to_string().c_str());
            std::exit(1);
        }
        record.key = position->key();
        records.push_back(record);
    }
    return records;
}

std::size_t shared_length(const std::string& a, const std::string& b) {
    const std::size_t most = std::min({a.size(), b.size(), kLongestShared});
    return static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first -
        a.begin());
}

void print_names(const std::vector<std::string>& names) {
    std::printf("constexpr const char* kOpeningNames[] = {");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t shared = i % kBlock == 0 ? 0 : shared_length(names[i - 1], names[i]);
        std::string text(1, static_cast<char>(' ' + shared));
        text += names[i].substr(shared);
        std::string escaped;
        for (const char c : text) {
            if (c == '"' || c == '\\') escaped += '\\';
            escaped += c;
        }
        std::printf("%s    \"%s\\n\"", i % kBlock == 0 ? (i ? ",\n" : "\n") : "\n",
                    escaped.c_str());
    }
    std::printf("};\n");
}

}  // namespace

int main(int, char** argv) {
    const std::string text{std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>()};
    std::vector<Record> records = read_records(text);
    std::sort(records.begin(), records.end(),
              [](const Record& a, const Record& b) { return a.key < b.key; });
    std::map<std::string, std::size_t> places;
    for (const Record& record : records) places[record.name] = 0;
    std::vector<std::string> names;
    for (auto& [name, place] : places) {
        place = names.size();
        names.push_back(name);
    }

    std::printf("// SPDX-License-Identifier: GPL-3.0-or-later\n");
    std::printf(
        "// Made by tools/make_openings from the npm package %s (licence WTFPL), whose names are\n",
        argv[1]);
    std::printf("// those of Lichess (CC0 1.0): %zu positions, %zu names.\n", records.size(),
                names.size());
    std::printf("// Part of openings.cpp, which says how it is read.\n\n");
    std::printf("constexpr OpeningEntry kOpeningEntries[] = {");
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& r = records[i];
        const int code = (r.code.at(0) - 'A') * 100 + std::stoi(r.code.substr(1));
        std::printf("%s{0x%016llX,%zu},", i % 4 == 0 ? "\n" : "",
                    static_cast<unsigned long long>(r.key),
                    places[r.name] * 512 + static_cast<std::size_t>(code));
    }
    std::printf("};\n\n");
    std::printf("constexpr std::size_t kOpeningNamesPerBlock = %zu;\n", kBlock);
    print_names(names);
}
