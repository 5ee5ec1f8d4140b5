// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/router.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace rokada::net {
namespace {

const Handler kNothing = [](const RequestPtr&, Responder) {};
const UpgradeHandler kNoUpgrade = [](const RequestPtr&, Upgrader) {};

std::string matched(const Router& router, Method method, std::string_view path,
                    bool upgrade = false) {
    const Router::Match match = router.match(method, path, upgrade);
    if (!match.route) return match.path_known ? "known" : "none";
    std::string text = match.route->pattern;
    for (const auto& [name, value] : match.params) text += " " + name + "=" + value;
    return text;
}

TEST(Router, FindsLiteralsBeforeParametersBeforeTheRest) {
    Router router;
    for (const char* pattern :
         {"/", "/games", "/games/mine", "/games/{id}", "/games/{id}.pgn", "/games/{id}/moves/{ply}",
          "/games/mine/{list}", "/assets/{rest...}"})
        router.get(pattern, kNothing);
    EXPECT_EQ(matched(router, Method::kGet, "/"), "/");
    EXPECT_EQ(matched(router, Method::kGet, "/games"), "/games");
    EXPECT_EQ(matched(router, Method::kGet, "/games/mine"), "/games/mine");
    EXPECT_EQ(matched(router, Method::kGet, "/games/abc"), "/games/{id} id=abc");
    EXPECT_EQ(matched(router, Method::kGet, "/games/abc.pgn"), "/games/{id}.pgn id=abc");
    EXPECT_EQ(matched(router, Method::kGet, "/games/.pgn"), "/games/{id} id=.pgn");
    EXPECT_EQ(matched(router, Method::kGet, "/games/abc/moves/12"),
              "/games/{id}/moves/{ply} id=abc ply=12");
    // "mine" begins a literal branch that does not lead to the end: the parameter gets its chance.
    EXPECT_EQ(matched(router, Method::kGet, "/games/mine/moves/3"),
              "/games/{id}/moves/{ply} id=mine ply=3");
    EXPECT_EQ(matched(router, Method::kGet, "/games/mine/open"), "/games/mine/{list} list=open");
    EXPECT_EQ(matched(router, Method::kGet, "/assets/a/b.js"), "/assets/{rest...} rest=a/b.js");
    for (const char* path : {"/game", "/games/", "/games//moves/1", "/games/a/moves",
                             "/games/a/moves/1/2", "", "games"})
        EXPECT_EQ(matched(router, Method::kGet, path), "none") << path;
}

TEST(Router, TellsTheMethodsOfAPath) {
    Router router;
    router.get("/a", kNothing);
    router.post("/a", kNothing);
    router.del("/b/{x}", kNothing);
    EXPECT_EQ(matched(router, Method::kHead, "/a"), "/a");
    const Router::Match match = router.match(Method::kPut, "/a");
    EXPECT_TRUE(match.path_known);
    EXPECT_EQ(match.route, nullptr);
    EXPECT_EQ(match.allow,
              (std::vector<Method>{Method::kGet, Method::kHead, Method::kPost, Method::kOptions}));
    EXPECT_EQ(router.match(Method::kGet, "/b/1").allow,
              (std::vector<Method>{Method::kDelete, Method::kOptions}));
}

TEST(Router, KeepsWebSocketsApartFromPages) {
    Router router;
    router.websocket("/live", kNoUpgrade);
    router.get("/both", kNothing);
    router.websocket("/both", kNoUpgrade);
    EXPECT_TRUE(router.match(Method::kGet, "/live", true).route->upgrade);
    EXPECT_TRUE(router.match(Method::kGet, "/live").upgrade_required);
    EXPECT_TRUE(router.match(Method::kGet, "/both").route->handler);
    EXPECT_TRUE(router.match(Method::kGet, "/both", true).route->upgrade);
}

TEST(Router, RefusesPatternsThatContradict) {
    Router router;
    router.get("/a/{id}", kNothing);
    for (const char* pattern : {"", "a", "/a/{id}", "/a/{other}", "/a/{}", "/a/{x", "/a/x{id}",
                                "/a/{x...}/b", "/a/{x...}.js", "/{a}{b}"})
        EXPECT_THROW(router.get(pattern, kNothing), std::invalid_argument) << pattern;
    EXPECT_NO_THROW(router.post("/a/{id}", kNothing));
}

}  // namespace
}  // namespace rokada::net
