// SPDX-License-Identifier: GPL-3.0-or-later
// Premoves and muted chat over live sockets.
#include "server/app/settings.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class LiveTalk : public SiteTest {
  protected:
    void SetUp() override {
        id_ = ana_.new_game(R"({"opponent":"link","color":"white","clock":"1+0"})");
        ASSERT_EQ(ben_.post("/api/v1/games/" + id_ + "/join").status, 200);
    }
    std::string say(const std::string& kind, const std::string& more) const {
        return "{\"t\":\"" + kind + "\",\"game\":\"" + id_ + "\",\"id\":\"x\"," + more + "}";
    }
    void watch(LiveClient& client) {
        client.send("{\"t\":\"watch\",\"game\":\"" + id_ + "\"}");
        ASSERT_FALSE(client.next("snapshot").is_null());
    }
    Visitor ana_{*this}, ben_{*this};
    std::string id_;
};

TEST_F(LiveTalk, APremoveIsPlayedAtOnceAndCostsNothing) {
    LiveClient ben(*this, ben_);
    watch(ben);
    ana_.move(id_, 1, "e2e4");
    ben_.move(id_, 2, "e7e5");
    for (int i = 0; i < 2; ++i) ben.next_event("move");
    ben.send(say("premove", R"("ply":4,"uci":"b8c6")"));
    EXPECT_EQ(ben.next("held").at("ply").get_int64(), 4);
    EXPECT_EQ(ana_.move(id_, 3, "g1f3").status, 200);
    ben.next_event("move");
    const auto played = ben.next_event("move");
    ASSERT_FALSE(played.is_null());
    EXPECT_EQ(played.at("uci").get_string(), "b8c6");
    EXPECT_EQ(played.at("clocks").at("black_ms").get_int64(), 60'000) << "not a millisecond";
}

TEST_F(LiveTalk, APremoveThatIsIllegalOrTakenBackIsDropped) {
    LiveClient ben(*this, ben_);
    watch(ben);
    ben.send(say("premove", R"("ply":2,"uci":"e7e4")"));
    ben.next("held");
    ana_.move(id_, 1, "e2e4");
    EXPECT_EQ(ana_.get("/api/v1/games/" + id_).number("/ply"), 1) << "illegal";
    EXPECT_EQ(ben_.move(id_, 2, "e7e5").status, 200);
    ben.send(say("premove", R"("ply":4,"uci":"b8c6")"));
    ben.next("held");
    ben.send(say("premove", R"("ply":4,"uci":"")"));
    ben.next("held");
    ana_.move(id_, 3, "g1f3");
    EXPECT_EQ(ana_.get("/api/v1/games/" + id_).number("/ply"), 3) << "taken back";
    ben.send(say("premove", R"("ply":4,"uci":"g8f6")"));
    EXPECT_EQ(ben.next("ack").at("ply").get_int64(), 4) << "its turn already: an ordinary move";
    ben.send(say("premove", R"("ply":9,"uci":"g8f6")"));
    EXPECT_EQ(ben.next("error").at("code").get_string(), "wrong_ply");
    Visitor stranger(*this);
    stranger.new_game(R"({"opponent":"device"})");
    LiveClient other(*this, stranger);
    other.send(say("premove", R"("ply":6,"uci":"a7a6")"));
    EXPECT_EQ(other.next("error").at("code").get_string(), "not_a_player");
}

TEST_F(LiveTalk, ChatCanBeMuted) {
    ServerSettings talking;
    talking.chat = true;
    site_->settings().set(talking);
    LiveClient ana(*this, ana_), ben(*this, ben_);
    watch(ana);
    watch(ben);
    ana.send(say("chat", R"("text":"hello")"));
    EXPECT_EQ(ben.next_event("chat").at("text").get_string(), "hello");
    ben.send(say("mute", R"("on":true)"));
    EXPECT_EQ(ana.next_event("mute").at("side").get_string(), "black");
    ana.send(say("chat", R"("text":"are you there?")"));
    EXPECT_EQ(ana.next("error").at("code").get_string(), "muted");
    EXPECT_EQ(ana_.get("/api/v1/games/" + id_).text("/muted"), "black");
    EXPECT_EQ(ben_.post("/api/v1/games/" + id_ + "/chat", R"({"text":"no"})").status, 200)
        << "the other direction is open";
    EXPECT_EQ(ben_.post("/api/v1/games/" + id_ + "/mute", R"({"on":false})").status, 200);
    EXPECT_EQ(ana_.post("/api/v1/games/" + id_ + "/chat", R"({"text":"again"})").status, 200);
    EXPECT_EQ(ana_.post("/api/v1/games/" + id_ + "/chat", R"({"text":" "})").status, 422);
}

}  // namespace
}  // namespace rokada::server::test
