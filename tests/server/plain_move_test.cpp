// SPDX-License-Identifier: GPL-3.0-or-later
// The short cut for moves says exactly what the general reader of the live socket says, or nothing.
#include "server/api/plain_move.hpp"

#include <gtest/gtest.h>

namespace rokada::server {
namespace {

constexpr std::string_view kUsual =
    R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"m1"})";

TEST(PlainMove, AUsualMoveIsReadAsTheGeneralReaderDoes) {
    for (
        const std::string_view text :
        {kUsual,
         std::string_view(
             R"({"t":"move","uci":"e2e4","draw":true,"id":"","ply":1,"game":"aB3dE5gH7j"})"),
         std::string_view(
             R"({"t":"move","game":"aB3dE5gH7j","ply":12000,"uci":"e2e4","id":"m","draw":false})")}) {
        const auto plain = read_plain_move(text);
        const auto general = read_live_json(text);
        ASSERT_TRUE(plain && general) << text;
        EXPECT_EQ(plain->kind, LiveMessage::Kind::Move);
        EXPECT_EQ(plain->kind, general->kind);
        EXPECT_EQ(plain->game, general->game);
        EXPECT_EQ(plain->ply, general->ply);
        EXPECT_EQ(plain->uci, general->uci);
        EXPECT_EQ(plain->id, general->id);
        EXPECT_EQ(plain->draw, general->draw);
    }
}

TEST(PlainMove, WhatIsWrittenInAnotherWayIsLeftToTheGeneralReader) {
    for (const std::string_view text : {
             R"({"t":"premove","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"m1"})",
             R"({ "t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply": 17,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17.0,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":017,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":12001,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":99999999999,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7","ply":17,"uci":"e7e8q","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8qq","id":"m1"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"m\u0031"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"ü"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a","id":"b"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a","t":"move"})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a","more":1})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a","draw":null})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a"}})",
             R"({"t":"move","game":"aB3dE5gH7j","ply":17,"uci":"e7e8q","id":"a",})",
             R"({"t":"move",})",
             "",
         })
        EXPECT_FALSE(read_plain_move(text)) << text;
    for (std::size_t length = 0; length < kUsual.size(); ++length)
        EXPECT_FALSE(read_plain_move(kUsual.substr(0, length)));
}

}  // namespace
}  // namespace rokada::server
