// SPDX-License-Identifier: GPL-3.0-or-later
// The first administrator, people, switches; uploads of games played elsewhere.
#include "server/app/administration.hpp"
#include "server/app/totp.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class AdminApi : public SiteTest {
  protected:
    AdminApi() {
        options_.lan = true;  // no second factor on a private network
        start();
    }
    void become_admin() {
        const std::string link = site_->setup_link();
        const std::string code = link.substr(link.find('#') + 1);
        const Answer made = admin_.post(
            "/api/v1/setup",
            "{\"code\":\"" + code + "\",\"username\":\"Chief\",\"password\":\"the quiet river\"}");
        EXPECT_EQ(made.status, 201) << made.body;
    }
    Visitor admin_{*this};
};

TEST_F(AdminApi, TheSetupLinkMakesOneAdministratorOnce) {
    Visitor thief(*this);
    EXPECT_EQ(thief
                  .post("/api/v1/setup",
                        R"({"code":"guess","username":"thief","password":"the quiet river"})")
                  .status,
              403);
    const std::string link = site_->setup_link();
    ASSERT_FALSE(link.empty());
    become_admin();
    EXPECT_TRUE(admin_.get("/api/v1/me").json.at("admin").get_bool());
    const std::string code = link.substr(link.find('#') + 1);
    EXPECT_EQ(thief
                  .post("/api/v1/setup",
                        "{\"code\":\"" + code +
                            "\",\"username\":\"thief\",\"password\":\"the quiet river\"}")
                  .status,
              403);
    start();
    EXPECT_TRUE(site_->setup_link().empty());
}

TEST_F(AdminApi, OthersFindNothingThere) {
    become_admin();
    Visitor user(*this), guest(*this);
    user.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    guest.new_game(R"({"opponent":"computer"})");
    for (Visitor* visitor : {&user, &guest}) {
        for (const char* path : {"/api/v1/admin/settings", "/api/v1/admin/users",
                                 "/api/v1/admin/log", "/api/v1/admin/games"})
            EXPECT_EQ(visitor->get(path).status, 404) << path;
        EXPECT_EQ(visitor->put("/api/v1/admin/settings", R"({"chat":true})").status, 404);
        EXPECT_EQ(visitor->post("/api/v1/admin/users", R"({"usernames":["x1"]})").status, 404);
        EXPECT_EQ(visitor->post("/api/v1/admin/users/Chief/password").status, 404);
        EXPECT_EQ(visitor->post("/api/v1/admin/backup").status, 404);
    }
}

TEST_F(AdminApi, WithoutLanAdministratorsNeedASecondFactor) {
    become_admin();
    options_.lan = false;
    start();
    EXPECT_EQ(admin_.get("/api/v1/admin/settings").text("/code"), "totp_required");
}

TEST_F(AdminApi, SwitchesWork) {
    become_admin();
    EXPECT_EQ(admin_.get("/api/v1/admin/settings").text("/registration"), "open");
    admin_.put(
        "/api/v1/admin/settings",
        R"({"registration":"code","registration_code":"knight","guests":false,"public_lists":false})");
    Visitor visitor(*this);
    EXPECT_EQ(
        visitor.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})")
            .text("/errors/0/code"),
        "required");
    EXPECT_EQ(visitor.post("/api/v1/games", R"({"opponent":"computer"})").status, 401);
    EXPECT_EQ(visitor
                  .post("/api/v1/register",
                        R"({"username":"ana","password":"three blue doors","code":"knight"})")
                  .status,
              201);
    visitor.new_game(R"({"opponent":"computer"})");
    EXPECT_EQ(visitor.get("/api/v1/games").json.at("games").get_array().size(), 0u);
    admin_.put("/api/v1/admin/settings", R"({"registration":"closed"})");
    EXPECT_EQ(Visitor(*this)
                  .post("/api/v1/register", R"({"username":"ben","password":"three blue doors"})")
                  .status,
              403);
    start();
    EXPECT_EQ(admin_.get("/api/v1/admin/settings").text("/registration"), "closed")
        << "kept on disk";
}

TEST_F(AdminApi, TheLogSaysWhichSwitchesWereChanged) {
    become_admin();
    admin_.put(
        "/api/v1/admin/settings",
        R"({"chat":true,"guests":false,"registration":"code","registration_code":"swordfish"})");
    EXPECT_EQ(admin_.get("/api/v1/admin/log").text("/actions/0/detail"),
              "registration code, another registration code, guests off, chat on");
    admin_.put("/api/v1/admin/settings", R"({"chat":false})");
    const Answer log = admin_.get("/api/v1/admin/log");
    EXPECT_EQ(log.text("/actions/0/action"), "change settings");
    EXPECT_EQ(log.text("/actions/0/detail"), "chat off");
    EXPECT_EQ(log.body.find("swordfish"), std::string::npos);
    admin_.put("/api/v1/admin/settings", R"({"chat":false})");
    EXPECT_EQ(admin_.get("/api/v1/admin/log").json.at("actions").get_array().size(),
              log.json.at("actions").get_array().size())
        << "nothing was changed";
}

TEST_F(AdminApi, WithoutPublicListsLiveSocketsHearOfTheirOwnGamesOnly) {
    become_admin();
    Visitor ana(*this), nobody(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    LiveClient hers(*this, ana), stranger(*this, nobody), chief(*this, admin_);
    for (LiveClient* socket : {&hers, &stranger, &chief}) {
        socket->send(R"({"t":"games","on":true})");
        socket->send(R"({"t":"ping","n":1})");
        socket->next("pong");
    }
    EXPECT_EQ(admin_.put("/api/v1/admin/settings", R"({"public_lists":false})").status, 200);
    const std::string hidden = ana.new_game(R"({"opponent":"computer","color":"white"})");
    const auto id_in = [](const net::json::value& message) {
        return std::string(message.at("changed").at(0).at("id").get_string());
    };
    EXPECT_EQ(id_in(hers.next("games")), hidden) << "one's own are always told";
    EXPECT_EQ(id_in(chief.next("games")), hidden) << "administrators see the list, too";
    EXPECT_EQ(admin_.put("/api/v1/admin/settings", R"({"public_lists":true})").status, 200);
    const std::string shown = ana.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(id_in(stranger.next("games")), shown) << "the first one was not told";
}

TEST_F(AdminApi, PeopleAreAddedManyAtOnceResetAndDisabled) {
    become_admin();
    const Answer added =
        admin_.post("/api/v1/admin/users", R"({"usernames":["mia","leo","chief","x"]})");
    ASSERT_EQ(added.json.at("slips").get_array().size(), 2u);
    EXPECT_EQ(added.json.at("errors").get_array().size(), 2u);
    const auto login = [&](const Answer& answer, const std::string& at) {
        return "{\"username\":\"" + answer.text(at + "/username") + "\",\"password\":\"" +
               answer.text(at + "/password") + "\"}";
    };
    Visitor mia(*this);
    EXPECT_EQ(mia.post("/api/v1/login", login(added, "/slips/0")).status, 200);
    const Answer slip = admin_.post("/api/v1/admin/users/mia/password");
    EXPECT_EQ(mia.get("/api/v1/me").text("/kind"), "anonymous") << "the sessions ended";
    EXPECT_EQ(mia.post("/api/v1/login", login(slip, "")).status, 200);
    EXPECT_EQ(
        admin_.send(net::Method::kPatch, "/api/v1/admin/users/mia", R"({"disabled":true})").status,
        204);
    EXPECT_EQ(mia.get("/api/v1/me").text("/kind"), "anonymous");
    EXPECT_EQ(mia.post("/api/v1/login", login(slip, "")).status, 403);
    EXPECT_EQ(admin_.get("/api/v1/admin/users").number("/count"), 3);
    EXPECT_GE(admin_.get("/api/v1/admin/log").json.at("actions").get_array().size(), 4u);
    EXPECT_EQ(admin_.post("/api/v1/admin/backup").status, 201);
}

TEST_F(AdminApi, ADisabledUserIsOutAtOnceWithTokensAndSockets) {
    become_admin();
    Visitor ana(*this), script(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    script.with_origin = false;
    script.extra.set(
        "Authorization",
        "Bearer " +
            ana.post("/api/v1/me/tokens", R"({"name":"script","scopes":["play"]})").text("/token"));
    EXPECT_EQ(script.get("/api/v1/me").status, 200);
    LiveClient page(*this, ana), program(*this, script);
    ASSERT_FALSE(page.next("hello").is_null());
    ASSERT_FALSE(program.next("hello").is_null());
    const std::string path = "/api/v1/admin/users/ana";
    EXPECT_EQ(admin_.send(net::Method::kPatch, path, R"({"disabled":true})").status, 204);
    EXPECT_EQ(ana.get("/api/v1/me").text("/kind"), "anonymous");
    EXPECT_EQ(script.get("/api/v1/me").status, 401);
    EXPECT_EQ(page.close_code(), 4001);
    EXPECT_EQ(program.close_code(), 4001);
    EXPECT_EQ(admin_.send(net::Method::kPatch, path, R"({"disabled":false})").status, 204);
    EXPECT_EQ(script.get("/api/v1/me").status, 200) << "tokens are good again";
}

TEST_F(AdminApi, WhoIsNoLongerAdministratorIsSoAtOnce) {
    become_admin();
    Visitor ana(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    const std::string path = "/api/v1/admin/users/ana";
    EXPECT_EQ(admin_.send(net::Method::kPatch, path, R"({"admin":true})").status, 204);
    EXPECT_EQ(ana.get("/api/v1/admin/settings").status, 200);
    LiveClient socket(*this, ana);
    ASSERT_FALSE(socket.next("hello").is_null());
    EXPECT_EQ(admin_.send(net::Method::kPatch, path, R"({"admin":false})").status, 204);
    EXPECT_EQ(ana.get("/api/v1/admin/settings").status, 404);
    EXPECT_EQ(socket.close_code(), 4001) << "it could look into private games";
    EXPECT_EQ(ana.get("/api/v1/me").text("/kind"), "user");
}

TEST_F(AdminApi, AUserDisabledByAnotherProcessLosesTheSocketSoon) {
    options_.look_again_s = 1;
    start();
    Visitor ana(*this), ben(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    ben.post("/api/v1/register", R"({"username":"ben","password":"three blue doors!"})");
    LiveClient hers(*this, ana), his(*this, ben);
    ASSERT_FALSE(hers.next("hello").is_null());
    // As `rokada user disable` does, beside the server.
    Store beside({options_.data, "", nullptr}, StoreSharing::Shared);
    SystemTime time;
    SystemRandom random;
    Administration administration(beside, time, random, {});
    EXPECT_FALSE(administration.set_disabled("command line", "ana", true));
    EXPECT_EQ(hers.close_code(), 4001);
    his.send(R"({"t":"ping","n":1})");
    EXPECT_FALSE(his.next("pong").is_null()) << "others are left alone";
}

TEST_F(AdminApi, AnAdministratorWithASecondFactorGetsIn) {
    become_admin();
    options_.lan = false;
    start();
    EXPECT_EQ(admin_.get("/api/v1/admin/settings").text("/code"), "totp_required");
    const std::string secret =
        admin_.post("/api/v1/me/totp", R"({"password":"the quiet river"})").text("/secret");
    const auto code = [&secret](int ahead) {
        return totp_code(secret, SystemTime().now().wall / 30'000 + ahead);
    };
    EXPECT_EQ(admin_.post("/api/v1/me/totp/confirm", "{\"code\":\"" + code(-1) + "\"}").status,
              204);
    EXPECT_EQ(admin_.get("/api/v1/admin/settings").status, 200);
    Visitor again(*this);
    EXPECT_EQ(again
                  .post("/api/v1/login",
                        "{\"username\":\"Chief\",\"password\":\"the quiet river\",\"code\":\"" +
                            code(0) + "\"}")
                  .status,
              200);
    EXPECT_EQ(again.get("/api/v1/admin/users").status, 200);
}

TEST_F(AdminApi, ChatIsOffUntilSwitchedOn) {
    become_admin();
    Visitor ana(*this), ben(*this);
    const std::string id = ana.new_game(R"({"opponent":"link"})");
    ben.post("/api/v1/games/" + id + "/join");
    LiveClient a(*this, ana), b(*this, ben);
    a.send("{\"t\":\"watch\",\"game\":\"" + id + "\"}");
    b.send("{\"t\":\"watch\",\"game\":\"" + id + "\"}");
    b.next("snapshot");
    const auto say = [&](const std::string& text) {
        return "{\"t\":\"chat\",\"game\":\"" + id + "\",\"id\":\"c\",\"text\":\"" + text + "\"}";
    };
    a.send(say("hello"));
    EXPECT_EQ(a.next("error").at("code").get_string(), "chat_off");
    admin_.put("/api/v1/admin/settings", R"({"chat":true})");
    a.send(say("<b>hello"));
    EXPECT_EQ(b.next_event("chat").at("text").get_string(), "<b>hello")
        << "as typed; clients show text";
    a.send_nonsense(say(std::string(141, 'x')));
    EXPECT_EQ(a.next("error").at("code").get_string(), "bad_message");
    for (int i = 0; i < 15; ++i) a.send(say("again"));
    EXPECT_EQ(a.next("error").at("code").get_string(), "too_many_requests");
}

class UploadApi : public SiteTest {};

TEST_F(UploadApi, AnOfflineGameIsTakenOnceAndGoesOn) {
    Visitor ana(*this);
    const auto body = [](const std::string& moves, const std::string& more = "") {
        return R"({"opponent":"page","elo":1200,"color":"white","moves":[)" + moves + "]" + more +
               "}";
    };
    const std::string path = "/api/v1/uploads/0f3b2c1a-1111";
    const Answer first = ana.put(path, body(R"("e2e4","e7e5")"));
    EXPECT_EQ(first.status, 201);
    EXPECT_EQ(first.text("/opponent"), "page");
    EXPECT_EQ(first.text("/seat"), "white");
    EXPECT_EQ(first.number("/ply"), 2);
    const Answer again = ana.put(path, body(R"("e2e4","e7e5")"));
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.text("/id"), first.text("/id"));
    EXPECT_EQ(again.number("/version"), first.number("/version"));
    EXPECT_EQ(ana.put(path, body(R"("e2e4","e7e5","g1f3","b8c6")")).number("/ply"), 4);
    EXPECT_EQ(ana.put(path, body(R"("d2d4")")).status, 409);
    EXPECT_EQ(ana.put(path, body(R"("e2e4","e7e5","g1f3","b8c6","e1e5")")).status, 422);
    const Answer over = ana.put(
        path, body(R"("e2e4","e7e5","g1f3","b8c6")", R"(,"result":"1-0","reason":"resignation")"));
    EXPECT_EQ(over.text("/result"), "1-0");
    EXPECT_EQ(over.text("/status"), "finished");
    EXPECT_EQ(ana.get("/api/v1/games?scope=mine").json.at("games").get_array().size(), 1u);
    EXPECT_EQ(ana.put("/api/v1/uploads/x", body("")).status, 404);
    EXPECT_EQ(
        ana.put("/api/v1/uploads/0f3b2c1a-2222", R"({"opponent":"computer","moves":[]})").status,
        422);
}

TEST_F(UploadApi, TheBoardDecidesOverTheDeclaration) {
    Visitor ana(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    const Answer mated = ana.put(
        "/api/v1/uploads/0f3b2c1a-3333",
        R"({"opponent":"page","level":"Easy","color":"white","moves":["f2f3","e7e5","g2g4","d8h4"],"result":"1-0","reason":"resignation"})");
    EXPECT_EQ(mated.text("/result"), "0-1");
    EXPECT_EQ(mated.text("/reason"), "checkmate");
    EXPECT_EQ(ana.get("/api/v1/users/ana").number("/statistics/page/lost"), 1) << "counted apart";
}

}  // namespace
}  // namespace rokada::server::test
