// SPDX-License-Identifier: GPL-3.0-or-later
// What users do with their own account.
#include "server/app/settings.hpp"
#include "server/app/totp.hpp"
#include "server/store/games_table.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

const std::string kPassword = "three blue doors";
const std::string kAna = R"({"username":"ana","password":"three blue doors"})";

class AccountCareApi : public SiteTest {
  protected:
    AccountCareApi() { ana_.post("/api/v1/register", kAna); }
    static std::string login(const std::string& password, const std::string& code = "") {
        return "{\"username\":\"ana\",\"password\":\"" + password + "\"" +
               (code.empty() ? "" : ",\"code\":\"" + code + "\"") + "}";
    }
    Answer del(Visitor& visitor, const std::string& path) {
        return visitor.send(net::Method::kDelete, path, "");
    }
    static std::int64_t now_step() { return SystemTime().now().wall / 30'000; }

    Visitor ana_{*this};
};

TEST(Totp, KnownAnswersOfTheStandard) {
    // RFC 6238 appendix B: the secret is "12345678901234567890"; its last six digits.
    const std::string secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    EXPECT_EQ(totp_code(secret, 59 / 30), "287082");
    EXPECT_EQ(totp_code(secret, 1111111109 / 30), "081804");
    EXPECT_EQ(totp_code(secret, 20000000000 / 30), "353130");
    EXPECT_TRUE(check_totp(secret, "287082", 59'000, 0));
    EXPECT_FALSE(check_totp(secret, "287082", 59'000, 1)) << "good once";
    EXPECT_FALSE(check_totp(secret, "287082", 159'000, 0)) << "too old";
}

TEST_F(AccountCareApi, ChangingThePasswordNeedsTheOldOneAndEndsOtherSessions) {
    Visitor elsewhere(*this);
    elsewhere.post("/api/v1/login", kAna);
    EXPECT_EQ(
        ana_.post("/api/v1/me/password", R"({"current":"wrong one","password":"four green doors"})")
            .text("/errors/0/field"),
        "current");
    EXPECT_EQ(
        ana_.post("/api/v1/me/password", R"({"current":"three blue doors","password":"short"})")
            .text("/errors/0/field"),
        "password");
    EXPECT_EQ(ana_.post("/api/v1/me/password",
                        R"({"current":"three blue doors","password":"four green doors"})")
                  .status,
              204);
    EXPECT_EQ(elsewhere.get("/api/v1/me").text("/kind"), "anonymous");
    EXPECT_EQ(ana_.get("/api/v1/me").text("/kind"), "user");
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", kAna).status, 422);
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", login("four green doors")).status, 200);
}

TEST_F(AccountCareApi, NoQuestionLetsTheHolderOfASessionGuessThePassword) {
    const std::string guess = R"({"password":"guess guess"})";
    const std::string change = R"({"current":"guess guess","password":"four green doors"})";
    const std::string code = R"({"password":"guess guess","code":"123456"})";
    const std::vector<std::pair<std::string, std::string>> questions{
        {"totp", guess},           {"totp/confirm", R"({"code":"123456"})"},
        {"totp/remove", code},     {"password", change},
        {"recovery-codes", guess}, {"delete", guess}};
    for (int i = 0; i < 20; ++i) {
        const auto& [path, body] = questions[static_cast<std::size_t>(i) % questions.size()];
        EXPECT_NE(ana_.post("/api/v1/me/" + path, body).status, 429) << path;
    }
    for (const auto& [path, body] : questions) {
        const Answer refused = ana_.post("/api/v1/me/" + path, body);
        EXPECT_EQ(refused.status, 429) << path;
        EXPECT_FALSE(refused.headers.get("Retry-After").empty()) << path;
    }
    EXPECT_EQ(ana_.get("/api/v1/me").text("/kind"), "user") << "the session goes on";
}

TEST_F(AccountCareApi, SessionsAreListedAndEnded) {
    Visitor elsewhere(*this);
    elsewhere.post("/api/v1/login", kAna);
    const Answer list = ana_.get("/api/v1/me/sessions");
    ASSERT_EQ(list.json.at("sessions").get_array().size(), 2u);
    std::string other;
    for (const auto& session : list.json.at("sessions").get_array())
        if (!session.at("current").get_bool()) other = std::string(session.at("id").get_string());
    Visitor stranger(*this);
    stranger.post("/api/v1/register", R"({"username":"ben","password":"three blue doors!"})");
    EXPECT_EQ(del(stranger, "/api/v1/me/sessions/" + other).status, 404) << "not yours";
    EXPECT_EQ(del(ana_, "/api/v1/me/sessions/" + other).status, 204);
    EXPECT_EQ(elsewhere.get("/api/v1/me").text("/kind"), "anonymous");
    EXPECT_EQ(Visitor(*this).get("/api/v1/me/sessions").status, 401);
}

TEST_F(AccountCareApi, WhateverABrowserCallsItselfTheListOfSessionsCanBeRead) {
    Visitor odd(*this);
    odd.extra.set("User-Agent", "Br\xFFowser \xC3" + std::string(199, 'x') + "\u265E");
    EXPECT_EQ(odd.post("/api/v1/login", kAna).status, 200);
    const Answer list = ana_.get("/api/v1/me/sessions");
    EXPECT_EQ(list.json.at("sessions").get_array().size(), 2u);
    EXPECT_NE(list.body.find("Br\uFFFDowser"), std::string::npos) << list.body;
    EXPECT_EQ(ana_.get("/api/v1/me/export").status, 200);
}

TEST_F(AccountCareApi, ARecoveryCodeIsGoodOnceAndDoesNotLogIn) {
    const Answer codes =
        ana_.post("/api/v1/me/recovery-codes", R"({"password":"three blue doors"})");
    ASSERT_EQ(codes.json.at("codes").get_array().size(), 10u);
    const std::string code = codes.text("/codes/0");
    const auto recover = [&](const std::string& used, const std::string& password) {
        return Visitor(*this).post("/api/v1/recover", "{\"username\":\"ana\",\"code\":\"" + used +
                                                          "\",\"password\":\"" + password + "\"}");
    };
    EXPECT_EQ(recover("AAAA-AAAA-AAAA-AAAA", "four green doors").text("/errors/0/field"), "code");
    const Answer done = recover(code, "four green doors");
    EXPECT_EQ(done.status, 204);
    EXPECT_TRUE(done.headers.get("Set-Cookie").empty());
    EXPECT_EQ(ana_.get("/api/v1/me").text("/kind"), "anonymous") << "all sessions ended";
    EXPECT_EQ(recover(code, "five red doors here").status, 422);
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", login("four green doors")).status, 200);
}

TEST_F(AccountCareApi, TheSecondFactorIsAskedForAndEachCodeWorksOnce) {
    const std::string secret =
        ana_.post("/api/v1/me/totp", R"({"password":"three blue doors"})").text("/secret");
    ASSERT_EQ(secret.size(), 32u);
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", kAna).status, 200)
        << "not before it is confirmed";
    EXPECT_EQ(ana_.post("/api/v1/me/totp/confirm", R"({"code":"000000"})").status, 422);
    EXPECT_EQ(ana_.post("/api/v1/me/totp/confirm",
                        "{\"code\":\"" + totp_code(secret, now_step() - 1) + "\"}")
                  .status,
              204);
    Visitor phone(*this);
    EXPECT_EQ(phone.post("/api/v1/login", kAna).text("/errors/0/code"), "required");
    const std::string code = totp_code(secret, now_step());
    EXPECT_EQ(phone.post("/api/v1/login", login(kPassword, code)).status, 200);
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", login(kPassword, code)).status, 422);
}

TEST_F(AccountCareApi, TokensWorkWithoutOriginAndOnlyWhileTheyExist) {
    const Answer made = ana_.post("/api/v1/me/tokens", R"({"name":"script","scopes":["play"]})");
    ASSERT_EQ(made.status, 201);
    Visitor script(*this);
    script.with_origin = false;
    script.extra.set("Authorization", "Bearer " + made.text("/token"));
    EXPECT_EQ(script.get("/api/v1/me").text("/username"), "ana");
    EXPECT_EQ(script.get("/api/v1/me").headers.get("Access-Control-Allow-Origin"), "*");
    const std::string id = script.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(script.move(id, 1, "e2e4").status, 200);
    EXPECT_EQ(script
                  .post("/api/v1/me/password",
                        R"({"current":"three blue doors","password":"four green doors"})")
                  .status,
              403)
        << "a token cannot take the account over";
    EXPECT_EQ(ana_.get("/api/v1/me/tokens").json.at("tokens").get_array().size(), 1u);
    EXPECT_EQ(del(ana_, "/api/v1/me/tokens/" + made.text("/id")).status, 204);
    EXPECT_EQ(script.get("/api/v1/me").status, 401);
    const Answer narrow = ana_.post("/api/v1/me/tokens", R"({"name":"reader","scopes":["read"]})");
    Visitor reader(*this);
    reader.extra.set("Authorization", "Bearer " + narrow.text("/token"));
    EXPECT_EQ(reader.get("/api/v1/games/" + id).status, 200);
    EXPECT_EQ(reader.post("/api/v1/games/" + id + "/resign").status, 403) << "not its scope";
    Visitor cookie_as_token(*this);
    cookie_as_token.extra.set("Authorization", "Bearer " + ana_.cookie.substr(7));
    EXPECT_EQ(cookie_as_token.get("/api/v1/me").status, 401) << "a session is no token";
}

TEST_F(AccountCareApi, ExportHasEverythingAndDeletionLeavesTheGames) {
    Visitor ben(*this);
    const std::string id = ana_.new_game(R"({"opponent":"link","color":"white"})");
    ben.post("/api/v1/games/" + id + "/join");
    ana_.move(id, 1, "e2e4");
    ServerSettings settings = site_->settings().get();
    settings.chat = true;
    site_->settings().set(settings);
    LiveClient a(*this, ana_);
    a.send("{\"t\":\"chat\",\"game\":\"" + id + "\",\"id\":\"c\",\"text\":\"good luck\"}");
    EXPECT_FALSE(a.next("ack").is_null());
    site_->store().write(
        [&id](Session& session) { games_table::save_review(session, id, R"({"moves":[]})", 1); });
    Visitor cleo(*this);
    cleo.post("/api/v1/register", R"({"username":"cleo","password":"three blue doors"})");
    const std::string open = cleo.new_game(R"({"opponent":"user","username":"ana"})");
    const Answer all = ana_.get("/api/v1/me/export");
    EXPECT_EQ(all.json.at("games").get_array().size(), 1u);
    EXPECT_NE(all.text("/pgn").find("1. e4"), std::string::npos);
    EXPECT_EQ(all.text("/chat/0/text"), "good luck");
    EXPECT_EQ(all.text("/reviews/0/game"), id);
    EXPECT_EQ(all.text("/challenges/0/id"), open);
    cleo.post("/api/v1/games/" + open + "/abort");
    EXPECT_EQ(ana_.post("/api/v1/me/delete", R"({"password":"nope nope"})").status, 422);
    EXPECT_EQ(ana_.post("/api/v1/me/delete", R"({"password":"three blue doors"})").status, 204);
    EXPECT_EQ(Visitor(*this).post("/api/v1/login", kAna).status, 422);
    EXPECT_EQ(ben.get("/api/v1/users/ana").status, 404);
    start();
    const Answer game = ben.get("/api/v1/games/" + id);
    EXPECT_EQ(game.text("/white/kind"), "deleted");
    EXPECT_EQ(game.number("/ply"), 1);
}

TEST_F(AccountCareApi, ADeletedAccountIsGoneFromGamesThatAreBeingPlayed) {
    ServerSettings settings = site_->settings().get();
    settings.chat = true;
    site_->settings().set(settings);
    Visitor ben(*this);
    const std::string id = ana_.new_game(R"({"opponent":"link","color":"white"})");
    ben.post("/api/v1/games/" + id + "/join");
    ana_.move(id, 1, "e2e4");
    ben.move(id, 2, "e7e5");
    ana_.post("/api/v1/games/" + id + "/chat", R"({"text":"hello"})");
    const std::string waiting = ana_.new_game(R"({"opponent":"link","color":"white"})");
    const std::string finished = ana_.new_game(R"({"opponent":"computer","color":"white"})");
    ana_.post("/api/v1/games/" + finished + "/resign");
    EXPECT_EQ(ana_.post("/api/v1/me/delete", R"({"password":"three blue doors"})").status, 204);
    Answer game;
    for (int i = 0; i < 200 && game.text("/status") != "finished"; ++i)
        game = ben.get("/api/v1/games/" + id);
    EXPECT_EQ(game.text("/white/kind"), "deleted") << game.body;
    EXPECT_EQ(game.text("/result"), "0-1") << "nobody waits for ever for the next move";
    EXPECT_EQ(game.text("/reason"), "abandonment");
    EXPECT_EQ(game.body.find("\"ana\""), std::string::npos) << game.body;
    EXPECT_EQ(ben.post("/api/v1/games/" + id + "/rematch").text("/code"), "nobody_there");
    EXPECT_EQ(ben.get("/api/v1/games/" + waiting).text("/status"), "aborted");
    EXPECT_EQ(ben.get("/api/v1/games/" + finished).text("/white/kind"), "deleted");
    LiveClient screen(*this, ben);
    screen.send(R"({"t":"watch","game":")" + id + R"(","version":0})");
    const auto started = screen.next_event("start");
    ASSERT_FALSE(started.is_null());
    EXPECT_EQ(started.at("white").at("kind").get_string(), "deleted");
    EXPECT_EQ(started.at("white").at("name").get_string(), "deleted player");
    EXPECT_EQ(screen.next_event("chat").at("name").get_string(), "deleted player");
    // A later change of the game does not bring the name back.
    ben.post("/api/v1/games/" + id + "/mute");
    start();
    EXPECT_EQ(ben.get("/api/v1/games/" + id).text("/white/kind"), "deleted");
}

}  // namespace
}  // namespace rokada::server::test
