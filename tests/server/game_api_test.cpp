// SPDX-License-Identifier: GPL-3.0-or-later
// Games over HTTP: against the computer, between people, on one device; lists; the engine service.
#include <gmock/gmock.h>

#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

class GameApi : public SiteTest {};

TEST_F(GameApi, AGameAgainstTheComputer) {
    Visitor ana(*this);
    const std::string id =
        ana.new_game(R"({"opponent":"computer","level":"Easy","color":"white"})");
    const Answer moved = ana.move(id, 1, "e2e4");
    EXPECT_EQ(moved.status, 200);
    EXPECT_EQ(moved.number("/ply"), 1);
    const Answer after = ana.await_ply(id, 2);
    EXPECT_EQ(after.number("/ply"), 2);
    EXPECT_EQ(after.text("/moves/1"), "a7a5") << "the scripted computer";
    EXPECT_EQ(after.text("/turn"), "white");
    EXPECT_EQ(after.text("/black/level"), "Easy");
    EXPECT_EQ(after.text("/san/0"), "e4");
}

TEST_F(GameApi, TheComputerBeginsWhenIAmBlack) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"computer","elo":1200,"color":"black"})");
    EXPECT_EQ(ana.await_ply(id, 1).text("/moves/0"), "a2a3");
    EXPECT_EQ(ana.get("/api/v1/games/" + id).number("/white/elo"), 1200);
}

TEST_F(GameApi, PutMoveIsIdempotentAndConflictsCarryTheTrueState) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    ana.await_ply(id, 2);
    const Answer other = ana.move(id, 1, "d2d4");
    EXPECT_EQ(other.status, 409);
    EXPECT_EQ(other.text("/game/moves/0"), "e2e4");
    EXPECT_EQ(ana.move(id, 5, "d2d4").status, 409);
    EXPECT_EQ(ana.move(id, 3, "e4e6").status, 422);
    EXPECT_EQ(ana.move(id, 0, "e4e6").status, 404);
    Visitor stranger(*this);
    EXPECT_EQ(stranger.move(id, 3, "d2d4").status, 403);
    EXPECT_EQ(ana.get("/api/v1/games/" + id).number("/ply"), 2);
}

TEST_F(GameApi, GamesGoOnAfterARestart) {
    Visitor ana(*this);
    picker_.silent = true;
    const std::string id = ana.new_game(R"({"opponent":"computer","color":"white"})");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    picker_.silent = false;
    start();
    const Answer after = ana.await_ply(id, 2);
    EXPECT_EQ(after.number("/ply"), 2) << "the computer is asked again";
    EXPECT_EQ(ana.move(id, 3, "d2d4").status, 200);
}

TEST_F(GameApi, TakeBackDrawResignAbortRematch) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"computer","color":"white"})");
    const std::string game = "/api/v1/games/" + id;
    ana.move(id, 1, "e2e4");
    ana.await_ply(id, 2);
    EXPECT_EQ(ana.post(game + "/takeback").number("/ply"), 0);
    ana.move(id, 1, "d2d4");
    ana.await_ply(id, 2);
    EXPECT_EQ(ana.post(game + "/draw").text("/status"), "playing") << "it thinks it is better";
    EXPECT_EQ(ana.post(game + "/abort").status, 409);
    EXPECT_EQ(ana.post(game + "/rematch").status, 409) << "still running";
    const Answer over = ana.post(game + "/resign");
    EXPECT_EQ(over.text("/result"), "0-1");
    EXPECT_EQ(over.text("/reason"), "resignation");
    EXPECT_EQ(ana.post(game + "/resign").status, 409);
    const std::string next = ana.post(game + "/rematch").text("/rematch");
    ASSERT_FALSE(next.empty());
    const Answer rematch = ana.get("/api/v1/games/" + next);
    EXPECT_EQ(rematch.text("/seat"), "black") << "colours exchanged";
    EXPECT_EQ(rematch.text("/rematch_of"), id);
    EXPECT_EQ(ana.post(game + "/rematch").text("/rematch"), next) << "one rematch only";
    EXPECT_EQ(ana.post("/api/v1/games/" + next + "/abort").text("/status"), "aborted");
}

TEST_F(GameApi, HelpIsRememberedWithTheGame) {
    Visitor ana(*this), ben(*this);
    const auto assisted = [](const Answer& answer) { return answer.json.at("assisted").as_bool(); };
    const std::string hinted = ana.new_game(R"({"opponent":"computer","color":"white"})");
    const std::string game = "/api/v1/games/" + hinted;
    EXPECT_FALSE(assisted(ana.get(game)));
    EXPECT_EQ(ben.post(game + "/assisted").status, 403) << "only a player can have help";
    const Answer marked = ana.post(game + "/assisted");
    EXPECT_TRUE(assisted(marked));
    EXPECT_EQ(ana.post(game + "/assisted").number("/version"), marked.number("/version"))
        << "once is enough";
    ana.post(game + "/resign");
    EXPECT_EQ(ana.post(game + "/assisted").status, 409) << "too late to have helped";

    const std::string regretted = ana.new_game(R"({"opponent":"computer","color":"white"})");
    ana.move(regretted, 1, "e2e4");
    ana.await_ply(regretted, 2);
    EXPECT_TRUE(assisted(ana.post("/api/v1/games/" + regretted + "/takeback")));

    const std::string between = ana.new_game(R"({"opponent":"link","color":"white"})");
    ben.post("/api/v1/games/" + between + "/join");
    EXPECT_EQ(ana.post("/api/v1/games/" + between + "/assisted").status, 409);

    const Answer upload = ana.put(
        "/api/v1/uploads/assisted-1",
        R"({"opponent":"page","level":"Easy","color":"white","moves":["e2e4"],"assisted":true})");
    EXPECT_EQ(upload.status, 201);
    EXPECT_TRUE(assisted(upload));

    stop();
    start();
    EXPECT_TRUE(assisted(ana.get(game)));
    int helped = 0;
    const Answer list = ana.get("/api/v1/games?scope=mine");
    for (const auto& row : list.json.at("games").as_array())
        helped += row.at("assisted").as_bool() ? 1 : 0;
    EXPECT_EQ(helped, 3);
}

TEST_F(GameApi, AnInvitationIsSeenByAllAndTakenByOne) {
    Visitor ana(*this), ben(*this), cid(*this);
    const std::string id = ana.new_game(R"({"opponent":"link","color":"white","clock":"5+3"})");
    EXPECT_EQ(ana.get("/api/v1/games/" + id).text("/status"), "waiting");
    const Answer seen = ben.get("/api/v1/games/" + id);
    EXPECT_EQ(seen.text("/black/kind"), "open");
    EXPECT_TRUE(ben.cookie.empty()) << "a link preview takes no seat and makes no guest";
    EXPECT_EQ(ben.post("/api/v1/games/" + id + "/join").text("/seat"), "black");
    EXPECT_EQ(cid.post("/api/v1/games/" + id + "/join").status, 409);
    EXPECT_EQ(ana.post("/api/v1/games/" + id + "/join").text("/seat"), "white");
    EXPECT_EQ(ana.move(id, 1, "e2e4").status, 200);
    EXPECT_EQ(ana.move(id, 2, "e7e5").status, 409);
    EXPECT_EQ(ben.move(id, 2, "e7e5").status, 200);
    EXPECT_EQ(cid.get("/api/v1/games/" + id).text("/seat"), "");
    EXPECT_EQ(cid.post("/api/v1/games/" + id + "/resign").status, 403);
}

TEST_F(GameApi, TwoOnOneDevice) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device"})");
    EXPECT_EQ(ana.get("/api/v1/games/" + id).text("/seat"), "both");
    for (const auto& [ply, uci] : {std::pair{1, "f2f3"}, {2, "e7e5"}, {3, "g2g4"}})
        EXPECT_EQ(ana.move(id, ply, uci).status, 200);
    EXPECT_EQ(ana.post("/api/v1/games/" + id + "/takeback").number("/ply"), 2);
    ana.move(id, 3, "g2g4");
    const Answer mate = ana.move(id, 4, "d8h4");
    EXPECT_EQ(mate.text("/result"), "0-1");
    EXPECT_EQ(mate.text("/reason"), "checkmate");
}

TEST_F(GameApi, StartPositionsClocksAndChess960) {
    Visitor ana(*this);
    const std::string ending = ana.new_game(
        R"({"opponent":"device","fen":"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1","clock":{"initial":60,"increment":1,"mode":"delay","black":{"initial":30}}})");
    const Answer read = ana.get("/api/v1/games/" + ending);
    EXPECT_EQ(read.number("/clocks/black_ms"), 30'000);
    EXPECT_EQ(read.text("/clock/mode"), "delay");
    const std::string random =
        ana.new_game(R"({"opponent":"computer","chess960":0,"color":"white"})");
    EXPECT_EQ(ana.get("/api/v1/games/" + random).text("/initial_fen").rfind("bbqnnrkr", 0), 0u);
    for (const char* bad :
         {R"({"opponent":"nobody"})", R"({})", R"({"opponent":"computer","elo":99999})",
          R"({"opponent":"computer","fen":"hello"})", R"({"opponent":"computer","clock":"soon"})",
          R"({"opponent":"computer","clock":{"initial":-1}})",
          R"({"opponent":"computer","wish":1})", R"({"opponent":"computer","level":"Godlike"})",
          R"({"opponent":"computer","fen":"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"})",
          R"({"opponent":"computer","chess960":960})"})
        EXPECT_EQ(ana.post("/api/v1/games", bad).status, 422) << bad;
    EXPECT_EQ(ana.post("/api/v1/games", "{").status, 400);
}

TEST_F(GameApi, ListsShowWhatTheReaderMaySee) {
    Visitor ana(*this), ben(*this);
    const std::string open = ana.new_game(R"({"opponent":"computer","color":"white"})");
    const std::string by_link = ana.new_game(R"({"opponent":"link"})");
    const std::string secret = ana.new_game(R"({"opponent":"computer","visibility":"private"})");
    const auto count = [](const Answer& answer) {
        return answer.json.at("games").get_array().size();
    };
    EXPECT_EQ(count(ben.get("/api/v1/games")), 1u);
    EXPECT_EQ(count(ana.get("/api/v1/games?scope=mine")), 3u);
    EXPECT_EQ(count(ana.get("/api/v1/games?scope=mine&state=finished")), 0u);
    EXPECT_EQ(count(ben.get("/api/v1/games?scope=mine")), 0u);
    EXPECT_EQ(ben.get("/api/v1/games/" + by_link).status, 200);
    EXPECT_EQ(ben.get("/api/v1/games/" + secret).status, 404);
    EXPECT_EQ(ben.get("/api/v1/games/0000000000").status, 404);
    const Answer page = ana.get("/api/v1/games?scope=mine&limit=2");
    EXPECT_EQ(count(page), 2u);
    EXPECT_EQ(count(ana.get("/api/v1/games?scope=mine&limit=2&after=" + page.text("/next"))), 1u);
    EXPECT_EQ(ana.get("/api/v1/games?limit=0").status, 422);
    EXPECT_EQ(ana.get("/api/v1/games?after=nonsense").status, 422);
    EXPECT_EQ(ana.get("/api/v1/games?scope=all").status, 422);
}

TEST_F(GameApi, PgnOfAGame) {
    Visitor ana(*this);
    const std::string id = ana.new_game(R"({"opponent":"device","clock":"5+3"})");
    ana.move(id, 1, "e2e4");
    ana.move(id, 2, "e7e5");
    const Answer pgn = ana.get("/api/v1/games/" + id + ".pgn");
    EXPECT_EQ(pgn.status, 200);
    EXPECT_NE(pgn.body.find("1. e4"), std::string::npos) << pgn.body;
    EXPECT_NE(pgn.body.find("[%clk 0:05:00"), std::string::npos) << pgn.body;
    EXPECT_NE(pgn.body.find("[Result \"*\"]"), std::string::npos);
    EXPECT_NE(pgn.body.find("[TimeControl \"300+3\"]"), std::string::npos);
}

TEST_F(GameApi, PgnSaysWhatTheClocksReallyWere) {
    Visitor ana(*this);
    const auto pgn = [&ana](const std::string& clock) {
        const std::string id = ana.new_game(R"({"opponent":"device","clock":)" + clock + "}");
        return ana.get("/api/v1/games/" + id + ".pgn").body;
    };
    using ::testing::HasSubstr;
    const std::string uneven =
        pgn(R"({"initial":300,"increment":3,"black":{"initial":60,"increment":1}})");
    EXPECT_THAT(uneven, HasSubstr("[TimeControl \"?\"]"));
    EXPECT_THAT(uneven, HasSubstr("[WhiteTimeControl \"300+3\"]"));
    EXPECT_THAT(uneven, HasSubstr("[BlackTimeControl \"60+1\"]"));
    const std::string delay = pgn(R"({"initial":300,"increment":5,"mode":"delay"})");
    EXPECT_THAT(delay, HasSubstr("[TimeControl \"300\"]")) << "nothing is added to the clock";
    EXPECT_THAT(delay, HasSubstr("[Delay \"simple 5\"]"));
    EXPECT_THAT(pgn(R"({"initial":300,"increment":5,"mode":"bronstein"})"),
                HasSubstr("[Delay \"bronstein 5\"]"));
    EXPECT_THAT(pgn("null"), HasSubstr("[TimeControl \"-\"]"));
}

TEST_F(GameApi, BestMoveAndPosition) {
    Visitor anyone(*this);
    EXPECT_EQ(anyone.get("/api/v1/bestmove").text("/bestmove"), "a2a3");
    EXPECT_EQ(anyone.get("/api/v1/bestmove?moves=e2e4&level=Easy").text("/bestmove"), "a7a5");
    const std::string mated = "/api/v1/bestmove?fen=7k/5KQ1/8/8/8/8/8/8%20b%20-%20-%200%201";
    EXPECT_TRUE(anyone.get(mated).json.at("bestmove").is_null());
    EXPECT_EQ(anyone.get("/api/v1/bestmove?fen=x").status, 422);
    EXPECT_EQ(anyone.get("/api/v1/bestmove?movetime=abc").status, 422);
    EXPECT_EQ(anyone.get("/api/v1/bestmove?elo=1").status, 422);
    EXPECT_EQ(anyone.get("/api/v1/bestmove?moves=e2e5").status, 422);
    const Answer position = anyone.get("/api/v1/position");
    EXPECT_EQ(position.json.at("legal").get_array().size(), 20u);
    EXPECT_EQ(position.headers.get("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(
        anyone.get("/api/v1/position?fen=7k/5KQ1/8/8/8/8/8/8%20b%20-%20-%200%201").text("/status"),
        "checkmate");
}

}  // namespace
}  // namespace rokada::server::test
