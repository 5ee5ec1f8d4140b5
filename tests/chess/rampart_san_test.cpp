// SPDX-License-Identifier: GPL-3.0-or-later
// Complete lists of legal moves, written by another program: every move in SAN with the position it leads to.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "chess/notation/fen.hpp"
#include "chess/notation/san.hpp"
#include "tests/chess/shared_data.hpp"

namespace rokada {
namespace {

// The strings of a JSON text in the order they come; enough for lists of flat objects.
class JsonStrings {
  public:
    explicit JsonStrings(std::string text) : text_(std::move(text)) {}
    bool next(std::string& string) {
        at_ = text_.find('"', at_);
        if (at_ == std::string::npos) return false;
        string.clear();
        for (++at_; text_.at(at_) != '"'; ++at_) {
            if (text_[at_] == '\\') ++at_;
            string += text_.at(at_);
        }
        ++at_;
        return true;
    }

  private:
    std::string text_;
    std::size_t at_ = 0;
};

struct Case {
    std::string start;
    std::map<std::string, std::string> expected;  // SAN to FEN
};

std::vector<Case> read_cases(const std::filesystem::path& path) {
    JsonStrings strings(testing_support::read_file(path));
    std::vector<Case> cases;
    bool in_start = false;
    std::string move;
    for (std::string key; strings.next(key);) {
        if (key == "start") {
            cases.emplace_back();
            in_start = true;
        } else if (key == "expected") {
            in_start = false;
        } else if (key == "move") {
            strings.next(move);
        } else if (key == "fen") {
            strings.next(in_start ? cases.back().start : cases.back().expected[move]);
        } else if (key == "description") {
            strings.next(key);
        }
    }
    return cases;
}

// Others name the en passant square after every double step; we only where a capture is legal.
std::string normalised(const std::string& fen) { return to_fen(parse_position(fen).value()); }

TEST(RampartLists, AgreeMoveForMoveInSanAndPosition) {
    const auto folder = testing_support::shared_data("perft/rampart");
    if (folder.empty()) GTEST_SKIP() << "no shared data";
    std::size_t cases = 0, moves = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        for (const Case& known : read_cases(entry.path())) {
            ++cases;
            const auto position = parse_position(known.start);
            ASSERT_TRUE(position) << known.start;
            std::map<std::string, std::string> found;
            for (const Move move : legal_moves(*position)) {
                Position after = *position;
                after.play(move);
                found[to_san(*position, move)] = to_fen(after);
            }
            ASSERT_EQ(found.size(), known.expected.size()) << entry.path() << ' ' << known.start;
            for (const auto& [san, fen] : known.expected) {
                ++moves;
                ASSERT_EQ(found.count(san), 1u) << entry.path() << ' ' << known.start << ' ' << san;
                EXPECT_EQ(found[san], normalised(fen)) << known.start << ' ' << san;
                const auto read = parse_san(*position, san);
                ASSERT_TRUE(read) << san;
                EXPECT_EQ(to_san(*position, *read), san);
            }
        }
    }
    EXPECT_EQ(cases, 129u);
    EXPECT_GT(moves, 2000u);
}

}  // namespace
}  // namespace rokada
