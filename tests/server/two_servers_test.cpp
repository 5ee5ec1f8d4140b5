// SPDX-License-Identifier: GPL-3.0-or-later
// Two real servers on one PostgreSQL and one NATS, the players of a game at different ones: everything
// works as if there were one server, also while one of them is killed.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "server/api/parcel.hpp"
#include "server/app/nats_bus.hpp"
#include "server/store/games_table.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/store.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::size_t number(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<std::size_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

std::string code_of(const net::ClientResponse& response) {
    const auto json = net::parse_json(response.body, 64);
    const auto* code = json ? json->get_object().if_contains("code") : nullptr;
    return code != nullptr ? std::string(code->get_string()) : "";
}

std::int64_t clocks_of(const net::json::value& game) {
    return game.at("clocks").at("white_ms").to_number<std::int64_t>() +
           game.at("clocks").at("black_ms").to_number<std::int64_t>();
}

class TwoServers : public ::testing::Test {
  protected:
    void SetUp() override {
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr || !PrivateNats::installed())
            GTEST_SKIP() << "needs PostgreSQL and nats-server";
        nats_ = std::make_unique<PrivateNats>();
        database_ = postgres->fresh_url();
        {
            Store store(StoreOptions{folder_.path() / "setup", database_});
            store.write([](Session& session) { games_table::set_fact(session, "chat", "1"); });
        }
        for (const char* name : {"one", "two"}) servers_.push_back(server(name));
        ana_ = std::make_unique<Person>(client_, origin(0));
        ben_ = std::make_unique<Person>(client_, origin(1));
    }
    std::unique_ptr<ServerProcess> server(const std::string& name) {
        return std::make_unique<ServerProcess>(
            folder_.path() / name, std::vector<std::string>{"--db", database_, "--bus",
                                                            nats_->url(), "--node-name", name});
    }
    const std::string& origin(std::size_t at) const { return servers_[at]->origin(); }
    // Ana made it, so her server runs it; Ben sits at the other one.
    std::string begin(const std::string& clock = R"({"initial":600,"increment":0})") {
        std::string game = ana_->new_game(clock);
        EXPECT_EQ(ben_->act(game, "join").status, 200);
        return game;
    }
    Person& mover(std::size_t ply) { return ply % 2 == 1 ? *ana_ : *ben_; }
    void play(const std::string& game, std::size_t from, std::size_t to) {
        for (std::size_t ply = from; ply <= to; ++ply)
            ASSERT_EQ(mover(ply).move(game, ply, kMoves[ply - 1]), 200) << ply;
    }
    static std::vector<std::string> first(std::size_t plies) {
        return {kMoves.begin(), kMoves.begin() + static_cast<std::ptrdiff_t>(plies)};
    }

    TemporaryFolder folder_;
    std::unique_ptr<PrivateNats> nats_;
    std::string database_;
    std::vector<std::unique_ptr<ServerProcess>> servers_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
    std::unique_ptr<Person> ana_, ben_;
};

TEST_F(TwoServers, EverythingInAGameWorksFromEither) {
    const std::string game = begin();
    ASSERT_FALSE(game.empty());
    play(game, 1, 6);
    EXPECT_EQ(moves_of(ana_->look(game)), first(6));
    EXPECT_EQ(moves_of(ben_->look(game)), first(6));
    EXPECT_EQ(ben_->look(game).at("seat").get_string(), "black");

    EXPECT_EQ(ben_->move(game, 6, kMoves[5]), 200) << "sent again, answered again";
    EXPECT_EQ(code_of(ben_->send(net::Method::kPut, "/api/v1/games/" + game + "/moves/6",
                                 R"({"uci":"a7a5"})")),
              "wrong_ply");
    EXPECT_EQ(code_of(ben_->send(net::Method::kPut, "/api/v1/games/" + game + "/moves/7",
                                 R"({"uci":"b5a4"})")),
              "not_your_turn");
    Person stranger(client_, origin(1));
    EXPECT_EQ(stranger.move(game, 7, "b5a4"), 403);
    EXPECT_EQ(code_of(ben_->act("nowhere123", "resign")), "not_found");

    EXPECT_EQ(ben_->act(game, "chat", R"({"text":"good luck"})").status, 200);
    EXPECT_EQ(ben_->act(game, "draw", R"({"action":"offer"})").status, 200);
    EXPECT_EQ(ana_->act(game, "draw", R"({"action":"decline"})").status, 200);
    EXPECT_EQ(ben_->act(game, "takeback", R"({"action":"offer"})").status, 200);
    EXPECT_EQ(ana_->act(game, "takeback", R"({"action":"accept"})").status, 200);
    EXPECT_EQ(moves_of(ben_->look(game)), first(5));
    EXPECT_EQ(ben_->act(game, "resign").status, 200);
    for (Person* person : {ana_.get(), ben_.get()}) {
        EXPECT_EQ(person->look(game).at("status").get_string(), "finished");
        EXPECT_EQ(person->look(game).at("result").get_string(), "1-0");
    }
    EXPECT_EQ(ana_->act(game, "rematch", R"({"action":"offer"})").status, 200);
    EXPECT_EQ(ben_->act(game, "rematch", R"({"action":"accept"})").status, 200);
    const std::string next(ana_->look(game).at("rematch").get_string());
    EXPECT_EQ(ben_->move(next, 1, "e2e4"), 200) << "with White now, and still at the other server";
    EXPECT_EQ(ana_->move(next, 2, "e7e5"), 200);
}

TEST_F(TwoServers, LiveSocketsAtBothSeeEveryMoveAndEachOther) {
    const std::string game = begin();
    Person carla(client_, origin(0)), dan(client_, origin(1));
    Follower ana(client_, *ana_, game), ben(client_, *ben_, game);
    const Follower watcher_one(client_, carla, game), watcher_two(client_, dan, game);
    const auto everybody = {&std::as_const(ana), &std::as_const(ben), &watcher_one, &watcher_two};
    for (const Follower* one : everybody)
        EXPECT_TRUE(eventually([&] { return one->sees(true, true); }))
            << "each server knows of the players at the other";
    for (std::size_t ply = 1; ply <= kMoves.size(); ++ply) {
        Follower& mover = ply % 2 == 1 ? ana : ben;
        mover.move(ply, kMoves[ply - 1]);
        ASSERT_TRUE(eventually([&] { return !mover.answer_to(std::to_string(ply)).empty(); }));
        ASSERT_EQ(mover.answer_to(std::to_string(ply)), "ack");
        for (const Follower* one : everybody)
            ASSERT_TRUE(eventually([&] { return one->moves() == first(ply); })) << ply;
    }
    for (const Follower* one : everybody) EXPECT_EQ(one->complaint(), "");
    ben.move(13, "d7d6");
    EXPECT_TRUE(eventually([&] { return ben.answer_to("13") == "not_your_turn"; }));
    ben.say(R"({"t":"chat","game":")" + game + R"(","text":"hello","id":"c"})");
    EXPECT_TRUE(eventually([&] { return ana.last_chat() == "hello"; }));
    // A premove waits at the server that runs the game.
    ben.say(R"({"t":"premove","game":")" + game + R"(","ply":14,"uci":"d7d6","id":"p"})");
    ana.move(13, "a4b3");
    for (const Follower* one : everybody)
        EXPECT_TRUE(eventually([&] { return one->moves().size() == 14; }));
    ben.say(R"({"t":"leave","game":")" + game + "\"}");
    EXPECT_TRUE(eventually([&] { return ana.sees(true, false); })) << "and when they go";
}

TEST_F(TwoServers, WhoIsHereAndWhatChangesInTheListsIsKnownAtBoth) {
    for (const auto& [person, name] : {std::pair{ana_.get(), "ana"}, {ben_.get(), "ben"}})
        ASSERT_EQ(person
                      ->send(net::Method::kPost, "/api/v1/register",
                             std::string("{\"username\":\"") + name +
                                 "\",\"password\":\"horse battery staple\"}")
                      .status,
                  201);
    const auto sees_ben = [this] {
        const auto here = ana_->send(net::Method::kGet, "/api/v1/here");
        EXPECT_EQ(here.status, 200);
        return here.body.find("\"ben\"") != std::string::npos;
    };
    const std::string game = begin();
    // A server that has just come does not know yet who is at the others.
    EXPECT_TRUE(eventually([&] { return !sees_ben(); })) << "he has no page open";
    {
        Follower page(client_, *ben_, game);
        page.say(R"({"t":"games","on":true})");
        EXPECT_TRUE(eventually(sees_ben)) << "at the other server";
        play(game, 1, 2);
        EXPECT_TRUE(eventually([&] {
            const std::string heard = page.heard();
            return heard.find("\"t\":\"games\"") != std::string::npos &&
                   heard.find("\"last_move\":\"e7e5\"") != std::string::npos;
        })) << page.heard();
    }
    EXPECT_TRUE(eventually([&] { return !sees_ben(); })) << "the page is closed";
}

TEST_F(TwoServers, ServersOfTheVersionBeforeAndAfterAreAnsweredAsTheyExpect) {
    const std::string game = begin();
    std::string realm, owner;
    std::vector<std::string> players;
    {
        const auto session = open_postgres(database_);
        realm = *games_table::fact(*session, "realm");
        const auto row =
            session->select("SELECT owner, white_id, black_id FROM games WHERE id=$1", game);
        ASSERT_TRUE(row->next());
        owner = row->text(0);
        players = {row->text(2), row->text(1)};
    }
    NatsBus other(loops_.next(), {*net::parse_nats_urls(nats_->url()), realm, {}});
    ASSERT_TRUE(eventually([&] { return other.connected(); }));
    const auto ask = [&](std::size_t ply, const Parcel& more) {
        const std::string& uci = kMoves[ply - 1];
        const std::string number = std::to_string(ply);
        Parcel parcel{"live", "0", "0", "1", players[ply % 2], "0"};
        parcel.push_back(R"({"t":"move","game":")" + game + R"(","ply":)" + number + R"(,"uci":")" +
                         uci + R"(","id":"m"})");
        for (const std::string& part : Parcel{"move", game, number, uci, "0", "m"})
            parcel.push_back(part);
        parcel.insert(parcel.end(), more.begin(), more.end());
        std::promise<std::string> promise;
        other.ask("node:" + owner, pack(parcel), 1000,
                  [&promise](std::optional<std::string_view> answer) {
                      promise.set_value(std::string(answer.value_or("none")));
                  });
        return promise.get_future().get();
    };
    const auto acknowledged = [](const std::string& answer) {
        const auto parcel = unpack(answer);
        return parcel && parcel->size() == 2 && (*parcel)[0] == "said" &&
               (*parcel)[1].find(R"("t":"ack")") != std::string_view::npos;
    };
    EXPECT_TRUE(acknowledged(ask(1, {}))) << "the version before";
    EXPECT_TRUE(acknowledged(ask(2, {"", "more"}))) << "a later one";
    EXPECT_TRUE(acknowledged(ask(3, {"unheard of"})));
    EXPECT_EQ(ask(4, {"event"}), "none") << "it promised to listen, and does not";
    EXPECT_TRUE(acknowledged(ask(4, {}))) << "so it asks again";
    std::atomic<int> heard{0};
    const auto listening =
        other.subscribe(game, [&](const BusMessage& message) { heard += message.gap ? 0 : 1; });
    const std::string answer = ask(5, {"event"});
    const auto event = event_in_answer(answer);
    ASSERT_TRUE(event) << answer;
    EXPECT_NE(event->find(R"("kind":"move")"), std::string_view::npos) << answer;
    EXPECT_TRUE(eventually([&] { return heard == 1; }));
    EXPECT_TRUE(acknowledged(ask(5, {"event"}))) << "sent again there is no event";
    EXPECT_EQ(moves_of(ben_->look(game)), first(5));
}

TEST_F(TwoServers, AMoveThatWaitsForNatsCostsOnlyWhatWasThought) {
    const std::string game = begin();
    Follower ben(client_, *ben_, game);
    play(game, 1, 3);
    std::size_t ply = 3;
    for (const bool by_socket : {false, true}) {
        const auto before = clocks_of(ana_->look(game));
        nats_->kill(0);
        const auto begun = Clock::now();
        ++ply;
        std::thread mover([&] {
            if (by_socket) {
                ben.move(ply, kMoves[ply - 1]);
                const std::string id = std::to_string(ply);
                EXPECT_TRUE(eventually([&] { return ben.answer_to(id) == "ack"; }));
            } else {
                EXPECT_EQ(ben_->move(game, ply, kMoves[ply - 1]), 200);
            }
        });
        std::this_thread::sleep_for(3s);
        nats_->start(0);
        mover.join();
        EXPECT_GT(Clock::now() - begun, 2s) << "it waited";
        const auto charged = before - clocks_of(ana_->look(game));
        EXPECT_LE(charged, 2'000) << (by_socket ? "by socket" : "by HTTP");
        ++ply;
        EXPECT_EQ(ana_->move(game, ply, kMoves[ply - 1]), 200);
    }
}

TEST_F(TwoServers, AServerThatStopsInGoodOrderHandsTheClocksOn) {
    const std::string game = begin();
    play(game, 1, 2);
    ana_->origin = origin(1);
    const auto begun = Clock::now();
    const auto before = clocks_of(ana_->look(game));
    std::this_thread::sleep_for(3s);  // Ana thinks
    EXPECT_EQ(servers_[0]->stop(), 0);
    ASSERT_EQ(ana_->move(game, 3, kMoves[2]), 200);
    const auto charged = before - clocks_of(ana_->look(game));
    const auto all = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
    // The way of her move to the next server, when the last one does not answer any more, is not hers.
    EXPECT_GE(charged, 2'500) << "what she thought is";
    EXPECT_LE(charged, all.count());
}

TEST_F(TwoServers, WhoGuessesPasswordsIsStoppedAtBoth) {
    // Twenty for one account; each of them alone would allow as many again.
    int tried = 0;
    for (int status = 0; status != 429 && tried < 40; ++tried) {
        Person& guesser = tried % 2 == 0 ? *ana_ : *ben_;
        status = guesser
                     .send(net::Method::kPost, "/api/v1/login",
                           R"({"username":"somebody","password":"not the right one"})")
                     .status;
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_GE(tried, 20);
    EXPECT_LE(tried, 26);
}

TEST_F(TwoServers, SwitchesThatAreChangedAnywhereHoldAtBoth) {
    const std::string game = begin();
    ASSERT_EQ(ana_->act(game, "chat", R"({"text":"hello"})").status, 200);
    games_table::set_fact(*open_postgres(database_), "chat", "0");  // as a third one would
    for (Person* person : {ana_.get(), ben_.get()})
        EXPECT_TRUE(eventually([&] {
            return code_of(person->act(game, "chat", R"({"text":"still there?"})")) == "chat_off";
        }));
}

TEST_F(TwoServers, WhoChattersIsStoppedAtBothAndALineCountsOnce) {
    const std::string game = begin();
    // Ten in twenty seconds for each player; each of the servers alone would allow as many again.
    int said = 0;
    for (; said < 30; ++said) {
        ben_->origin = origin(said % 2 == 0 ? 0 : 1);
        if (ben_->act(game, "chat", R"({"text":"hello"})").status == 429) break;
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_GE(said, 10) << "those that are passed on are counted where they came in";
    EXPECT_LE(said, 14);
    EXPECT_EQ(ana_->act(game, "chat", R"({"text":"hello"})").status, 200) << "not her fault";
}

TEST_F(TwoServers, AMoveForAServerThatDiedIsPlayedOnceByTheOther) {
    const std::string game = begin();
    Follower ben(client_, *ben_, game);
    play(game, 1, 7);
    const auto before = ben_->look(game);
    servers_[0]->kill();
    const auto killed = Clock::now();
    ASSERT_EQ(ben_->move(game, 8, kMoves[7]), 200) << "it waits for the other one to take over";
    EXPECT_LT(Clock::now() - killed, take_over_limit());
    const auto after = ben_->look(game);
    EXPECT_EQ(moves_of(after), first(8));
    EXPECT_GE(clocks_of(after), clocks_of(before) - 1500) << "nobody pays for it";
    EXPECT_LE(clocks_of(after), clocks_of(before) + 16'000) << "the last sign of life was earlier";
    ana_->origin = origin(1);
    play(game, 9, 10);
    servers_[0] = server("one");  // comes back, knows nothing and passes everything on
    ana_->origin = origin(0);
    play(game, 11, 12);
    EXPECT_TRUE(eventually([&] { return ben.moves() == first(12); })) << ben.heard();
    EXPECT_EQ(ben.complaint(), "");
}

TEST_F(TwoServers, AServerThatHangsIsAnsweredForAndCannotPlayTheMoveAgain) {
    const std::string game = begin();
    play(game, 1, 5);
    ::kill(servers_[0]->pid(), SIGSTOP);
    ::waitpid(servers_[0]->pid(), nullptr, WUNTRACED);
    const auto stopped = Clock::now();
    EXPECT_EQ(code_of(ben_->act(game, "takeback")), "unanswered")
        << "what must not happen twice is not tried twice";
    EXPECT_EQ(ben_->move(game, 6, kMoves[5]), 200);
    EXPECT_LT(Clock::now() - stopped, take_over_limit() + 3s);
    ana_->origin = origin(1);
    play(game, 7, 7);
    ::kill(servers_[0]->pid(), SIGCONT);  // now it hears both questions
    play(game, 8, 8);
    ana_->origin = origin(0);
    EXPECT_TRUE(eventually([&] { return ana_->move(game, 9, kMoves[8]) == 200; }));
    for (Person* person : {ana_.get(), ben_.get()})
        EXPECT_EQ(moves_of(person->look(game)), first(9));
}

TEST_F(TwoServers, NoAcknowledgedMoveIsLostWhileServersAreKilled) {
    const std::size_t games = number("ROKADA_CLUSTER_GAMES", 6);
    const std::size_t kills = number("ROKADA_CLUSTER_KILLS", 1);
    constexpr std::size_t kGamesEach = 10;  // of a pair of players: there are limits
    const auto pause = std::chrono::milliseconds(games <= 20 ? 40 : 400);
    const std::size_t plies = games <= 20 ? 40 * kills + 20 : 60 * kills;

    std::vector<std::unique_ptr<CrowdedGame>> crowd;
    for (std::size_t i = 0; i < games; ++i) {
        if (i % kGamesEach == 0) {
            ana_ = std::make_unique<Person>(client_, origin(i / kGamesEach % 2));
            ben_ = std::make_unique<Person>(client_, origin(1 - i / kGamesEach % 2));
        }
        if (i % 2 == 1) std::swap(ana_, ben_);
        const std::string game = begin(R"({"initial":3600,"increment":0})");
        ASSERT_FALSE(game.empty());
        crowd.push_back(std::make_unique<CrowdedGame>(client_, *ana_, *ben_, game));
    }
    std::mutex mutex;
    std::vector<std::string> alive{origin(0), origin(1)};
    const auto where = [&](const std::string& dead) {
        const std::lock_guard lock(mutex);
        for (const std::string& server : alive)
            if (server != dead) return server;
        return dead;
    };
    std::vector<std::thread> threads;
    std::atomic<std::size_t> running{games};
    for (std::size_t i = 0; i < games; ++i)
        threads.emplace_back([&, i] {
            CrowdedGame::Plan plan;
            plan.seed = static_cast<unsigned>(i);
            plan.pause = pause;
            plan.where = where;
            plan.enough = [plies](std::size_t played) { return played >= plies; };
            crowd[i]->play(plan);
            --running;
        });
    std::size_t killed = 0;
    for (std::size_t kill = 0; kill < kills; ++kill) {
        std::this_thread::sleep_for(games <= 20 ? 1500ms : 15'000ms);
        if (running == 0) break;
        const std::size_t victim = kill % 2;
        servers_[victim]->kill();
        ++killed;
        std::this_thread::sleep_for(2s);
        auto back = server(victim == 0 ? "one" : "two");
        const std::lock_guard lock(mutex);
        alive[victim] = back->origin();
        servers_[victim] = std::move(back);
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(killed, kills) << "the games were over too soon to show anything";
    // Somebody who only watches notices that the line is dead, too, if later than one who moves.
    for (const auto& game : crowd) game->reconnect(alive);
    std::size_t moves = 0;
    for (const auto& game : crowd) {
        game->check(alive);
        moves += game->acknowledged().size();
    }
    RecordProperty("moves", static_cast<int>(moves));
    std::printf("             %zu games, %zu moves, %zu servers killed\n", games, moves, killed);
}

}  // namespace
}  // namespace rokada::server::test
