// SPDX-License-Identifier: GPL-3.0-or-later
// Two people over live sockets.
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class Live : public SiteTest {
  protected:
    // Ana has White and made the game, Ben joined.
    void begin(const std::string& clock = "\"5+3\"") {
        id_ = ana_.new_game("{\"opponent\":\"link\",\"color\":\"white\",\"clock\":" + clock + "}");
        EXPECT_EQ(ben_.post("/api/v1/games/" + id_ + "/join").status, 200);
    }
    std::string watch(std::int64_t version = -1) const {
        return "{\"t\":\"watch\",\"game\":\"" + id_ + "\"" +
               (version < 0 ? "" : ",\"version\":" + std::to_string(version)) + "}";
    }
    std::string move(int ply, const std::string& uci, const std::string& id = "m") const {
        return "{\"t\":\"move\",\"game\":\"" + id_ + "\",\"ply\":" + std::to_string(ply) +
               ",\"uci\":\"" + uci + "\",\"id\":\"" + id + "\"}";
    }
    std::string say(const std::string& kind, const std::string& more = "") const {
        return "{\"t\":\"" + kind + "\",\"game\":\"" + id_ + "\",\"id\":\"x\"" + more + "}";
    }

    Visitor ana_{*this}, ben_{*this};
    std::string id_;
};

TEST_F(Live, HelloThenSnapshotAsDescribed) {
    begin();
    LiveClient ana(*this, ana_);
    const auto hello = ana.next("hello");
    EXPECT_EQ(hello.at("protocol").get_int64(), 1);
    EXPECT_EQ(hello.at("me").at("kind").get_string(), "guest");
    ana.send(watch());
    const auto snapshot = ana.next("snapshot");
    ASSERT_FALSE(snapshot.is_null());
    EXPECT_EQ(snapshot.at("state").at("seat").get_string(), "white");
    for (const auto& complaint : schema_->check_schema("Game", snapshot.at("state")))
        ADD_FAILURE() << complaint;
}

TEST_F(Live, AMoveIsAcknowledgedAndSeenByEverybody) {
    begin();
    LiveClient ana(*this, ana_), ben(*this, ben_), spectator(*this, Visitor(*this));
    for (LiveClient* client : {&ana, &ben, &spectator}) {
        client->send(watch());
        ASSERT_FALSE(client->next("snapshot").is_null());
    }
    ana.send(move(1, "e2e4", "m1"));
    const auto ack = ana.next("ack");
    ASSERT_FALSE(ack.is_null());
    EXPECT_EQ(ack.at("id").get_string(), "m1");
    EXPECT_EQ(ack.at("ply").get_int64(), 1);
    for (LiveClient* client : {&ana, &ben, &spectator}) {
        const auto event = client->next_event("move");
        ASSERT_FALSE(event.is_null());
        EXPECT_EQ(event.at("uci").get_string(), "e2e4");
        EXPECT_EQ(event.at("san").get_string(), "e4");
        EXPECT_EQ(event.at("ply").get_int64(), 1);
        EXPECT_EQ(event.at("key").get_string().size(), 16u);
    }
    ana.send(move(1, "e2e4", "m1"));
    EXPECT_EQ(ana.next("ack").at("ply").get_int64(), 1) << "sent again, answered again";
    EXPECT_EQ(ana_.get("/api/v1/games/" + id_).number("/ply"), 1);
    spectator.send(move(2, "e7e5"));
    EXPECT_EQ(spectator.next("error").at("code").get_string(), "not_a_player");
    ana.send(move(2, "e7e5"));
    EXPECT_EQ(ana.next("error").at("code").get_string(), "not_your_turn");
    EXPECT_FALSE(ana.next("snapshot").is_null()) << "so that the board is right again";
}

TEST_F(Live, TwoTabsOfOnePlayerStayInStep) {
    begin();
    LiveClient left(*this, ana_), right(*this, ana_), ben(*this, ben_);
    for (LiveClient* client : {&left, &right, &ben}) {
        client->send(watch());
        ASSERT_FALSE(client->next("snapshot").is_null());
    }
    const auto all_see = [&](const std::string& uci) {
        std::string key;
        for (LiveClient* client : {&left, &right, &ben}) {
            const auto event = client->next_event("move");
            ASSERT_FALSE(event.is_null()) << uci;
            EXPECT_EQ(event.at("uci").get_string(), uci);
            const std::string seen(event.at("key").get_string());
            EXPECT_TRUE(key.empty() || key == seen) << uci;
            key = seen;
        }
    };
    left.send(move(1, "e2e4", "l1"));
    all_see("e2e4");
    ben.send(move(2, "e7e5", "b1"));
    all_see("e7e5");
    right.send(move(3, "g1f3", "r1"));
    all_see("g1f3");
    // The other tab sends the same move late, and another one in its place.
    left.send(move(3, "g1f3", "l2"));
    EXPECT_EQ(left.next("ack").at("id").get_string(), "l2") << "said already, played once";
    left.send(move(3, "f1c4", "l3"));
    EXPECT_EQ(left.next("error").at("code").get_string(), "wrong_ply");
    EXPECT_FALSE(left.next("snapshot").is_null()) << "and is set right";
    // One tab is closed: the player is still there.
    left.close();
    ben.send(move(4, "b8c6", "b2"));
    EXPECT_EQ(right.next_event("move").at("uci").get_string(), "b8c6");
    EXPECT_EQ(ben_.get("/api/v1/games/" + id_).text("/status"), "playing");
    right.send(say("resign"));
    EXPECT_EQ(ben.next_event("end").at("result").get_string(), "0-1");
}

TEST_F(Live, ReconnectResumesFromAnyVersionWithoutGaps) {
    begin();
    {
        LiveClient ana(*this, ana_);
        ana.send(watch());
        ana.next("snapshot");
        ana.send(move(1, "e2e4"));
        ana.next("ack");
    }
    ben_.move(id_, 2, "e7e5");
    ana_.move(id_, 3, "g1f3");
    LiveClient ana(*this, ana_);
    ana.send(watch(2));
    for (int version = 3; version <= 4; ++version) {
        const auto event = ana.next("event");
        ASSERT_FALSE(event.is_null());
        EXPECT_EQ(event.at("version").get_int64(), version);
    }
    EXPECT_EQ(ana.next("watching").at("version").get_int64(), 4);
    ben_.move(id_, 4, "b8c6");
    EXPECT_EQ(ana.next("event").at("version").get_int64(), 5) << "and goes on live";
    ana.send(watch(5));
    EXPECT_EQ(ana.next("watching").at("version").get_int64(), 5);
}

TEST_F(Live, ResumesAcrossARestartOfTheServer) {
    begin();
    ana_.move(id_, 1, "e2e4");
    ben_.move(id_, 2, "e7e5");
    start();
    LiveClient ana(*this, ana_);
    ana.send(watch(1));
    EXPECT_EQ(ana.next("event").at("uci").get_string(), "e2e4");
    EXPECT_EQ(ana.next("event").at("uci").get_string(), "e7e5");
    const auto clock = ana.next_event("clock");
    ASSERT_FALSE(clock.is_null()) << "players are told that time was given back";
    EXPECT_EQ(clock.at("reason").get_string(), "restart");
    EXPECT_GT(clock.at("clocks").at("white_ms").get_int64(), 300'000 + 10'000);
}

TEST_F(Live, OffersTravelAndEndTheGame) {
    begin();
    LiveClient ana(*this, ana_), ben(*this, ben_);
    ana.send(watch());
    ben.send(watch());
    ben.next("snapshot");
    ana_.move(id_, 1, "e2e4");
    ben_.move(id_, 2, "e7e5");
    ana.send(say("draw"));
    const auto offer = ben.next_event("offer");
    ASSERT_FALSE(offer.is_null());
    EXPECT_EQ(offer.at("what").get_string(), "draw");
    EXPECT_EQ(offer.at("side").get_string(), "white");
    ben.send(say("draw", ",\"action\":\"accept\""));
    const auto end = ana.next_event("end");
    ASSERT_FALSE(end.is_null());
    EXPECT_EQ(end.at("result").get_string(), "1/2-1/2");
    EXPECT_EQ(end.at("reason").get_string(), "agreement");
    ana.send(say("rematch"));
    EXPECT_EQ(ben.next_event("offer").at("what").get_string(), "rematch");
    ben.send(say("rematch", ",\"action\":\"accept\""));
    const auto rematch = ana.next_event("rematch");
    ASSERT_FALSE(rematch.is_null());
    EXPECT_EQ(
        ana_.get("/api/v1/games/" + std::string(rematch.at("next").get_string())).text("/seat"),
        "black");
}

TEST_F(Live, TheServerFlagsByItself) {
    begin(R"({"initial":0.3})");
    LiveClient ana(*this, ana_);
    ana.send(watch());
    ana.next("snapshot");
    ana_.move(id_, 1, "e2e4");
    ben_.move(id_, 2, "e7e5");
    const auto end = ana.next_event("end");
    ASSERT_FALSE(end.is_null());
    EXPECT_EQ(end.at("reason").get_string(), "time");
    EXPECT_EQ(end.at("result").get_string(), "0-1");
}

TEST_F(Live, PresenceTellsWhoIsThere) {
    begin();
    LiveClient ana(*this, ana_);
    ana.send(watch());
    auto presence = ana.next("presence");
    ASSERT_FALSE(presence.is_null());
    EXPECT_TRUE(presence.at("white").get_bool());
    EXPECT_FALSE(presence.at("black").get_bool());
    {
        LiveClient ben(*this, ben_);
        ben.send(watch());
        presence = ana.next("presence");
        ASSERT_FALSE(presence.is_null());
        EXPECT_TRUE(presence.at("black").get_bool());
    }
    presence = ana.next("presence");
    ASSERT_FALSE(presence.is_null());
    EXPECT_FALSE(presence.at("black").get_bool());
}

TEST_F(Live, HomeListsFollowGames) {
    LiveClient watcher(*this, Visitor(*this));
    watcher.send(R"({"t":"games","on":true})");
    watcher.send(R"({"t":"ping","n":7})");
    EXPECT_EQ(watcher.next("pong").at("n").get_int64(), 7);
    const std::string id = ana_.new_game(R"({"opponent":"computer","color":"white"})");
    const auto message = watcher.next("games");
    ASSERT_FALSE(message.is_null());
    const auto& game = message.at("changed").get_array().at(0);
    EXPECT_EQ(game.at("id").get_string(), id);
    for (const auto& complaint : schema_->check_schema("GameSummary", game))
        ADD_FAILURE() << complaint;
}

TEST_F(Live, HostileMessagesHarmNobodyElse) {
    begin();
    LiveClient ana(*this, ana_);
    ana.send(watch());
    ana.next("snapshot");
    for (const char* text :
         {"", "{", "[]", "null", "42", "\"x\"", "{\"t\":5}", "{\"t\":\"move\"}", "{\"t\":\"nope\"}",
          "{\"t\":\"move\",\"game\":\"..\",\"ply\":1,\"uci\":\"e2e4\",\"id\":\"a\"}",
          "{\"t\":\"watch\",\"game\":\"0000000000\",\"version\":-1}",
          "{\"t\":\"watch\",\"game\":\"0000000000\"}"}) {
        LiveClient hostile(*this, Visitor(*this));
        hostile.send_nonsense(text);
        EXPECT_FALSE(hostile.next("error").is_null()) << text;
    }
    LiveClient flood(*this, Visitor(*this));
    for (int i = 0; i < 200; ++i) flood.send(R"({"t":"ping","n":1})");
    EXPECT_EQ(flood.close_code(), 1008);
    LiveClient big(*this, Visitor(*this));
    big.send_nonsense(std::string(5000, ' '));
    EXPECT_EQ(big.close_code(), 1009);
    ana.send(move(1, "e2e4"));
    EXPECT_FALSE(ana.next("ack").is_null());
}

}  // namespace
}  // namespace rokada::server::test
