// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/app/clean_text.hpp"

#include <gtest/gtest.h>

#include "net/url.hpp"

namespace rokada::server {
namespace {

TEST(CleanText, LeavesGoodTextAlone) {
    EXPECT_EQ(clean_text("Mozilla/5.0 (X11)", 200), "Mozilla/5.0 (X11)");
    EXPECT_EQ(clean_text("\u0106ori\u0107 \u265E \U0001F642", 200),
              "\u0106ori\u0107 \u265E \U0001F642");
    EXPECT_EQ(clean_text("", 200), "");
}

TEST(CleanText, NeverCutsACharacterInTwo) {
    const std::string knights = "\u265E\u265E\u265E";
    for (std::size_t most = 0; most <= knights.size(); ++most) {
        const std::string cut = clean_text(knights, most);
        EXPECT_TRUE(net::valid_utf8(cut)) << most;
        EXPECT_EQ(cut.size(), most / 3 * 3);
    }
}

TEST(CleanText, MakesAnyBytesValid) {
    EXPECT_EQ(clean_text("a\xFF"
                         "b",
                         200),
              "a\uFFFDb");
    EXPECT_EQ(clean_text("\xC3", 200), "\uFFFD") << "begun and not finished";
    EXPECT_EQ(clean_text("\xC0\xAF", 200), "\uFFFD\uFFFD") << "longer than needed";
    EXPECT_EQ(clean_text("a\r\n\tb\x7F", 200), "a   b ");
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    EXPECT_TRUE(net::valid_utf8(clean_text(all, 1000)));
    EXPECT_LE(clean_text(all, 100).size(), 100u);
}

}  // namespace
}  // namespace rokada::server
