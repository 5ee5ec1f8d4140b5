// SPDX-License-Identifier: GPL-3.0-or-later
// Who is here, and stopping the server from its own page.
#include <atomic>
#include <thread>

#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

std::string account(const std::string& name) {
    return "{\"username\":\"" + name + "\",\"password\":\"horse battery staple\"}";
}

class Here : public SiteTest {
  protected:
    static std::string names(Visitor& visitor) {
        std::string all;
        const Answer answer = visitor.get("/api/v1/here");
        EXPECT_EQ(answer.status, 200);
        for (const auto& person : answer.json.at("people").as_array())
            all += std::string(person.at("username").as_string()) + " ";
        return all;
    }
    // Until the server has noticed that somebody came or went.
    static std::string names_until(Visitor& visitor, const std::string& wanted) {
        std::string seen;
        for (int i = 0; i < 100; ++i) {
            seen = names(visitor);
            if (seen == wanted) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return seen;
    }
};

TEST_F(Here, UsersSeeOthersWithAnOpenPage) {
    Visitor ana(*this), ben(*this), guest(*this), nobody(*this);
    ana.post("/api/v1/register", account("ana"));
    ben.post("/api/v1/register", account("ben"));
    guest.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(names(ana), "") << "ben has no page open";
    {
        LiveClient page(*this, ben), own(*this, ana);
        page.send(R"({"t":"games","on":true})");
        own.send(R"({"t":"games","on":true})");
        EXPECT_EQ(names_until(ana, "ben "), "ben ") << "others, not oneself";
        EXPECT_EQ(names_until(ben, "ana "), "ana ");
        EXPECT_EQ(names(guest), "") << "guests learn nothing about others";
        EXPECT_EQ(names(nobody), "");
        page.send(R"({"t":"games","on":false})");
        EXPECT_EQ(names_until(ana, ""), "");
        page.send(R"({"t":"games","on":true})");
        EXPECT_EQ(names_until(ana, "ben "), "ben ");
    }
    EXPECT_EQ(names_until(ana, ""), "") << "the page is closed";
}

TEST_F(Here, TheServerStopsOnlyWhereThatWasAllowed) {
    EXPECT_EQ(Visitor(*this).post("/api/v1/exit").status, 404) << "a server for others";
    std::atomic<int> stops{0};
    options_.exit = [&stops] { ++stops; };
    start();
    Visitor foreign(*this);
    foreign.with_origin = false;
    foreign.extra.set("Origin", "https://evil.example");
    EXPECT_EQ(foreign.post("/api/v1/exit").status, 403) << "a page of another site";
    foreign.extra.set("Origin", "null");
    EXPECT_EQ(foreign.post("/api/v1/exit").status, 403);
    Visitor reader(*this);
    reader.check_schema = false;
    EXPECT_EQ(reader.get("/api/v1/exit").status, 405);
    EXPECT_EQ(stops, 0);
    EXPECT_EQ(Visitor(*this).post("/api/v1/exit").status, 204);
    // The answer is on its way before it stops.
    for (int i = 0; i < 200 && stops == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(stops, 1);
}

TEST_F(Here, VisitorsOfOtherMachinesCannotStopIt) {
    std::atomic<int> stops{0};
    options_.exit = [&stops] { ++stops; };
    options_.trusted_proxies = {"127.0.0.1", "::1"};
    start();
    Visitor remote(*this);
    remote.extra.set("X-Forwarded-For", "203.0.113.7");
    EXPECT_EQ(remote.post("/api/v1/exit").status, 404);
    EXPECT_EQ(stops, 0);
}

}  // namespace
}  // namespace rokada::server::test
