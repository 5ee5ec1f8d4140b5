// SPDX-License-Identifier: GPL-3.0-or-later
// Registration, login, guests and sessions over HTTP.
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

const std::string kAna = R"({"username":"Ana","password":"three blue doors"})";

class AccountApi : public SiteTest {};

TEST_F(AccountApi, RegisterLoginLogout) {
    Visitor visitor(*this);
    EXPECT_EQ(visitor.get("/api/v1/me").text("/kind"), "anonymous");
    const Answer made = visitor.post("/api/v1/register", kAna);
    EXPECT_EQ(made.status, 201);
    EXPECT_EQ(made.text("/username"), "Ana");
    EXPECT_EQ(visitor.get("/api/v1/me").text("/username"), "Ana");
    const std::string old_cookie = visitor.cookie;
    EXPECT_EQ(visitor.post("/api/v1/logout").status, 204);
    EXPECT_TRUE(visitor.cookie.empty());
    visitor.cookie = old_cookie;
    EXPECT_EQ(visitor.get("/api/v1/me").text("/kind"), "anonymous") << "the token died with logout";
    visitor.cookie.clear();
    EXPECT_EQ(visitor.post("/api/v1/login", kAna).status, 200);
    EXPECT_NE(visitor.cookie, old_cookie) << "every login has a token of its own";
    EXPECT_EQ(visitor.get("/api/v1/me").text("/kind"), "user");
}

TEST_F(AccountApi, AccountsSurviveARestart) {
    Visitor visitor(*this);
    visitor.post("/api/v1/register", kAna);
    start();
    EXPECT_EQ(visitor.get("/api/v1/me").text("/username"), "Ana");
}

TEST_F(AccountApi, FieldErrorsNameTheField) {
    Visitor visitor(*this);
    visitor.post("/api/v1/register", kAna);
    const auto wrong = [&](const std::string& path, const std::string& name,
                           const std::string& password) {
        Visitor other(*this);
        const Answer answer =
            other.post(path, "{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}");
        EXPECT_EQ(answer.status, 422);
        return answer.text("/errors/0/field") + " " + answer.text("/errors/0/code");
    };
    EXPECT_EQ(wrong("/api/v1/register", "ANA", "four green doors"), "username taken");
    EXPECT_EQ(wrong("/api/v1/register", "x", "four green doors"), "username too_short");
    EXPECT_EQ(wrong("/api/v1/register", "<b>", "four green doors"), "username characters");
    EXPECT_EQ(wrong("/api/v1/register", "ben", "short"), "password too_short");
    EXPECT_EQ(wrong("/api/v1/register", "ben", "password123"), "password common");
    EXPECT_EQ(wrong("/api/v1/login", "nobody", "four green doors"), "username unknown");
    EXPECT_EQ(wrong("/api/v1/login", "ana", "four green doors"), "password wrong");
}

TEST_F(AccountApi, TheCookieIsHttpOnlyAndLaxAndPlainWithoutTls) {
    Visitor visitor(*this);
    const Answer made = visitor.post("/api/v1/register", kAna);
    const std::string cookie(made.headers.get("Set-Cookie"));
    EXPECT_EQ(cookie.rfind("rokada=", 0), 0u);
    EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
    EXPECT_NE(cookie.find("SameSite=Lax"), std::string::npos);
    EXPECT_NE(cookie.find("Path=/"), std::string::npos);
    EXPECT_EQ(cookie.find("Secure"), std::string::npos);
    EXPECT_GE(cookie.find(';') - 7, 43u) << "256 bits";
}

TEST_F(AccountApi, OnlyHashesOfTokensAndPasswordsAreStored) {
    Visitor visitor(*this);
    visitor.post("/api/v1/register", kAna);
    const std::string token = visitor.cookie.substr(visitor.cookie.find('=') + 1);
    const std::string everything = site_->store().read([](Session& session) {
        std::string text;
        for (const char* sql : {"SELECT password FROM users", "SELECT token_hash FROM sessions"}) {
            const auto rows = session.select(sql);
            while (rows->next()) text += rows->text(0) + "\n";
        }
        return text;
    });
    EXPECT_EQ(everything.find(token), std::string::npos);
    EXPECT_EQ(everything.find("three blue doors"), std::string::npos);
    EXPECT_NE(everything.find("$argon2id$"), std::string::npos);
}

TEST_F(AccountApi, APageViewMakesNoGuestAnActionDoes) {
    Visitor visitor(*this);
    visitor.get("/");
    visitor.get("/api/v1/games");
    visitor.get("/api/v1/me");
    EXPECT_TRUE(visitor.cookie.empty());
    visitor.new_game(R"({"opponent":"computer","level":"Easy"})");
    EXPECT_FALSE(visitor.cookie.empty());
    const Answer me = visitor.get("/api/v1/me");
    EXPECT_EQ(me.text("/kind"), "guest");
    EXPECT_EQ(me.text("/username").rfind("Guest ", 0), 0u);
}

TEST_F(AccountApi, GuestGamesAreAdoptedAtRegisterAndAtLogin) {
    Visitor ana(*this);
    const std::string first = ana.new_game(R"({"opponent":"computer","color":"white"})");
    ana.post("/api/v1/register", kAna);
    EXPECT_EQ(ana.get("/api/v1/games/" + first).text("/seat"), "white");
    EXPECT_EQ(ana.get("/api/v1/games/" + first).text("/white/name"), "Ana");

    Visitor elsewhere(*this);
    const std::string second = elsewhere.new_game(R"({"opponent":"computer","color":"white"})");
    elsewhere.post("/api/v1/login", kAna);
    EXPECT_EQ(elsewhere.move(second, 1, "e2e4").status, 200);
    const Answer mine = ana.get("/api/v1/games?scope=mine");
    EXPECT_EQ(mine.json.at("games").get_array().size(), 2u);
}

TEST_F(AccountApi, ProfileCountsFinishedGames) {
    Visitor ana(*this);
    ana.post("/api/v1/register", kAna);
    const std::string game = ana.new_game(R"({"opponent":"computer","color":"white"})");
    ana.move(game, 1, "e2e4");
    ana.await_ply(game, 2);
    EXPECT_EQ(ana.post("/api/v1/games/" + game + "/resign").text("/result"), "0-1");
    const Answer profile = ana.get("/api/v1/users/ana");
    EXPECT_EQ(profile.number("/statistics/games"), 1);
    EXPECT_EQ(profile.number("/statistics/computer/lost"), 1);
    EXPECT_EQ(ana.get("/api/v1/users/nobody").status, 404);
}

TEST_F(AccountApi, PasswordGuessingIsThrottledWithoutLockingTheOwnerOutForever) {
    Visitor owner(*this);
    owner.post("/api/v1/register", kAna);
    int refused = 0;
    for (int i = 0; i < 30; ++i) {
        Visitor thief(*this);
        const Answer answer =
            thief.post("/api/v1/login", R"({"username":"ana","password":"guess guess"})");
        if (answer.status == 429) {
            ++refused;
            EXPECT_FALSE(answer.headers.get("Retry-After").empty());
        }
    }
    EXPECT_EQ(refused, 10);
    EXPECT_EQ(owner.get("/api/v1/me").text("/kind"), "user") << "sessions are not touched";
}

}  // namespace
}  // namespace rokada::server::test
