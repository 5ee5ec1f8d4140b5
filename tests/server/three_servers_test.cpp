// SPDX-License-Identifier: GPL-3.0-or-later
// Three servers behind haproxy on one PostgreSQL and a NATS cluster of three, and two workers, with games
// and analyses going on while each part of it in turn is killed, stopped, cut off or started again. `make
// test-cluster` runs it, `make test-long` with more games; it prints what it measured.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "server/app/time_source.hpp"
#include "server/store/cluster_table.hpp"
#include "server/store/games_table.hpp"
#include "server/store/jobs_table.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/store.hpp"
#include "tests/server/bot_client.hpp"
#include "tests/server/cable.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/loopback.hpp"
#include "tests/server/private_front.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kNames[] = {"one", "two", "three"};
constexpr std::size_t kNobody = 3;
constexpr const char* kCalm = "calm";
constexpr Millis kInitial = 3'600'000;
// What may be charged beyond the time a player thought: the way to the server on busy processors; after a
// take-over also the time until a client has found another server.
constexpr Millis kBeyondThought = 1500;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

class ThreeServers : public ::testing::Test {
  protected:
    void SetUp() override {
        const char* games = std::getenv("ROKADA_CLUSTER_GAMES");
        if (games == nullptr) GTEST_SKIP() << "takes minutes: make test-cluster";
        games_ = static_cast<std::size_t>(std::strtoul(games, nullptr, 10));
        postgres_ = PrivatePostgres::get();
        if (postgres_ == nullptr || !PrivateNats::installed() || !PrivateFront::installed())
            GTEST_FAIL() << "needs PostgreSQL, nats-server and haproxy";
        nats_ = std::make_unique<PrivateNats>(3);
        database_ = postgres_->fresh_url();
        {
            const Store store(StoreOptions{folder_.path() / "setup", database_});
        }
        for (std::size_t i = 0; i < 3; ++i) {
            ports_.push_back(free_port());
            servers_.push_back(nullptr);
            to_postgres_.push_back(std::make_unique<Cable>(postgres_->socket()));
            // Each has a NATS server that it tries first.
            for (std::size_t j = 0; j < 3; ++j)
                to_nats_[i].push_back(std::make_unique<Cable>(nats_->port((i + j) % 3)));
            start(i);
            origins_.push_back(servers_[i]->origin());
        }
        for (const char* name : {"first", "second"}) workers_.push_back(worker(name));
        front_ = std::make_unique<PrivateFront>(ports_);
        // Each hears both others, and haproxy knows all of them.
        const auto session = open_postgres(database_);
        ASSERT_TRUE(eventually([&session] {
            const auto all = cluster_table::living_peers(*session, "");
            return std::all_of(all.begin(), all.end(),
                               [](const cluster_table::Peer& peer) { return peer.hears >= 5; });
        }));
        std::this_thread::sleep_for(1s);
    }
    // A client that sends again by itself on another connection would hide that one gave no answer.
    static net::ClientOptions without_reuse() {
        net::ClientOptions options;
        options.idle_connections = 0;
        return options;
    }
    void TearDown() override {
        enough_ = true;
        for (std::vector<std::thread>* threads : {&players_, &analysts_})
            for (std::thread& thread : *threads)
                if (thread.joinable()) thread.join();
    }

    void start(std::size_t server) {
        std::string bus;
        for (const auto& cable : to_nats_[server])
            bus += (bus.empty() ? "" : ",") + std::string("nats://127.0.0.1:") +
                   std::to_string(cable->port());
        servers_[server] = std::make_unique<ServerProcess>(
            folder_.path() / kNames[server],
            std::vector<std::string>{"--db",
                                     postgres_->by_way_of(database_, to_postgres_[server]->port()),
                                     "--bus", bus, "--node-name", kNames[server], "--port",
                                     std::to_string(ports_[server]), "--trusted-proxy", "127.0.0.1",
                                     "--connections-per-address", "5000", "--engine-threads", "1"});
    }
    std::unique_ptr<WorkerProcess> worker(const std::string& name) {
        return std::make_unique<WorkerProcess>(std::vector<std::string>{
            "--db", database_, "--bus", nats_->url(), "--threads", "1", "--name", name});
    }
    bool ready(std::size_t server) {
        return Person(client_, origins_[server]).send(net::Method::kGet, "/readyz").status == 200;
    }

    // How long until the running games of this server, as it was up to now, are others'.
    Clock::duration take_over(std::size_t server, const std::string& id) {
        const auto begun = Clock::now();
        const auto session = open_postgres(database_);
        std::size_t left = cluster_table::owned_by(*session, id).size();
        taken_ = left;
        while (left > 0 && Clock::now() - begun < 30s) {
            std::this_thread::sleep_for(20ms);
            left = cluster_table::owned_by(*session, id).size();
        }
        EXPECT_EQ(left, 0u) << kNames[server];
        return Clock::now() - begun;
    }
    std::string node_id(std::size_t server) {
        const auto session = open_postgres(database_);
        for (const NodeRecord& node : cluster_table::nodes(*session))
            if (node.name == kNames[server] && node.alive) return node.id;
        ADD_FAILURE() << kNames[server] << " is not among the servers";
        return "";
    }

    // Two people for ten games each: there are limits.
    void seat_everybody() {
        std::unique_ptr<Person> ana, ben;
        for (std::size_t i = 0; i < games_; ++i) {
            if (i % 10 == 0) {
                ana = std::make_unique<Person>(client_, front_->origin());
                ben = std::make_unique<Person>(client_, front_->origin());
            }
            if (i % 2 == 1) std::swap(ana, ben);
            const std::string game = ana->new_game(
                "{\"initial\":" + std::to_string(kInitial / 1000) + ",\"increment\":0}");
            ASSERT_FALSE(game.empty());
            ASSERT_EQ(ben->act(game, "join").status, 200);
            crowd_.push_back(std::make_unique<CrowdedGame>(client_, *ana, *ben, game));
        }
    }
    void begin_games() {
        for (std::size_t i = 0; i < games_; ++i)
            players_.emplace_back([this, i] {
                CrowdedGame::Plan plan;
                plan.seed = static_cast<unsigned>(i);
                // About a hundred moves a second, but no game is over too soon.
                plan.pause = std::max(milliseconds(500), milliseconds(games_ * 10));
                plan.enough = [this](std::size_t) { return enough_.load(); };
                plan.took = [this](milliseconds time) {
                    const std::lock_guard lock(mutex_);
                    ++moves_;
                    longest_ = std::max(longest_, time);
                };
                plan.refused = [this](const std::string& answer) {
                    const std::lock_guard lock(mutex_);
                    refused_.push_back(answer);
                };
                crowd_[i]->play(plan);
                ++over_;
            });
    }

    // Somebody at each server who has positions analysed, one after the other.
    void begin_analyses() {
        for (std::size_t i = 0; i < 3; ++i)
            analysts_.emplace_back([this, i] {
                Person ana(client_, origins_[i]);
                while (!enough_) {
                    const std::size_t begun = hardships_[i];
                    const std::string trouble = analyse(ana);
                    analysed_ += trouble.empty() ? 1 : 0;
                    if (hardships_[i] == begun && begun % 2 == 0) {
                        EXPECT_EQ(trouble, "") << "an analysis without an end at " << kNames[i];
                    }
                    std::this_thread::sleep_for(1500ms);
                }
            });
    }
    static std::string analyse_trouble(const net::json::value& last) {
        if (last.is_null()) return "no more events";
        const std::string state(last.at("data").at("state").get_string());
        return state == "done" ? "" : state;
    }
    // An empty complaint: it came to its end.
    std::string analyse(Person& person) {
        const auto made = person.send(net::Method::kPost, "/api/v1/analyses",
                                      R"({"movetime":1000,"live":false})");
        const auto json = net::parse_json(made.body, 64);
        if (made.status != 201 || !json) return std::to_string(made.status) + " " + made.body;
        net::ClientRequest request;
        request.url = person.origin + "/api/v1/analyses/" +
                      std::string(json->at("id").get_string()) + "/events";
        request.headers.set("Accept", "application/x-ndjson");
        LineReader reader(client_, std::move(request));
        return analyse_trouble(reader.next_of("done"));
    }

    struct Trial {
        std::string name;
        Millis begun = 0;  // on the wall clock
    };
    // The clocks of all games against what their players thought, for each trial.
    void check_clocks() {
        struct Found {
            std::size_t moves = 0, take_overs = 0;
            Millis worst = 0, worst_after_take_over = 0;
        };
        std::vector<Found> found(trials_.size());
        const auto session = open_postgres(database_);
        for (const auto& game : crowd_) {
            const auto events = games_table::events_after(*session, game->id(), 0);
            for (const Charge& charge : charges(events, game->turns(), kInitial)) {
                std::size_t at = trials_.size();
                while (at > 0 && trials_[at - 1].begun > charge.at) --at;
                if (at == 0) continue;  // before the first
                Found& of = found[at - 1];
                ++of.moves;
                of.take_overs += static_cast<std::size_t>(charge.take_overs);
                Millis& worst = charge.take_overs > 0 ? of.worst_after_take_over : of.worst;
                worst = std::max(worst, charge.too_much());
                EXPECT_LT(charge.too_much(), kBeyondThought)
                    << trials_[at - 1].name << ", game " << game->id() << " ply " << charge.ply
                    << ": thought " << charge.turn.thought.count() << " ms, charged "
                    << charge.charged << " ms, " << charge.take_overs << " take-overs, "
                    << charge.turn.in_vain.count() << " ms in vain";
                EXPECT_GE(charge.charged, 0) << trials_[at - 1].name << ", game " << game->id();
            }
        }
        std::printf("  clocks: charged beyond what was thought, at most\n");
        for (std::size_t i = 0; i < trials_.size(); ++i)
            std::printf("  %-34s %6zu moves %5.2f s; %4zu turns with a take-over %5.2f s\n",
                        trials_[i].name.c_str(), found[i].moves,
                        static_cast<double>(found[i].worst) / 1000, found[i].take_overs,
                        static_cast<double>(found[i].worst_after_take_over) / 1000);
    }

    // Something happens to this server, or to all, then there is calm; prints how the players fared.
    template <class Happening>
    bool trial(const char* name, std::size_t victim, Happening happening) {
        const char* only = std::getenv("ROKADA_CLUSTER_TRIAL");  // a part of its name
        // Before anything happens the games must have got so far that their clocks run.
        const bool always = std::string_view(name) == kCalm;
        if (only != nullptr && !always && std::string(name).find(only) == std::string::npos)
            return false;
        {
            const std::lock_guard lock(mutex_);
            moves_ = 0;
            longest_ = milliseconds(0);
            refused_.clear();
        }
        trials_.push_back({name, SystemTime().now().wall});
        for (std::size_t i = 0; i < 3; ++i) hardships_[i] += victim == i || victim > kNobody;
        const std::size_t analysed = analysed_;
        const auto begun = Clock::now();
        const std::string more = happening();
        std::this_thread::sleep_for(5s);
        for (std::size_t i = 0; i < 3; ++i) hardships_[i] += victim == i || victim > kNobody;
        const std::lock_guard lock(mutex_);
        std::printf(
            "  %-34s %4.0f s %6zu moves, the slowest after %4.1f s, %zu refused; %zu analyses%s\n",
            name, seconds(Clock::now() - begun), moves_, seconds(longest_), refused_.size(),
            analysed_ - analysed, more.c_str());
        std::fflush(stdout);
        EXPECT_GT(moves_, 0u) << name;
        EXPECT_GT(analysed_, analysed) << name;
        return true;
    }
    // What cuts a server off: others have its games in time, and it comes back.
    template <class Cut, class Join>
    std::string cut_off(std::size_t server, Cut cut, Join join) {
        const std::string id = node_id(server);
        const auto begun = Clock::now();
        cut();
        const auto time = take_over(server, id);
        EXPECT_LT(time, take_over_limit());
        EXPECT_FALSE(ready(server));
        std::this_thread::sleep_until(begun + 10s);
        join();
        EXPECT_TRUE(eventually([&] { return ready(server); }));
        return taken(time);
    }
    std::string taken(Clock::duration time) const {
        char text[80];
        std::snprintf(text, sizeof text, "; its %zu games taken over in %.1f s", taken_,
                      seconds(time));
        EXPECT_GT(taken_, 0u);
        return text;
    }

    TemporaryFolder folder_;
    PrivatePostgres* postgres_ = nullptr;
    std::unique_ptr<PrivateNats> nats_;
    std::string database_;
    std::vector<std::uint16_t> ports_;
    std::vector<std::string> origins_;
    std::vector<std::unique_ptr<Cable>> to_postgres_, to_nats_[3];
    std::vector<std::unique_ptr<ServerProcess>> servers_;
    std::vector<std::unique_ptr<WorkerProcess>> workers_;
    std::unique_ptr<PrivateFront> front_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_, without_reuse()};
    std::size_t games_ = 0, taken_ = 0;
    std::vector<std::unique_ptr<CrowdedGame>> crowd_;
    std::vector<std::thread> players_, analysts_;
    std::vector<Trial> trials_;
    std::atomic<bool> enough_{false};
    std::atomic<std::size_t> analysed_{0};
    std::atomic<std::size_t> hardships_[3] = {0, 0, 0};  // of each server; odd while one lasts
    std::atomic<std::size_t> over_{0};
    std::mutex mutex_;
    std::size_t moves_ = 0;
    milliseconds longest_{0};
    std::vector<std::string> refused_;
};

TEST_F(ThreeServers, NoAcknowledgedMoveIsLostOrDoubledWhateverFails) {
    constexpr std::size_t kAll = kNobody + 1;
    seat_everybody();
    if (HasFatalFailure()) return;
    begin_games();
    begin_analyses();
    trial(kCalm, kNobody, [] {
        std::this_thread::sleep_for(5s);
        return std::string();
    });
    trial("a worker is killed", kNobody, [this] {
        const auto session = open_postgres(database_);
        EXPECT_TRUE(eventually([&session] {
            const auto all = jobs_table::workers(*session);
            return std::any_of(all.begin(), all.end(), [](const WorkerRecord& worker) {
                return worker.name == "first" && worker.jobs > 0;
            });
        }));
        workers_[0]->kill();
        std::this_thread::sleep_for(8s);  // longer than its lease
        workers_[0] = worker("third");
        return std::string();
    });
    trial("a server is killed", 0, [this] {
        const std::string id = node_id(0);
        servers_[0]->kill();
        const auto time = take_over(0, id);
        EXPECT_LT(time, take_over_limit());
        start(0);
        return taken(time);
    });
    trial("a server stops for 20 s", 1, [this] {
        const std::string id = node_id(1);
        ::kill(servers_[1]->pid(), SIGSTOP);
        ::waitpid(servers_[1]->pid(), nullptr, WUNTRACED);
        const auto begun = Clock::now();
        const auto time = take_over(1, id);
        EXPECT_LT(time, take_over_limit());
        std::this_thread::sleep_until(begun + 20s);
        ::kill(servers_[1]->pid(), SIGCONT);
        EXPECT_TRUE(eventually([&] { return ready(1); }));
        return taken(time);
    });
    trial("a server is cut from the others", 2, [this] {
        return cut_off(2, [this] { nats_->cut_off(2); }, [this] { nats_->join_again(2); });
    });
    trial("a server is cut from PostgreSQL", 0, [this] {
        return cut_off(0, [this] { to_postgres_[0]->cut(); }, [this] { to_postgres_[0]->join(); });
    });
    trial("a server is cut from NATS", 1, [this] {
        return cut_off(
            1,
            [this] {
                for (const auto& cable : to_nats_[1]) cable->cut();
            },
            [this] {
                for (const auto& cable : to_nats_[1]) cable->join();
            });
    });
    trial("one NATS server is killed", kNobody, [this] {
        nats_->kill(0);
        std::this_thread::sleep_for(3s);
        nats_->start(0);
        return std::string();
    });
    trial("one NATS server stops for 5 s", kNobody, [this] {
        nats_->pause(1);
        std::this_thread::sleep_for(5s);
        nats_->resume(1);
        return std::string();
    });
    trial("all NATS servers are killed", kNobody, [this] {
        for (std::size_t i = 0; i < 3; ++i) nats_->kill(i);
        std::this_thread::sleep_for(3s);
        for (std::size_t i = 0; i < 3; ++i) nats_->start(i);
        return std::string();
    });
    trial("PostgreSQL is restarted", kAll, [this] {
        postgres_->restart();
        return std::string();
    });
    trial("PostgreSQL crashes", kAll, [this] {
        postgres_->restart(false);
        return std::string();
    });
    const bool restarted = trial("one server after the other restarts", kAll, [this] {
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(servers_[i]->stop(), 0);
            start(i);
            std::this_thread::sleep_for(2s);
        }
        return std::string();
    });
    if (restarted) {  // nobody noticed more than a moment
        EXPECT_THAT(refused_, ::testing::IsEmpty());
        EXPECT_LT(longest_, 3s);
    }
    enough_ = true;
    for (std::thread& player : players_) player.join();
    std::size_t moves = 0;
    for (const auto& game : crowd_) {
        game->reconnect({front_->origin()});
        game->check(origins_);
        moves += game->acknowledged().size();
    }
    std::printf("  %zu games, %zu moves acknowledged: each there once, at all servers\n", games_,
                moves);
    check_clocks();
}

}  // namespace
}  // namespace rokada::server::test
