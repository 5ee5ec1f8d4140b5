// SPDX-License-Identifier: GPL-3.0-or-later
// The computer of a limited level takes its time, but never so that it harms anybody.
#include <thread>

#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;

class Pace : public SiteTest {
  protected:
    Pace() {
        options_.human_pace = true;
        start();
    }
    // Milliseconds from my first move to the computer's.
    static long wait_for_reply(Visitor& visitor, const std::string& id) {
        const auto begun = net::Clock::now();
        visitor.move(id, 1, "e2e4");
        visitor.await_ply(id, 2);
        return std::chrono::duration_cast<net::Milliseconds>(net::Clock::now() - begun).count();
    }
};

TEST_F(Pace, ALimitedLevelThinksForAMomentWithoutAClock) {
    Visitor ana(*this);
    const std::string id =
        ana.new_game(R"({"opponent":"computer","level":"Easy","color":"white"})");
    ana.move(id, 1, "e2e4");
    EXPECT_EQ(ana.get("/api/v1/games/" + id).number("/ply"), 1) << "not at once";
    const auto begun = net::Clock::now();
    ana.await_ply(id, 2);
    EXPECT_LT(net::Clock::now() - begun, 1500ms) << "about a second at most";
}

TEST_F(Pace, FullStrengthIsNotHeldBack) {
    Visitor ana(*this);
    const std::string id =
        ana.new_game(R"({"opponent":"computer","level":"Full","color":"white","clock":"60+0"})");
    const std::string slow =
        ana.new_game(R"({"opponent":"computer","level":"Easy","color":"white","clock":"60+0"})");
    ana.move(slow, 1, "e2e4");
    wait_for_reply(ana, id);
    EXPECT_EQ(ana.get("/api/v1/games/" + slow).number("/ply"), 1)
        << "with an hour on the clock a person would still be thinking";
}

TEST_F(Pace, ResigningOrTakingBackDuringTheWaitEndsIt) {
    Visitor ana(*this);
    const char* hour = R"({"opponent":"computer","level":"Easy","color":"white","clock":"60+60"})";
    const std::string resigned = ana.new_game(hour), regretted = ana.new_game(hour);
    ana.move(resigned, 1, "e2e4");
    ana.move(regretted, 1, "e2e4");
    const Answer over = ana.post("/api/v1/games/" + resigned + "/resign");
    EXPECT_EQ(over.text("/status"), "finished");
    const Answer back = ana.post("/api/v1/games/" + regretted + "/takeback");
    EXPECT_EQ(back.status, 200);
    EXPECT_EQ(back.number("/ply"), 0);
    EXPECT_EQ(ana.move(regretted, 1, "d2d4").status, 200);
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(ana.get("/api/v1/games/" + resigned).number("/ply"), 1)
        << "it does not move any more";
    EXPECT_LE(ana.get("/api/v1/games/" + regretted).number("/ply"), 2);
}

TEST_F(Pace, AComputerInTimeTroubleAnswersAtOnce) {
    Visitor ana(*this);
    const std::string id = ana.new_game(
        R"({"opponent":"computer","level":"Easy","color":"white","clock":{"initial":60,"increment":0,"black":{"initial":2}}})");
    EXPECT_LT(wait_for_reply(ana, id), 700);
    ana.move(id, 3, "d2d4");
    ana.await_ply(id, 4);
    const Answer game = ana.get("/api/v1/games/" + id);
    EXPECT_EQ(game.text("/status"), "playing");
    EXPECT_GT(game.number("/clocks/black_ms"), 500);
}

}  // namespace
}  // namespace rokada::server::test
