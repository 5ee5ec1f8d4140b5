// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of docs/security.md that no other test covers: sessions over TLS, their end, rights, hostile text.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "net/url.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

constexpr const char* kAnaRegisters = R"({"username":"ana","password":"three blue doors"})";

// A proxy that is trusted says how the visitor came.
class BehindProxy : public SiteTest {
  protected:
    void SetUp() override {
        options_.trusted_proxies = {"127.0.0.1", "::1"};
        start();
    }
    void over_tls(Visitor& visitor, bool tls) {
        visitor.with_origin = false;
        const std::string scheme = tls ? "https" : "http";
        visitor.extra.set("X-Forwarded-Proto", scheme);
        visitor.extra.set("Origin", scheme + origin().substr(4));
    }
};

TEST_F(BehindProxy, OverTlsTheCookieIsBoundToTheHostAndSecure) {
    Visitor ana(*this);
    over_tls(ana, true);
    const Answer answer = ana.post("/api/v1/register", kAnaRegisters);
    ASSERT_EQ(answer.status, 201) << answer.body;
    const std::string set(answer.headers.get("Set-Cookie"));
    EXPECT_EQ(set.rfind("__Host-rokada=", 0), 0u) << set;
    for (const char* flag : {"; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax"})
        EXPECT_NE(set.find(flag), std::string::npos) << set;
    EXPECT_EQ(set.find("Domain"), std::string::npos);
    EXPECT_EQ(answer.headers.get("Strict-Transport-Security"), "max-age=31536000");
    EXPECT_EQ(ana.get("/api/v1/me").text("/username"), "ana");
    Visitor stolen(*this);
    over_tls(stolen, false);
    stolen.cookie = "rokada=" + ana.cookie.substr(ana.cookie.find('=') + 1);
    EXPECT_EQ(stolen.get("/api/v1/me").text("/kind"), "anonymous") << "never in the clear";
}

TEST_F(BehindProxy, APublicAddressMeansAProxyOnThisMachine) {
    options_.trusted_proxies.clear();
    Visitor ana(*this);
    over_tls(ana, true);
    start();
    EXPECT_EQ(ana.post("/api/v1/register", kAnaRegisters).text("/code"), "foreign_origin")
        << "nobody is believed without being asked for";
    options_.public_url = "https://chess.example";
    start();
    EXPECT_EQ(ana.post("/api/v1/register", kAnaRegisters).status, 201);
    EXPECT_EQ(ana.cookie.rfind("__Host-rokada=", 0), 0u) << ana.cookie;
    options_.trusted_proxies = {"192.0.2.1"};
    start();
    EXPECT_EQ(ana.post("/api/v1/login", kAnaRegisters).text("/code"), "foreign_origin")
        << "only the one that is named";
}

class HandClock final : public TimeSource {
  public:
    Moment now() const override { return {base_.now().steady, base_.now().wall + ahead_}; }
    void pass_days(int days) { ahead_ += Millis{days} * 24 * 3600 * 1000; }

  private:
    SystemTime base_;
    std::atomic<Millis> ahead_{0};
};

class Sessions : public SiteTest {
  protected:
    void SetUp() override {
        options_.time = &clock_;
        start();
    }
    ~Sessions() override { stop(); }
    HandClock clock_;
};

TEST_F(Sessions, EndWhenUnusedAndInAnyCaseAfterHalfAYear) {
    Visitor ana(*this), idle(*this);
    ana.post("/api/v1/register", kAnaRegisters);
    idle.post("/api/v1/login", kAnaRegisters);
    for (int i = 0; i < 8; ++i) {
        clock_.pass_days(20);
        EXPECT_EQ(ana.get("/api/v1/me").text("/kind"), "user") << "used every twenty days";
        // The time of use is written behind the answer.
        site_->store().writer().submit_and_wait([](Session&) {});
    }
    EXPECT_EQ(idle.get("/api/v1/me").text("/kind"), "anonymous") << "unused for thirty days";
    clock_.pass_days(21);
    EXPECT_EQ(ana.get("/api/v1/me").text("/kind"), "anonymous") << "181 days old";
}

TEST_F(Sessions, AGuestWhoPlaysEveryWeekKeepsTheGames) {
    Visitor guest(*this);
    const std::string id = guest.new_game(R"({"opponent":"device"})");
    const std::string cookie = guest.cookie;
    EXPECT_TRUE(guest.get("/api/v1/me").headers.get("Set-Cookie").empty()) << "it is new";
    for (int week = 0; week < 30; ++week) {
        clock_.pass_days(7);
        // Whatever asks first, the page's own question renews the cookie.
        EXPECT_EQ(guest.get("/api/v1/games?scope=mine").text("/games/0/id"), id);
        const std::string renewed(guest.get("/api/v1/me").headers.get("Set-Cookie"));
        EXPECT_EQ(renewed.rfind(cookie + ";", 0), 0u) << renewed;
        EXPECT_NE(renewed.find("Max-Age=15552000"), std::string::npos) << renewed;
        EXPECT_TRUE(guest.get("/api/v1/me").headers.get("Set-Cookie").empty()) << "once is enough";
        site_->store().writer().submit_and_wait([](Session&) {});
    }
}

TEST_F(Sessions, AreNewAtEveryLogin) {
    Visitor ana(*this);
    ana.post("/api/v1/register", kAnaRegisters);
    const std::string before = ana.cookie;
    ana.post("/api/v1/login", kAnaRegisters);
    EXPECT_NE(ana.cookie, before);
    Visitor old(*this);
    old.cookie = before;
    EXPECT_EQ(old.get("/api/v1/me").text("/kind"), "anonymous") << "no fixation";
}

class Rights : public SiteTest {};

TEST_F(Rights, AnInvitationToAPrivateGameIsSeenByWhoeverHasTheLinkUntilItIsTaken) {
    Visitor ana(*this), ben(*this), eve(*this);
    ana.post("/api/v1/register", kAnaRegisters);
    const std::string game =
        "/api/v1/games/" +
        ana.new_game(R"({"opponent":"link","color":"white","visibility":"private"})");
    EXPECT_EQ(ben.get(game).text("/white/name"), "ana");
    LiveClient screen(*this, ben);
    screen.send(R"({"t":"watch","game":")" + game.substr(14) + "\"}");
    EXPECT_FALSE(screen.next("snapshot").is_null());
    EXPECT_EQ(ben.post(game + "/join").status, 200);
    EXPECT_EQ(eve.get(game).status, 404) << "now it is between the two";
    EXPECT_EQ(ben.get(game).status, 200);
    Visitor dan(*this);
    dan.post("/api/v1/register", R"({"username":"dan","password":"three blue doors!"})");
    const std::string challenge =
        "/api/v1/games/" +
        ana.new_game(R"({"opponent":"user","username":"dan","visibility":"private"})");
    EXPECT_EQ(dan.get(challenge).status, 200);
    EXPECT_EQ(eve.get(challenge).status, 404) << "somebody else is meant";
}

TEST_F(Rights, OfGamesByWhoAsks) {
    Visitor ana(*this), ben(*this), eve(*this), nobody(*this);
    eve.new_game(R"({"opponent":"device"})");
    const std::string id =
        ana.new_game(R"({"opponent":"link","color":"white","visibility":"private"})");
    const std::string game = "/api/v1/games/" + id;
    ben.post(game + "/join");
    struct Row {
        const char* path;
        const char* body;
    };
    const Row actions[] = {{"/resign", "{}"},
                           {"/abort", "{}"},
                           {"/draw", "{}"},
                           {"/takeback", "{}"},
                           {"/claim", R"({"result":"win"})"},
                           {"/rematch", "{}"},
                           {"/decline", "{}"},
                           {"/mute", "{}"}};
    for (Visitor* stranger : {&eve, &nobody}) {
        EXPECT_EQ(stranger->get(game).status, 404);
        EXPECT_EQ(stranger->get(game + ".pgn").status, 404);
        EXPECT_EQ(stranger->get(game + "/review").status, 404);
        EXPECT_EQ(stranger->move(id, 1, "e2e4").status, 404);
        for (const Row& row : actions)
            EXPECT_EQ(stranger->post(game + row.path, row.body).status, 404) << row.path;
        EXPECT_EQ(stranger->get("/api/v1/admin/users").status, 404);
    }
    EXPECT_EQ(ben.move(id, 1, "e2e4").status, 409) << "not his turn";
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    EXPECT_EQ(ana.move(id, 2, "e7e5").status, 409) << "not her side";
    EXPECT_EQ(ben.post(game + "/decline").status, 403) << "no challenge";
    EXPECT_EQ(ben.move(id, 2, "e7e5").status, 200);
}

class HostileText : public SiteTest {};

TEST_F(HostileText, IsRefusedOrShownAsItIs) {
    const char* corpus[] = {"' OR 1=1 --",
                            "\"; DROP TABLE users; --",
                            "<script>alert(1)</script>",
                            "../../etc/passwd",
                            "%00",
                            "\xE2\x80\xA8",
                            "${jndi:ldap://x}",
                            "{{7*7}}",
                            "a\r\nSet-Cookie: x=1",
                            "\xF0\x9F\x98\x80"};
    Visitor ana(*this);
    for (const char* text : corpus) {
        net::json::object body;
        body["username"] = text;
        body["password"] = "three blue doors";
        EXPECT_EQ(ana.post("/api/v1/register", net::to_text(body)).status, 422) << text;
        EXPECT_EQ(ana.post("/api/v1/login", net::to_text(body)).status, 422) << text;
        const std::string escaped = net::percent_encode(text);
        for (const char* path : {"/api/v1/position?fen=", "/api/v1/games?after=",
                                 "/api/v1/games?state=", "/api/v1/bestmove?moves="})
            EXPECT_EQ(ana.get(path + escaped).status, 422) << path << text;
        Visitor other(*this);
        other.check_schema = false;
        for (const char* path : {"/api/v1/users/", "/api/v1/games/", "/api/user/"}) {
            const int status = other.get(path + escaped).status;
            EXPECT_TRUE(status == 404 || status == 400) << path << text << " " << status;
        }
    }
    // A password may be any of them.
    int number = 10;
    for (const char* text : corpus) {
        net::json::object body;
        body["username"] = "user" + std::to_string(number++);
        body["password"] = std::string(text) + " and eight more";
        EXPECT_EQ(ana.post("/api/v1/register", net::to_text(body)).status, 201) << text;
        EXPECT_EQ(ana.post("/api/v1/login", net::to_text(body)).status, 200) << text;
    }
}

TEST_F(HostileText, MethodsNobodyNeedsAreRefused) {
    net::ClientRequest request;
    request.url = origin() + "/";
    for (const net::Method method : {net::Method::kDelete, net::Method::kPatch}) {
        request.method = method;
        request.headers.set("Origin", origin());
        const auto answer = client_.fetch(request);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->status, 405);
    }
}

// What no single request can show: rules for the whole source of the server.
class SourceRules : public ::testing::Test {
  protected:
    SourceRules() {
        namespace fs = std::filesystem;
        for (const char* folder : {"src/server", "src/net"})
            for (const auto& entry :
                 fs::recursive_directory_iterator(fs::path(ROKADA_SOURCE_DIR) / folder)) {
                const auto kind = entry.path().extension();
                if (kind != ".cpp" && kind != ".hpp") continue;
                std::ifstream file(entry.path());
                files_[entry.path()] = {std::istreambuf_iterator<char>(file), {}};
            }
    }
    std::string with(const std::string& pattern) const {
        std::string names;
        const std::regex wanted(pattern);
        for (const auto& [path, text] : files_)
            if (std::regex_search(text, wanted)) names += path.filename().string() + " ";
        return names;
    }
    std::map<std::filesystem::path, std::string> files_;
};

TEST_F(SourceRules, NoOtherProgramIsStarted) {
    ASSERT_GT(files_.size(), 50u);
    EXPECT_EQ(with(R"(\b(system|popen|fork|vfork|execl?[pv]?e?|posix_spawnp?)\()"), "");
}

TEST_F(SourceRules, SecretsComeFromOneSourceOfRandomness) {
    EXPECT_EQ(with(R"(\b(mt19937|random_device|drand48|rand\(|srand\())"), "");
    EXPECT_EQ(with(R"(\brandombytes_)"), "secrets.cpp ");
}

TEST_F(SourceRules, QueriesAreWrittenWhole) {
    // A text that is being put together inside the call would be where an injection begins.
    EXPECT_EQ(with(R"re((select|run)\(\s*("[^"]*"\s*)+\+)re"), "");
}

TEST_F(SourceRules, LoginHasOneWayIn) {
    EXPECT_EQ(with(R"(\bcrypto_pwhash_str_verify\()"), "secrets.cpp ");
}

}  // namespace
}  // namespace rokada::server::test
