// SPDX-License-Identifier: GPL-3.0-or-later
// Challenges between people: only the one who is meant may answer, and both hear of it at once.
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class Challenges : public SiteTest {
  protected:
    void SetUp() override {
        for (Visitor* visitor : {&ana_, &ion_}) {
            const std::string name = visitor == &ana_ ? "Ana" : "Ion";
            ASSERT_EQ(visitor
                          ->post("/api/v1/register",
                                 R"({"username":")" + name + R"(","password":"long enough words"})")
                          .status,
                      201);
        }
    }
    Visitor ana_{*this}, ion_{*this};
};

TEST_F(Challenges, OnlyTheOneWhoIsMeantMayAccept) {
    LiveClient socket(*this, ion_);
    socket.send(R"({"t":"games","on":true})");
    socket.send(R"({"t":"ping","n":1})");
    socket.next("pong");
    const std::string id =
        ana_.new_game(R"({"opponent":"user","username":"ion","color":"white","clock":"5+3"})");
    const auto news = socket.next("games");
    ASSERT_FALSE(news.is_null()) << "Ion hears of it";
    EXPECT_EQ(news.at("changed").at(0).at("id").get_string(), id);
    EXPECT_TRUE(news.at("changed").at(0).at("invited").at("me").get_bool());
    const Answer listed = ion_.get("/api/v1/challenges");
    EXPECT_EQ(listed.text("/received/0/id"), id);
    EXPECT_EQ(listed.text("/received/0/white/name"), "Ana");
    EXPECT_EQ(ana_.get("/api/v1/challenges").text("/sent/0/invited/name"), "Ion");
    Visitor stranger(*this);
    EXPECT_EQ(stranger.post("/api/v1/games/" + id + "/join").status, 403);
    EXPECT_EQ(stranger.post("/api/v1/games/" + id + "/decline").status, 403);
    EXPECT_EQ(ana_.post("/api/v1/games/" + id + "/join").status, 409);
    const Answer begun = ion_.post("/api/v1/games/" + id + "/join");
    EXPECT_EQ(begun.status, 200);
    EXPECT_EQ(begun.text("/status"), "playing");
    EXPECT_EQ(begun.text("/seat"), "black");
    EXPECT_EQ(ion_.get("/api/v1/challenges").text("/received/0/id"), "");
    EXPECT_EQ(ana_.move(id, 1, "e2e4").status, 200);
}

TEST_F(Challenges, DecliningAndWithdrawingEndThem) {
    const std::string body = R"({"opponent":"user","username":"Ion"})";
    const std::string first = ana_.new_game(body);
    EXPECT_EQ(ion_.post("/api/v1/games/" + first + "/decline").text("/reason"), "declined");
    EXPECT_EQ(ion_.post("/api/v1/games/" + first + "/decline").status, 200) << "sent twice";
    EXPECT_EQ(ana_.get("/api/v1/games/" + first).text("/status"), "aborted");
    const std::string second = ana_.new_game(body);
    EXPECT_EQ(ana_.post("/api/v1/games/" + second + "/abort").text("/reason"), "aborted");
    EXPECT_EQ(ion_.post("/api/v1/games/" + second + "/join").status, 409);
    EXPECT_EQ(ion_.get("/api/v1/challenges").text("/received/0/id"), "");
}

TEST_F(Challenges, TheySurviveARestartAndPrivateOnesAreSeenByBothOnly) {
    const std::string id =
        ana_.new_game(R"({"opponent":"user","username":"Ion","visibility":"private"})");
    start();
    Visitor stranger(*this);
    EXPECT_EQ(stranger.get("/api/v1/games/" + id).status, 404);
    EXPECT_EQ(ion_.get("/api/v1/games/" + id).status, 200);
    EXPECT_EQ(ion_.get("/api/v1/challenges").text("/received/0/invited/name"), "Ion");
    EXPECT_EQ(ion_.post("/api/v1/games/" + id + "/join").status, 200);
}

TEST_F(Challenges, NobodyIsFlooded) {
    const std::string body = R"({"opponent":"user","username":"Ion"})";
    EXPECT_EQ(ana_.post("/api/v1/games", R"({"opponent":"user"})").status, 422);
    EXPECT_EQ(ana_.post("/api/v1/games", R"({"opponent":"user","username":"Ana"})").status, 422);
    EXPECT_EQ(ana_.post("/api/v1/games", R"({"opponent":"user","username":"Nobody"})").status, 404);
    for (int i = 0; i < 5; ++i) ana_.new_game(body);
    EXPECT_EQ(ana_.post("/api/v1/games", body).status, 409);
}

TEST_F(Challenges, ThoseNobodyAnsweredAreGivenUp) {
    const std::string id = ana_.new_game(R"({"opponent":"user","username":"Ion"})");
    site_->games().expire_challenges(1);
    EXPECT_EQ(ion_.get("/api/v1/games/" + id).text("/status"), "waiting") << "not old enough";
    site_->games().expire_challenges(INT64_MAX);
    for (int i = 0; i < 100 && ion_.get("/api/v1/games/" + id).text("/status") == "waiting"; ++i) {
    }
    EXPECT_EQ(ion_.get("/api/v1/games/" + id).text("/status"), "aborted");
}

}  // namespace
}  // namespace rokada::server::test
