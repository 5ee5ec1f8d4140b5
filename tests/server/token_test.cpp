// SPDX-License-Identifier: GPL-3.0-or-later
// What an API token may do is what its scopes say, and no longer than it exists.
#include "tests/server/bot_client.hpp"

namespace rokada::server::test {
namespace {

class Tokens : public SiteTest {
  protected:
    Tokens() {
        ana_.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    }
    struct Made {
        std::string id;
        Visitor program;
    };
    Made token(const std::string& scope) {
        const Answer made =
            ana_.post("/api/v1/me/tokens", R"({"name":"script","scopes":[")" + scope + "\"]}");
        EXPECT_EQ(made.status, 201) << made.body;
        Made result{made.text("/id"), Visitor(*this)};
        result.program.with_origin = false;
        result.program.extra.set("Authorization", "Bearer " + made.text("/token"));
        return result;
    }
    void remove(const std::string& id) {
        EXPECT_EQ(ana_.send(net::Method::kDelete, "/api/v1/me/tokens/" + id, "").status, 204);
    }
    std::string private_game() {
        return ana_.new_game(R"({"opponent":"computer","color":"white","visibility":"private"})");
    }
    Visitor ana_{*this};
};

TEST_F(Tokens, OneForReadingWatchesButNeverPlaysOverTheLiveSocket) {
    const std::string id = private_game();
    Made reader = token("read");
    LiveClient socket(*this, reader.program);
    ASSERT_TRUE(socket.opened());
    socket.send(R"({"t":"watch","game":")" + id + "\"}");
    EXPECT_FALSE(socket.next("snapshot").is_null());
    const std::string to_game = R"(","game":")" + id + "\"";
    for (const std::string& message :
         {R"({"t":"move","id":"a","ply":1,"uci":"e2e4)" + to_game + "}",
          R"({"t":"resign","id":"a)" + to_game + "}"}) {
        socket.send(message);
        EXPECT_EQ(socket.next("error").at("code").get_string(), "scope") << message;
    }
    EXPECT_EQ(ana_.get("/api/v1/games/" + id).number("/ply"), 0);
    EXPECT_EQ(ana_.get("/api/v1/games/" + id).text("/status"), "playing");
    EXPECT_EQ(reader.program.get("/api/v1/games?scope=mine").status, 200);
    EXPECT_EQ(reader.program.post("/api/v1/analyses", R"({"nodes":100})").text("/code"), "scope");
}

TEST_F(Tokens, OneForTheEngineAnalysesAndReadsNothing) {
    const std::string id = private_game();
    ana_.post("/api/v1/games/" + id + "/resign");
    Made engine = token("engine");
    EXPECT_EQ(engine.program.post("/api/v1/analyses", R"({"nodes":100})").status, 201);
    EXPECT_EQ(engine.program.get("/api/v1/me").text("/username"), "ana");
    EXPECT_EQ(engine.program.get("/api/v1/games?scope=mine").text("/code"), "scope");
    EXPECT_EQ(engine.program.get("/api/v1/games/" + id).status, 403);
    EXPECT_EQ(engine.program.get("/api/account/playing").status, 403);
    EXPECT_EQ(
        engine.program.post("/api/v1/analyses", R"({"kind":"review","game":")" + id + "\"}").status,
        404)
        << "a private game cannot be looked at by way of a review";
    EXPECT_EQ(engine.program.post("/api/v1/games", R"({"opponent":"computer"})").status, 403);
    EXPECT_EQ(LiveClient(*this, engine.program).refused(), 403);
}

TEST_F(Tokens, OneToPlayDoesAllOfIt) {
    Made player = token("play");
    const std::string id = player.program.new_game(R"({"opponent":"computer","color":"white"})");
    LiveClient socket(*this, player.program);
    socket.send(R"({"t":"move","id":"a","ply":1,"uci":"e2e4","game":")" + id + "\"}");
    EXPECT_EQ(socket.next("ack").at("ply").get_int64(), 1);
    EXPECT_EQ(player.program.get("/api/v1/games?scope=mine").status, 200);
    EXPECT_EQ(player.program.post("/api/v1/analyses", R"({"nodes":100})").status, 201);
}

TEST_F(Tokens, ADeletedOneEndsItsSocketsAndNoOthers) {
    Made deleted = token("play"), kept = token("play");
    LiveClient socket(*this, deleted.program), other(*this, kept.program), browser(*this, ana_);
    ASSERT_FALSE(socket.next("hello").is_null());
    ASSERT_FALSE(other.next("hello").is_null());
    remove(deleted.id);
    EXPECT_EQ(socket.close_code(), 4001);
    other.send(R"({"t":"ping","n":1})");
    EXPECT_FALSE(other.next("pong").is_null());
    browser.send(R"({"t":"ping","n":1})");
    EXPECT_FALSE(browser.next("pong").is_null());
    EXPECT_EQ(LiveClient(*this, deleted.program).next("hello").at("me").at("kind").get_string(),
              "anonymous");
}

TEST_F(Tokens, ADeletedOneEndsTheStreamsOfItsBot) {
    BotClient bot(*this, client_, "ada-bot");
    LineReader events = bot.events();
    ASSERT_EQ(events.status(), 200);
    const std::string id = bot.browser.get("/api/v1/me/tokens").text("/tokens/0/id");
    EXPECT_EQ(bot.browser.send(net::Method::kDelete, "/api/v1/me/tokens/" + id, "").status, 204);
    EXPECT_TRUE(events.ended());
}

}  // namespace
}  // namespace rokada::server::test
