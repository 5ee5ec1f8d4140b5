// SPDX-License-Identifier: GPL-3.0-or-later
// Bots written for lichess play here by changing the address: the endpoints, events and errors they rely on.
#include "server/app/settings.hpp"
#include "tests/server/bot_client.hpp"

namespace rokada::server::test {
namespace {

class BotApi : public SiteTest {
  protected:
    std::string challenge(BotClient& from, const std::string& to, const std::string& form) {
        const Answer made = from.post("/api/challenge/" + to, form);
        EXPECT_EQ(made.status, 200) << made.body;
        return made.text("/id");
    }
    static std::string text(const net::json::value& line, std::string_view pointer) {
        boost::system::error_code error;
        const auto* found = line.find_pointer(pointer, error);
        return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
    }
};

TEST_F(BotApi, TwoBotsPlayAWholeGame) {
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    LineReader ada_events = ada.events(), bob_events = bob.events();
    ASSERT_EQ(ada_events.status(), 200);
    EXPECT_EQ(ada_events.header("Content-Type"), "application/x-ndjson");
    const std::string id =
        challenge(ada, "Bob-Bot", "clock.limit=180&clock.increment=2&color=white&rated=false");

    const auto challenged = bob_events.next_of("challenge");
    ASSERT_FALSE(challenged.is_null());
    EXPECT_EQ(text(challenged, "/challenge/id"), id);
    EXPECT_EQ(text(challenged, "/challenge/challenger/name"), "ada-bot");
    EXPECT_EQ(text(challenged, "/challenge/challenger/title"), "BOT");
    EXPECT_EQ(text(challenged, "/challenge/timeControl/show"), "3+2");
    EXPECT_EQ(text(challenged, "/challenge/speed"), "blitz");
    EXPECT_EQ(text(challenged, "/challenge/variant/key"), "standard");
    EXPECT_EQ(text(ada_events.next_of("challenge"), "/challenge/direction"), "out")
        << "one's own challenges arrive too";

    EXPECT_EQ(ada.post("/api/challenge/" + id + "/accept").status, 400) << "not one's own";
    EXPECT_EQ(bob.post("/api/challenge/" + id + "/accept").status, 200);
    EXPECT_EQ(text(ada_events.next_of("gameStart"), "/game/gameId"), id) << "the same id";
    const auto started = bob_events.next_of("gameStart");
    EXPECT_EQ(text(started, "/game/color"), "black");
    EXPECT_EQ(text(started, "/game/opponent/username"), "ada-bot");

    LineReader white = ada.game(id), black = bob.game(id);
    const auto full = white.next();
    EXPECT_EQ(text(full, "/type"), "gameFull") << "always the first line";
    EXPECT_EQ(text(full, "/initialFen"), "startpos");
    EXPECT_EQ(full.at("clock").at("initial").get_int64(), 180'000);
    EXPECT_EQ(text(full, "/state/moves"), "");
    EXPECT_EQ(text(full, "/white/id"), "ada-bot");
    EXPECT_EQ(text(black.next(), "/type"), "gameFull");

    EXPECT_EQ(bob.move(id, "e7e5").status, 400) << "not its turn";
    EXPECT_EQ(ada.move(id, "e2e5").status, 400) << "illegal";
    std::string moves;
    const char* game[] = {"f2f3", "e7e5", "g2g4", "d8h4"};
    for (int ply = 0; ply < 4; ++ply) {
        BotClient& mover = ply % 2 == 0 ? ada : bob;
        EXPECT_EQ(mover.move(id, game[ply]).status, 200);
        if (ply == 0) {
            EXPECT_EQ(mover.move(id, game[ply]).status, 200) << "sent again";
        }
        moves += (moves.empty() ? "" : " ") + std::string(game[ply]);
        EXPECT_EQ(text(white.next_of("gameState"), "/moves"), moves);
        EXPECT_EQ(text(black.next_of("gameState"), "/moves"), moves);
    }
    EXPECT_TRUE(white.ended()) << "the stream ends with the game";
    EXPECT_TRUE(black.ended());
    const auto finished = ada_events.next_of("gameFinish");
    EXPECT_EQ(text(finished, "/game/status/name"), "mate");
    EXPECT_EQ(text(finished, "/game/winner"), "black");
    EXPECT_EQ(ada.move(id, "a2a3").status, 400) << "over";
    EXPECT_EQ(ada.get("/game/export/" + id).body.find("[White \"ada-bot\"]") != std::string::npos,
              true);
    LineReader late = ada.game(id);
    EXPECT_EQ(text(late.next(), "/state/status"), "mate");
    EXPECT_TRUE(late.ended());
}

TEST_F(BotApi, StreamsBeginWithWhatIsOpenAndTheNewestOneCounts) {
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    const std::string waiting = challenge(ada, "bob-bot", "color=white");
    const std::string running = challenge(ada, "bob-bot", "color=black&clock.limit=60");
    EXPECT_EQ(bob.post("/api/challenge/" + running + "/accept").status, 200);
    LineReader first = bob.events();
    EXPECT_EQ(text(first.next_of("challenge"), "/challenge/id"), waiting);
    EXPECT_EQ(text(first.next_of("gameStart"), "/game/id"), running);
    EXPECT_EQ(bob.get("/api/account/playing").text("/nowPlaying/0/gameId"), running);
    EXPECT_EQ(bob.get("/api/challenge").text("/in/0/id"), waiting);
    LineReader second = bob.events();
    EXPECT_EQ(second.status(), 200);
    EXPECT_TRUE(first.ended()) << "one per token";
    EXPECT_EQ(bob.post("/api/challenge/" + waiting + "/decline", "reason=tooFast").status, 200);
    LineReader sender = ada.events();
    EXPECT_EQ(ada.get("/api/challenge").text("/out/0/id"), "");
    LineReader one = bob.game(running);
    EXPECT_EQ(text(one.next(), "/type"), "gameFull");
    LineReader two = bob.game(running);
    EXPECT_EQ(text(two.next(), "/type"), "gameFull");
    EXPECT_TRUE(one.ended());
}

TEST_F(BotApi, ChallengesAreDeclinedCancelledAndExpire) {
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    LineReader ada_events = ada.events(), bob_events = bob.events();
    const std::string first = challenge(ada, "bob-bot", "clock.limit=60");
    bob_events.next_of("challenge");
    ada_events.next_of("challenge");
    EXPECT_EQ(bob.post("/api/challenge/" + first + "/decline", "reason=tooFast").status, 200);
    EXPECT_EQ(text(ada_events.next_of("challengeDeclined"), "/challenge/declineReasonKey"),
              "toofast");
    EXPECT_EQ(bob.post("/api/challenge/" + first + "/accept").status, 400);
    const std::string second = challenge(ada, "bob-bot", "clock.limit=60");
    bob_events.next_of("challenge");
    EXPECT_EQ(bob.post("/api/challenge/" + second + "/cancel").status, 404) << "not its own";
    EXPECT_EQ(ada.post("/api/challenge/" + second + "/cancel").status, 200);
    EXPECT_EQ(text(bob_events.next_of("challengeCanceled"), "/challenge/id"), second);

    LineReader waiting = ada.open("/api/challenge/bob-bot", "clock.limit=60&keepAliveStream=true");
    const std::string third = text(waiting.next(), "/id");
    EXPECT_EQ(text(bob_events.next_of("challenge"), "/challenge/id"), third);
    EXPECT_EQ(bob.post("/api/challenge/" + third + "/accept").status, 200);
    EXPECT_EQ(text(waiting.next(), "/done"), "accepted");
    EXPECT_TRUE(waiting.ended());
    LineReader given_up = ada.open("/api/challenge/bob-bot", "clock.limit=60&keepAliveStream=true");
    const std::string fourth = text(given_up.next(), "/id");
    bob_events.next_of("challenge");
    given_up.cancel();
    EXPECT_EQ(text(bob_events.next_of("challengeCanceled"), "/challenge/id"), fourth)
        << "closing the stream withdraws";
}

TEST_F(BotApi, OffersEndingsAndChat) {
    ServerSettings talking;
    talking.chat = true;
    site_->settings().set(talking);
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    const auto play = [&] {
        const std::string id = challenge(ada, "bob-bot", "color=white&clock.limit=600");
        EXPECT_EQ(bob.post("/api/challenge/" + id + "/accept").status, 200);
        return id;
    };
    const std::string id = play();
    const std::string path = "/api/bot/game/" + id;
    LineReader stream = bob.game(id);
    stream.next();
    EXPECT_EQ(ada.post(path + "/chat", "room=player&text=Hello+%C8%99ah").status, 200);
    const auto line = stream.next_of("chatLine");
    EXPECT_EQ(text(line, "/text"), "Hello șah");
    EXPECT_EQ(text(line, "/username"), "ada-bot");
    EXPECT_EQ(ada.post(path + "/chat", "room=spectator&text=hi").status, 400);
    EXPECT_EQ(ada.post(path + "/chat", "room=player&text=" + std::string(141, 'a')).status, 400);
    EXPECT_EQ(bob.get(path + "/chat").text("/0/user"), "ada-bot");
    ada.move(id, "e2e4");
    bob.move(id, "e7e5");
    EXPECT_EQ(ada.post(path + "/takeback/yes").status, 200);
    EXPECT_TRUE(stream.next_of("gameState").is_object());
    EXPECT_EQ(bob.post(path + "/takeback/yes").status, 200);
    std::string moves;
    bool shorter = false;
    for (int i = 0; i < 4 && !shorter; ++i) {
        const auto state = stream.next_of("gameState");
        shorter = text(state, "/moves").empty();
    }
    EXPECT_TRUE(shorter) << "moves gets shorter";
    ada.move(id, "d2d4");
    bob.move(id, "d7d5");
    EXPECT_EQ(ada.post(path + "/draw/maybe").status, 400);
    EXPECT_EQ(ada.post(path + "/move/c2c4?offeringDraw=true").status, 200);
    net::json::value offered;
    do offered = stream.next_of("gameState");
    while (!offered.is_null() && !offered.get_object().contains("wdraw"));
    EXPECT_FALSE(offered.is_null());
    EXPECT_EQ(bob.post(path + "/draw/yes").status, 200);
    net::json::value last;
    for (auto next = stream.next_of("gameState"); !next.is_null();
         next = stream.next_of("gameState"))
        last = next;
    EXPECT_EQ(text(last, "/status"), "draw");

    const std::string aborted = play();
    EXPECT_EQ(bob.post("/api/bot/game/" + aborted + "/abort").status, 200);
    const std::string resigned = play();
    EXPECT_EQ(bob.post("/api/bot/game/" + resigned + "/claim-victory").status, 400);
    EXPECT_EQ(bob.post("/api/bot/game/" + resigned + "/resign").status, 200);
    BotClient eve(*this, client_, "eve-bot");
    EXPECT_EQ(eve.post("/api/bot/game/" + resigned + "/resign").status, 404);
    EXPECT_EQ(eve.game(resigned).status(), 404);
}

TEST_F(BotApi, AnOpponentWhoIsGoneIsAnnounced) {
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    const std::string id = challenge(ada, "bob-bot", "color=white&clock.limit=600");
    bob.post("/api/challenge/" + id + "/accept");
    LineReader white = ada.game(id);
    auto black = std::make_unique<LineReader>(bob.game(id));
    white.next();
    black->next();
    ada.move(id, "e2e4");
    bob.move(id, "e7e5");
    black->cancel();
    const auto gone = white.next_of("opponentGone");
    ASSERT_FALSE(gone.is_null());
    EXPECT_TRUE(gone.at("gone").get_bool());
    EXPECT_GT(gone.at("claimWinInSeconds").get_int64(), 10);
    LineReader back = bob.game(id);
    const auto here = white.next_of("opponentGone");
    ASSERT_FALSE(here.is_null());
    EXPECT_FALSE(here.at("gone").get_bool());
}

TEST_F(BotApi, AccountsTokensAndScopes) {
    BotClient bot(*this, client_, "ada-bot");
    EXPECT_EQ(bot.get("/api/account").text("/title"), "BOT");
    EXPECT_EQ(bot.get("/api/user/ada-bot").text("/id"), "ada-bot");
    EXPECT_EQ(bot.get("/api/user/nobody-here").status, 404);
    Visitor nobody(*this);
    EXPECT_EQ(nobody.get("/api/account").status, 401);
    nobody.extra.set("Authorization", "Bearer rok_wrong");
    EXPECT_EQ(nobody.get("/api/stream/event").status, 401);
    const Answer tested = bot.post("/api/token/test", bot.token() + ",rok_other");
    EXPECT_EQ(tested.text("/" + bot.token() + "/userId"), "ada-bot");
    EXPECT_EQ(tested.text("/" + bot.token() + "/scopes"), "bot:play,play");

    BotClient person(*this, client_, "maria", false);
    EXPECT_EQ(person.get("/api/account").text("/title"), "");
    const std::string id = challenge(person, "ada-bot", "color=white");
    bot.post("/api/challenge/" + id + "/accept");
    EXPECT_EQ(person.move(id, "e2e4").status, 400) << "not a bot account";
    EXPECT_EQ(person.post("/api/bot/account/upgrade").status, 400) << "has played";
    BotClient reader(*this, client_, "reader", false, R"(["read"])");
    EXPECT_EQ(reader.post("/api/bot/account/upgrade").status, 403);
    EXPECT_EQ(reader.post("/api/challenge/ada-bot").status, 403);

    LineReader here = bot.events();
    here.status();
    EXPECT_NE(bot.get("/api/bot/online").body.find("ada-bot"), std::string::npos);
    EXPECT_EQ(bot.get("/api/users/status?ids=ada-bot,maria,nobody").text("/1/name"), "maria");
}

TEST_F(BotApi, ChallengeFormsAreChecked) {
    BotClient ada(*this, client_, "ada-bot"), bob(*this, client_, "bob-bot");
    EXPECT_EQ(ada.post("/api/challenge/ada-bot").status, 400);
    EXPECT_EQ(ada.post("/api/challenge/nobody-here").status, 404);
    EXPECT_EQ(ada.post("/api/challenge/bob-bot", "clock.limit=-3").status, 400);
    EXPECT_EQ(ada.post("/api/challenge/bob-bot", "clock.limit=x").status, 400);
    EXPECT_EQ(ada.post("/api/challenge/bob-bot", "variant=atomic").status, 400);
    EXPECT_EQ(ada.post("/api/challenge/bob-bot", "fen=nonsense").status, 400);
    const Answer shuffled = ada.post("/api/challenge/bob-bot", "variant=chess960");
    EXPECT_EQ(shuffled.text("/variant/key"), "chess960");
    const Answer position =
        ada.post("/api/challenge/bob-bot", "fen=4k3%2F8%2F8%2F8%2F8%2F8%2F4P3%2F4K3+w+-+-+0+1");
    EXPECT_EQ(position.text("/variant/key"), "fromPosition");
    EXPECT_EQ(position.text("/timeControl/type"), "unlimited");
    const Answer computer = ada.post("/api/challenge/ai", "level=3&color=white&clock.limit=300");
    EXPECT_EQ(computer.status, 201);
    const std::string id = computer.text("/id");
    EXPECT_EQ(ada.move(id, "e2e4").status, 200);
    LineReader stream = ada.game(id);
    EXPECT_EQ(stream.next().at("black").at("aiLevel").get_int64(), 3);
}

}  // namespace
}  // namespace rokada::server::test
