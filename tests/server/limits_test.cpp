// SPDX-License-Identifier: GPL-3.0-or-later
// Each limit of rate, size and number that protects the server from its visitors. Limits of time and of the
// protocol below are in tests/net.
#include "server/app/settings.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

constexpr const char* kComputer = R"({"opponent":"computer","color":"white"})";

// The path of a game between these two, on a server where players may talk.
std::string game_with_chat(Site& site, Visitor& one, Visitor& other) {
    auto settings = site.settings().get();
    settings.chat = true;
    site.settings().set(settings);
    const std::string game =
        "/api/v1/games/" + one.new_game(R"({"opponent":"link","color":"white"})");
    other.post(game + "/join");
    return game;
}

class RateLimits : public SiteTest {
  protected:
    // The server with one limit lowered to two.
    void lower(net::RateLimit Limits::* limit) {
        options_.limits.*limit = {2, std::chrono::minutes(10)};
        start();
    }
    static void expect_refused(const Answer& answer) {
        EXPECT_EQ(answer.status, 429);
        EXPECT_GE(std::atoi(std::string(answer.headers.get("Retry-After")).c_str()), 1);
    }
    static std::string account(const std::string& name) {
        return "{\"username\":\"" + name + "\",\"password\":\"horse battery staple\"}";
    }
};

TEST_F(RateLimits, AccountsMadeFromOneAddress) {
    lower(&Limits::register_address);
    for (const char* name : {"ana", "ben"})
        EXPECT_EQ(Visitor(*this).post("/api/v1/register", account(name)).status, 201);
    expect_refused(Visitor(*this).post("/api/v1/register", account("cid")));
}

TEST_F(RateLimits, LoginsFromOneAddress) {
    lower(&Limits::login_address);
    for (const char* name : {"ana", "ben"})
        EXPECT_EQ(Visitor(*this).post("/api/v1/login", account(name)).status, 422);
    expect_refused(Visitor(*this).post("/api/v1/login", account("cid")));
}

TEST_F(RateLimits, GuessesForOneAccount) {
    lower(&Limits::login_account);
    Visitor(*this).post("/api/v1/register", account("ana"));
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(Visitor(*this)
                      .post("/api/v1/login", R"({"username":"ana","password":"wrong wrong"})")
                      .status,
                  422);
    expect_refused(Visitor(*this).post("/api/v1/login", account("ana")));
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", account("ben")).status, 422)
        << "others are not concerned";
}

TEST_F(RateLimits, GuestsFromOneAddress) {
    lower(&Limits::guest_address);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(Visitor(*this).post("/api/v1/games", kComputer).status, 201);
    expect_refused(Visitor(*this).post("/api/v1/games", kComputer));
}

TEST_F(RateLimits, GamesOfOnePlayer) {
    lower(&Limits::new_game);
    Visitor ana(*this);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(ana.post("/api/v1/games", kComputer).status, 201);
    expect_refused(ana.post("/api/v1/games", kComputer));
    expect_refused(
        ana.put("/api/v1/uploads/12345678", R"({"opponent":"device","moves":["e2e4"]})"));
    EXPECT_EQ(Visitor(*this).post("/api/v1/games", kComputer).status, 201);
}

TEST_F(RateLimits, QuestionsToTheEngineFromOneAddress) {
    lower(&Limits::engine_address);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(Visitor(*this).get("/api/v1/bestmove?nodes=10").status, 200);
    expect_refused(Visitor(*this).get("/api/v1/bestmove?nodes=10"));
    expect_refused(Visitor(*this).post("/api/v1/analyses", R"({"nodes":10})"));
}

TEST_F(RateLimits, ChatLinesOfOnePlayerHoweverTheyAreSent) {
    lower(&Limits::chat);
    Visitor ana(*this), ben(*this);
    const std::string game = game_with_chat(*site_, ana, ben);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(ana.post(game + "/chat", R"({"text":"hello"})").status, 200);
    expect_refused(ana.post(game + "/chat", R"({"text":"hello"})"));
    EXPECT_EQ(ben.post(game + "/chat", R"({"text":"hi"})").status, 200)
        << "two people behind one address do not silence each other";
    LiveClient socket(*this, ana);
    socket.send(R"({"t":"chat","id":"c","text":"hello","game":")" + game.substr(14) + "\"}");
    EXPECT_EQ(socket.next("error").at("code").get_string(), "too_many_requests");
}

class Sizes : public SiteTest {};

TEST_F(Sizes, LiveSocketsWatchSixtyFourGamesAtMost) {
    Visitor ana(*this), ben(*this);
    std::vector<std::string> games;
    for (int i = 0; i < 33; ++i) {
        games.push_back(ana.new_game(kComputer));
        games.push_back(ben.new_game(kComputer));
    }
    LiveClient socket(*this, ana);
    for (const std::string& game : games)
        socket.send("{\"t\":\"watch\",\"game\":\"" + game + "\"}");
    const auto refused = socket.next("error");
    ASSERT_FALSE(refused.is_null());
    EXPECT_EQ(refused.at("code").as_string(), "too_many_games");
    EXPECT_EQ(refused.at("game").as_string(), games[64]);
}

TEST_F(Sizes, ChatLinesHaveOneHundredAndFortyCharacters) {
    Visitor ana(*this), ben(*this);
    const std::string game = game_with_chat(*site_, ana, ben);
    const auto line = [](std::size_t length) {
        return "{\"text\":\"" + std::string(length, 'x') + "\"}";
    };
    EXPECT_EQ(ana.post(game + "/chat", line(140)).status, 200);
    EXPECT_EQ(ana.post(game + "/chat", line(141)).status, 422);
}

TEST_F(Sizes, OfUploadsAndImports) {
    Visitor ana(*this);
    ana.check_schema = false;
    std::string moves;
    for (int i = 0; i < 2001; ++i) moves += std::string(i ? "," : "") + "\"e2e4\"";
    EXPECT_EQ(
        ana.put("/api/v1/uploads/12345678", R"({"opponent":"device","moves":[)" + moves + "]}")
            .status,
        422);
    EXPECT_EQ(ana.post("/api/v1/imports", "{\"pgn\":\"" + std::string(5 << 20, ' ') + "\"}").status,
              413);
    EXPECT_EQ(ana.get("/api/v1/bestmove?fen=" + std::string(200, 'p')).status, 422);
    EXPECT_EQ(ana.get("/api/v1/bestmove?nodes=20000001").status, 422);
    EXPECT_EQ(ana.get("/" + std::string(10'000, 'x')).status, 414);
}

}  // namespace
}  // namespace rokada::server::test
