// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation/text_window.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/chess/small_bites.hpp"

namespace rokada {
namespace {

TEST(TextWindow, GivesTheWholeTextInAnyBites) {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += "line " + std::to_string(i) + '\n';
    for (const std::size_t bite :
         {std::size_t{1}, std::size_t{7}, std::size_t{4096}, text.size()}) {
        testing_support::SmallBites source(text, bite);
        TextWindow window(source);
        std::string read;
        while (true) {
            window.provide(100);
            if (window.at_end_of_text()) break;
            ASSERT_EQ(*window.end(), '\0');
            const auto available = static_cast<std::size_t>(window.end() - window.at());
            const std::size_t taken = std::min<std::size_t>(available, 61);
            ASSERT_EQ(window.at()[-1], read.empty() ? '\n' : read.back());
            read.append(window.at(), taken);
            window.move_to(window.at() + taken);
            ASSERT_EQ(window.offset(), read.size());
        }
        EXPECT_EQ(read, text);
    }
}

TEST(TextWindow, KnowsLineAndColumnInCharacters) {
    const std::string text = "ab\nc\u00e9d\n\n\u265e!";
    testing_support::SmallBites source(text, 3);
    TextWindow window(source);
    window.provide(text.size());
    const auto check = [&](std::size_t offset, std::uint64_t line, std::uint64_t column) {
        const TextLocation where = window.locate(window.at() + offset);
        EXPECT_EQ(where.line, line);
        EXPECT_EQ(where.column, column);
        EXPECT_EQ(where.offset, offset);
    };
    check(0, 1, 1);
    check(1, 1, 2);
    check(3, 2, 1);
    check(6, 2, 3);  // behind the two bytes of the e
    check(8, 3, 1);
    check(12, 4, 2);
    check(3, 2, 1);  // asking out of order does no harm
    window.move_to(window.at() + 4);
    EXPECT_EQ(window.locate(window.at()).column, 2u);
    EXPECT_EQ(window.locate(window.at() + 2).column, 3u);
}

TEST(TextWindow, FindsWithinTheLimitOnly) {
    const std::string text = std::string(200000, 'x') + '}' + std::string(10, 'y');
    for (const std::size_t bite : {std::size_t{1000}, text.size()}) {
        testing_support::SmallBites source(text, bite);
        TextWindow window(source);
        EXPECT_EQ(window.find('}', 0, 1000), nullptr);
        const char* found = window.find('}', 1000, 300000);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found - window.at(), 200000);
        EXPECT_EQ(window.find('z', 0, 300000), nullptr);
    }
}

TEST(TextWindow, OfNothingIsAtItsEnd) {
    StringSource source("");
    TextWindow window(source);
    window.provide(1);
    EXPECT_TRUE(window.at_end_of_text());
    EXPECT_EQ(window.find('x', 0, 100), nullptr);
}

}  // namespace
}  // namespace rokada
