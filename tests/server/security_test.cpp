// SPDX-License-Identifier: GPL-3.0-or-later
// What protects visitors from other sites and from each other.
#include "server/web/security.hpp"

#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class SecurityApi : public SiteTest {};

TEST_F(SecurityApi, EveryAnswerCarriesTheHeaders) {
    Visitor visitor(*this);
    visitor.check_schema = false;
    for (const char* path : {"/", "/api/v1/me", "/api/v1/nothing", "/missing.js", "/healthz",
                             "/api/v1/games/0000000000"}) {
        const Answer answer = visitor.get(path);
        EXPECT_EQ(answer.headers.get("Content-Security-Policy"),
                  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                  "img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; "
                  "manifest-src 'self'; base-uri 'none'; form-action 'self'; "
                  "frame-ancestors 'none'")
            << path;
        EXPECT_EQ(answer.headers.get("X-Content-Type-Options"), "nosniff") << path;
        EXPECT_EQ(answer.headers.get("Referrer-Policy"), "same-origin") << path;
        EXPECT_EQ(answer.headers.get("Cross-Origin-Opener-Policy"), "same-origin") << path;
        EXPECT_EQ(answer.headers.get("Cross-Origin-Embedder-Policy"), "require-corp") << path;
        EXPECT_FALSE(answer.headers.get("Cross-Origin-Resource-Policy").empty()) << path;
        EXPECT_EQ(answer.headers.get("Strict-Transport-Security"), "") << "only over TLS";
        EXPECT_FALSE(answer.headers.get("Cache-Control").empty()) << path;
    }
    EXPECT_EQ(visitor.get("/api/v1/me").headers.get("Cache-Control"), "no-store");
}

TEST_F(SecurityApi, OnAPlainNetworkPagesAreNotToldToIsolateThemselves) {
    Visitor visitor(*this);
    visitor.check_schema = false;
    visitor.extra.set("Host", "192.168.7.7:" + std::to_string(port_));
    for (const char* path : {"/", "/api/v1/me", "/missing.js", "/healthz"}) {
        const Answer answer = visitor.get(path);
        // Browsers would only complain about them where the page did not come safely.
        EXPECT_EQ(answer.headers.get("Cross-Origin-Opener-Policy"), "") << path;
        EXPECT_EQ(answer.headers.get("Cross-Origin-Embedder-Policy"), "") << path;
        EXPECT_EQ(answer.headers.get("Cross-Origin-Resource-Policy"), "same-origin") << path;
    }
}

TEST_F(SecurityApi, UnknownHostNamesAreRefused) {
    Visitor visitor(*this);
    visitor.check_schema = false;
    visitor.extra.set("Host", "evil.example");
    EXPECT_EQ(visitor.get("/api/v1/me").status, 421);
    visitor.extra.set("Host", "127.0.0.1:" + std::to_string(port_));
    EXPECT_EQ(visitor.get("/api/v1/me").status, 200);
}

TEST(SecurityHosts, AddressesAndOwnNamesOnly) {
    const Security security({"chess.example.org"});
    for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:80", "[::1]:8080",
                             "192.168.1.7", "chess.example.org", "Chess.Example.Org:443"})
        EXPECT_TRUE(security.known_host(host)) << host;
    for (const char* host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                             "chess.example.org.evil.example", "[::1", "1.2.3"})
        EXPECT_FALSE(security.known_host(host)) << host;
}

TEST_F(SecurityApi, ForgedRequestsOfOtherSitesAreRefused) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"computer","color":"white"})");
    Visitor forged(*this);
    forged.cookie = ana.cookie;
    forged.with_origin = false;
    EXPECT_EQ(forged.post("/api/v1/games/" + id + "/resign").status, 403) << "cookie, no origin";
    forged.extra.set("Origin", "https://evil.example");
    EXPECT_EQ(forged.post("/api/v1/games/" + id + "/resign").status, 403);
    forged.extra = {};
    forged.extra.set("Sec-Fetch-Site", "cross-site");
    EXPECT_EQ(forged.post("/api/v1/games/" + id + "/resign").status, 403);
    forged.extra.set("Sec-Fetch-Site", "same-site");
    EXPECT_EQ(forged.post("/api/v1/games/" + id + "/resign").status, 403);
    EXPECT_EQ(ana.get("/api/v1/games/" + id).text("/status"), "playing");
    forged.extra.set("Sec-Fetch-Site", "same-origin");
    EXPECT_EQ(forged.post("/api/v1/games/" + id + "/resign").status, 200);
}

TEST_F(SecurityApi, OnlyJsonIsTakenAndReadingNeverChanges) {
    Visitor ana(*this);
    ana.extra.set("Content-Type", "text/plain");
    EXPECT_EQ(ana.post("/api/v1/games", R"({"opponent":"computer"})").status, 415);
    ana.extra = {};
    ana.check_schema = false;
    EXPECT_EQ(ana.get("/api/v1/logout").status, 405);
    const std::string id = ana.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(ana.get("/api/v1/games/" + id + "/resign").status, 405);
}

TEST_F(SecurityApi, PagesOfOtherSitesMayAskWithATokenAndNeverWithACookie) {
    Visitor page(*this);
    page.with_origin = false;
    page.check_schema = false;
    page.extra.set("Origin", "https://elsewhere.example");
    page.extra.set("Access-Control-Request-Method", "PUT");
    page.extra.set("Access-Control-Request-Headers", "Authorization,content-type");
    for (const char* path : {"/api/v1/games", "/api/v1/games/aB3dE5gH7j/moves/1", "/api/account"}) {
        const Answer asked = page.send(net::Method::kOptions, path, "");
        EXPECT_EQ(asked.status, 204) << path;
        EXPECT_EQ(asked.headers.get("Access-Control-Allow-Origin"), "*") << path;
        EXPECT_EQ(asked.headers.get("Access-Control-Allow-Headers"),
                  "authorization, content-type, idempotency-key, last-event-id");
        EXPECT_NE(asked.headers.get("Access-Control-Allow-Methods").find("PUT"),
                  std::string_view::npos);
        EXPECT_TRUE(asked.headers.get("Access-Control-Allow-Credentials").empty());
    }
    page.extra.set("Access-Control-Request-Headers", "content-type");
    const Answer forged = page.send(net::Method::kOptions, "/api/v1/games", "");
    EXPECT_TRUE(forged.headers.get("Access-Control-Allow-Origin").empty())
        << "without a token there is nothing for other sites";
}

TEST_F(SecurityApi, LiveSocketsNeedTheRightOrigin) {
    Visitor ana(*this);
    ana.new_game(R"({"opponent":"computer"})");
    EXPECT_TRUE(LiveClient(*this, ana).opened());
    Visitor foreign(*this);
    foreign.cookie = ana.cookie;
    foreign.with_origin = false;
    EXPECT_EQ(LiveClient(*this, foreign).refused(), 403) << "a cookie without an origin";
    foreign.extra.set("Origin", "https://evil.example");
    EXPECT_EQ(LiveClient(*this, foreign).refused(), 403);
    foreign.cookie.clear();
    EXPECT_EQ(LiveClient(*this, foreign).refused(), 403);
}

TEST_F(SecurityApi, LogoutClosesTheSocketsOfTheSession) {
    Visitor ana(*this);
    ana.post("/api/v1/register", R"({"username":"ana","password":"three blue doors"})");
    LiveClient socket(*this, ana);
    ASSERT_TRUE(socket.opened());
    ana.post("/api/v1/logout");
    EXPECT_EQ(socket.close_code(), 4001);
}

TEST_F(SecurityApi, BodiesHaveALimit) {
    Visitor ana(*this);
    ana.check_schema = false;
    EXPECT_EQ(ana.post("/api/v1/register", std::string(5000, ' ') + "{}").status, 413);
    EXPECT_EQ(ana.post("/api/v1/games", std::string(70'000, ' ') + "{}").status, 413);
}

TEST_F(SecurityApi, PathsOutsideTheClientAreNotThere) {
    Visitor visitor(*this);
    visitor.check_schema = false;
    for (const char* path : {"/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fx",
                             "/.git/config", "/rokada.db"}) {
        const int status = visitor.get(path).status;
        EXPECT_TRUE(status == 400 || status == 404) << path << " " << status;
    }
}

}  // namespace
}  // namespace rokada::server::test
