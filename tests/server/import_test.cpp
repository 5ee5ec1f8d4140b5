// SPDX-License-Identifier: GPL-3.0-or-later
// Games that come in as PGN and go out as they came.
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class Imports : public SiteTest {
  protected:
    static std::string body(const std::string& pgn, const std::string& visibility = "private") {
        net::json::object object;
        object["pgn"] = pgn;
        object["visibility"] = visibility;
        return net::to_text(object);
    }
    const std::string kTwo =
        "[Event \"Casa \\\"Blanca\\\"\"]\n[Site \"?\"]\n[Date \"1921.??.??\"]\n[Round \"?\"]\n"
        "[White \"Capablanca\"]\n[Black \"Țăranu\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. "
        "Bc4 "
        "Nf6 4. Qxf7# 1-0\n\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 d5 *\n";
};

TEST_F(Imports, AreKeptWithTheirTagsAndMoves) {
    Visitor ana(*this);
    const Answer made = ana.post("/api/v1/imports", body(kTwo));
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string id = made.text("/games/0");
    const Answer game = ana.get("/api/v1/games/" + id);
    EXPECT_EQ(game.text("/opponent"), "import");
    EXPECT_EQ(game.text("/white/name"), "Capablanca");
    EXPECT_EQ(game.text("/black/name"), "Țăranu");
    EXPECT_EQ(game.text("/result"), "1-0");
    EXPECT_EQ(game.text("/san/6"), "Qxf7#");
    EXPECT_EQ(game.text("/tags/Event"), "Casa \"Blanca\"");
    const std::string pgn = ana.get("/api/v1/games/" + id + ".pgn").body;
    EXPECT_NE(pgn.find("[Event \"Casa \\\"Blanca\\\"\"]"), std::string::npos) << pgn;
    EXPECT_NE(pgn.find("4. Qxf7# 1-0"), std::string::npos) << pgn;
    EXPECT_EQ(ana.move(id, 8, "e8f7").status, 409) << "over";
    const Answer mine = ana.get("/api/v1/games?scope=mine&state=finished");
    EXPECT_EQ(mine.text("/games/0/id"), id) << "in the order of the file";
    EXPECT_EQ(mine.text("/games/1/white/name"), "A");
    Visitor stranger(*this);
    EXPECT_EQ(stranger.get("/api/v1/games/" + id).status, 404) << "private unless said otherwise";
    start();
    EXPECT_EQ(ana.get("/api/v1/games/" + id).text("/black/name"), "Țăranu");
}

TEST_F(Imports, WhatCannotBeReadIsNamedAndLeftOut) {
    Visitor ana(*this);
    const Answer made = ana.post(
        "/api/v1/imports",
        body("[White \"X\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"Y\"]\n\n1. e4 *\n", "public"));
    ASSERT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(made.number("/problems/0/game"), 1);
    EXPECT_EQ(made.number("/problems/0/line"), 3);
    EXPECT_EQ(ana.get("/api/v1/games/" + made.text("/games/0")).text("/white/name"), "Y");
    EXPECT_EQ(made.text("/games/1"), "");
    EXPECT_EQ(ana.post("/api/v1/imports", body("no chess at all")).status, 422);
    EXPECT_EQ(ana.post("/api/v1/imports", R"({"pgn":""})").status, 422);
}

TEST_F(Imports, DoNotCountInStatistics) {
    Visitor ana(*this);
    ana.post("/api/v1/register", R"({"username":"Ana","password":"long enough words"})");
    ana.post("/api/v1/imports", body(kTwo));
    EXPECT_EQ(ana.get("/api/v1/users/Ana").number("/statistics/games"), 0);
}

}  // namespace
}  // namespace rokada::server::test
