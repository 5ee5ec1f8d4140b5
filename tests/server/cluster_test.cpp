// SPDX-License-Identifier: GPL-3.0-or-later
// Several servers on one database: a game has one owner at a time, an earlier one can write nothing
// more, whatever happened to it, and the games of a dead node are taken over in time.
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/app/cluster_node.hpp"
#include "server/store/games_table.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using cluster_table::Renewal;
using ::testing::IsEmpty;

constexpr Millis kLong = 60'000, kShort = 60;

NodeRecord node(const std::string& id) {
    NodeRecord made;
    made.id = id;
    made.name = "node " + id;
    made.version = "1";
    return made;
}

GameRecord running_game(const std::string& id) {
    GameRecord game;
    game.id = id;
    game.settings.kind = GameKind::Person;
    game.settings.clock = ClockMode::Increment;
    game.settings.initial_fen = game.fen =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    game.white = {SeatKind::Guest, "g1", "", false};
    game.black = {SeatKind::Guest, "g2", "", false};
    game.status = GameStatus::Playing;
    return game;
}

// The next change of a game as its owner saw it; the game is as after it.
void play(Session& session, GameRecord& game) {
    GameChange change;
    change.game = &game;
    change.version_before = game.version++;
    ++game.ply;
    change.played.emplace_back(game.ply, MoveRecord{"e2e4", 1, 1, 1});
    change.events.push_back({game.version, game.ply, 1, "{}"});
    games_table::apply(session, change);
}

class Leases : public OnBothDatabases {
  protected:
    void SetUp() override {
        OnBothDatabases::SetUp();
        if (IsSkipped()) return;
        store_->write([](Session& s) { games_table::insert(s, running_game("game"), {}); });
    }
    void join(const std::string& id, Millis lease) {
        store_->write([&](Session& s) { cluster_table::join(s, node(id), lease); });
    }
    cluster_table::Ownership claim(const std::string& id, const std::string& game = "game") {
        std::optional<cluster_table::Ownership> result;
        store_->write([&](Session& s) { result = cluster_table::claim(s, game, id, kShort); });
        return result.value_or(cluster_table::Ownership{});
    }
    GameRecord read(const std::string& game = "game") {
        return *store_->read([&](Session& s) { return games_table::find(s, game); });
    }
    // What the store says to a move.
    std::optional<StoreFault> try_play(GameRecord& game) {
        try {
            store_->write([&](Session& s) { play(s, game); });
            return std::nullopt;
        } catch (const StoreError& error) {
            return error.fault();
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Engines, Leases, kBothDatabases, engine_name);

TEST_P(Leases, ANodeIsAliveWhileItsLeaseRuns) {
    join("a", kLong);
    join("b", kShort);
    std::this_thread::sleep_for(100ms);
    const auto nodes = store_->read([](Session& s) { return cluster_table::nodes(s); });
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[0].name, "node a");
    EXPECT_TRUE(nodes[0].alive);
    EXPECT_FALSE(nodes[1].alive);
    const auto renew = [&](const char* id) {
        Renewal result{};
        store_->write([&](Session& s) { result = cluster_table::renew(s, id, kLong); });
        return result;
    };
    EXPECT_EQ(renew("a"), Renewal::InTime);
    EXPECT_EQ(renew("b"), Renewal::Late);
    EXPECT_EQ(renew("b"), Renewal::InTime);
    EXPECT_EQ(renew("c"), Renewal::Gone);
    EXPECT_EQ(store_->read([](Session& s) { return cluster_table::nodes(s); }).size(), 2u);
}

TEST_P(Leases, AGameBelongsToOneNodeAtATime) {
    join("a", kLong);
    join("b", kLong);
    const auto first = claim("a");
    EXPECT_EQ(first.owner, "a");
    EXPECT_TRUE(first.fresh);
    EXPECT_EQ(first.orphaned_at, 0);
    const auto refused = claim("b");
    EXPECT_EQ(refused.owner, "a");
    EXPECT_FALSE(refused.fresh);
    EXPECT_EQ(refused.epoch, first.epoch);
    const auto again = claim("a");
    EXPECT_EQ(again.owner, "a");
    EXPECT_FALSE(again.fresh);
    EXPECT_EQ(again.epoch, first.epoch);
    EXPECT_EQ(claim("a", "nowhere").owner, "");
    EXPECT_EQ(store_->read([](Session& s) { return cluster_table::owned_by(s, "a"); }),
              (std::vector<std::pair<std::string, std::int64_t>>{{"game", first.epoch}}));
}

TEST_P(Leases, AnEarlierOwnerCanWriteNothingMore) {
    join("a", kShort);
    join("b", kLong);
    const auto first = claim("a");
    GameRecord with_a = read();
    EXPECT_EQ(with_a.owner, "a");
    EXPECT_EQ(try_play(with_a), std::nullopt);
    std::this_thread::sleep_for(100ms);
    GameRecord late = with_a;
    EXPECT_EQ(try_play(with_a), std::nullopt) << "nobody has taken it: still the only owner";
    const auto second = claim("b");
    EXPECT_EQ(second.owner, "b");
    EXPECT_EQ(second.epoch, first.epoch + 1);
    EXPECT_GT(second.orphaned_at, 0);
    EXPECT_EQ(try_play(with_a), StoreFault::Conflict) << "right version, wrong epoch";
    EXPECT_EQ(try_play(late), StoreFault::Conflict);
    GameRecord with_b = read();
    EXPECT_EQ(with_b.ply, 2);
    EXPECT_EQ(try_play(with_b), std::nullopt);
    EXPECT_EQ(read().moves.size(), 3u);
}

TEST_P(Leases, AMoveOfAnEarlierOwnerIsRefusedAlsoOnTheShortWay) {
    join("a", kLong);
    const auto owned = claim("a");
    const auto try_turn = [&](std::int64_t epoch) -> std::optional<StoreFault> {
        const GameRecord game = read();
        auto turn = std::make_shared<TurnRecord>();
        turn->game_id = "game";
        turn->epoch = epoch;
        turn->version = game.version + 1;
        turn->ply = game.ply + 1;
        turn->move = {"e2e4", 1, 1, 1};
        turn->fen = game.fen;
        turn->message = "{}";
        const std::vector<std::shared_ptr<const TurnRecord>> turns{turn};
        try {
            store_->write([&](Session& s) { games_table::apply_turns(s, turns); });
            return std::nullopt;
        } catch (const StoreError& error) {
            return error.fault();
        }
    };
    EXPECT_EQ(try_turn(owned.epoch - 1), StoreFault::Conflict);
    EXPECT_EQ(read().moves.size(), 0u);
    EXPECT_EQ(try_turn(owned.epoch), std::nullopt);
    EXPECT_EQ(try_turn(-1), std::nullopt) << "moves from the log of a file: there is one owner";
    EXPECT_EQ(read().moves.size(), 2u);
}

TEST_P(Leases, WhatADeadNodeHadMayBeLeftToIt) {
    join("a", kShort);
    claim("a");
    std::this_thread::sleep_for(100ms);
    std::optional<cluster_table::Ownership> left;
    store_->write([&](Session& s) {
        left = cluster_table::claim(s, "game", "b", kShort, cluster_table::Taking::Unowned);
    });
    EXPECT_EQ(left->owner, "a");
    EXPECT_FALSE(left->fresh);
}

TEST_P(Leases, ANodeLivesWhileItsLeaseRuns) {
    const auto lives = [this](const std::string& id) {
        return store_->read([&](Session& s) { return cluster_table::lives(s, id); });
    };
    join("a", kLong);
    join("b", kShort);
    EXPECT_TRUE(lives("a"));
    EXPECT_FALSE(lives("nobody"));
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(lives("a"));
    EXPECT_FALSE(lives("b"));
}

TEST_P(Leases, ANodeThatLeavesGivesItsGamesBackAtOnce) {
    join("a", kLong);
    claim("a");
    GameRecord with_a = read();
    store_->write([](Session& s) { cluster_table::leave(s, "a"); });
    EXPECT_EQ(try_play(with_a), StoreFault::Conflict);
    EXPECT_THAT(store_->read([](Session& s) { return cluster_table::nodes(s); }), IsEmpty());
    const auto taken = claim("b");
    EXPECT_EQ(taken.owner, "b");
    EXPECT_EQ(taken.orphaned_at, 0) << "no time was lost";
    EXPECT_GT(taken.given_back_at, 0) << "up to then the side to move has thought";
}

TEST_P(Leases, OrphansAreRunningGamesThatNeedSomebody) {
    store_->write([](Session& s) {
        GameRecord game = running_game("calm");
        game.settings.clock = ClockMode::None;
        games_table::insert(s, game, {});
        game = running_game("over");
        game.status = GameStatus::Finished;
        games_table::insert(s, game, {});
        game = running_game("computer");
        game.settings.clock = ClockMode::None;
        game.settings.kind = GameKind::Computer;
        game.white = {SeatKind::Computer, "", "", false};
        games_table::insert(s, game, {});
    });
    const auto orphans = [&] {
        const auto ids = store_->read([](Session& s) { return cluster_table::orphans(s, 10); });
        return std::set<std::string>(ids.begin(), ids.end());
    };
    EXPECT_EQ(orphans(), (std::set<std::string>{"computer", "game"}));
    join("a", kLong);
    claim("a");
    EXPECT_EQ(orphans(), std::set<std::string>{"computer"});
    join("a", kShort);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(orphans(), (std::set<std::string>{"computer", "game"}));
}

TEST_P(Leases, AServerAloneIsItsOwnOwner) {
    GameRecord game = read();
    EXPECT_EQ(try_play(game), std::nullopt) << "without nodes, leases and claims";
    EXPECT_EQ(game.epoch, 0);
}

class PostgresCluster : public OnPostgres {
  protected:
    void SetUp() override {
        OnPostgres::SetUp();
        if (IsSkipped()) return;
        store_->write([](Session& s) { games_table::insert(s, running_game("game"), {}); });
    }
};

TEST_F(PostgresCluster, OfManyThatClaimAtOnceOneWins) {
    constexpr int kNodes = 6, kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
        std::atomic<int> fresh{0};
        std::mutex mutex;
        std::set<std::string> owners;
        std::vector<std::thread> threads;
        for (int i = 0; i < kNodes; ++i)
            threads.emplace_back([&, i] {
                const auto session = connect();
                const std::string id = "r" + std::to_string(round) + "n" + std::to_string(i);
                cluster_table::join(*session, node(id), kLong);
                session->script("BEGIN");  // without the lock that orders other writes
                const auto result = cluster_table::claim(*session, "game", id, kLong);
                session->script("COMMIT");
                fresh += result->fresh ? 1 : 0;
                const std::lock_guard lock(mutex);
                owners.insert(result->owner);
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(fresh, 1);
        EXPECT_EQ(owners.size(), 1u) << "and all know which";
        store_->write([](Session& s) { s.run("UPDATE nodes SET until=0"); });
    }
    EXPECT_EQ(store_->read([](Session& s) { return games_table::find(s, "game")->epoch; }),
              kRounds);
}

TEST_F(PostgresCluster, ServersStartedAtTheSameMomentShareOneNewDatabase) {
    for (int round = 0; round < 5; ++round) {
        StoreOptions options;
        options.url = postgres_->fresh_url();
        std::atomic<int> opened{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&, own = options, i]() mutable {
                own.folder = folder_.path() / ("start" + std::to_string(i));
                try {
                    const Store store(own, StoreSharing::OneOfSeveral);
                    ++opened;
                } catch (const StoreError& error) {
                    ADD_FAILURE() << error.what();
                }
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(opened, 4);
    }
}

// Another process that owns the game and plays on and on, telling the outcome of each move: '+', or
// '-' when it was refused, after which it ends.
class OtherOwner {
  public:
    explicit OtherOwner(const std::string& url, bool stop_in_the_middle = false) {
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        process_ = ::fork();
        if (process_ == 0) {
            ::close(ends[0]);
            run(url, ends[1], stop_in_the_middle);
            ::_exit(0);
        }
        ::close(ends[1]);
        told_ = ends[0];
    }
    ~OtherOwner() {
        signal(SIGKILL);
        ::waitpid(process_, nullptr, 0);
        ::close(told_);
    }
    OtherOwner(const OtherOwner&) = delete;
    OtherOwner& operator=(const OtherOwner&) = delete;

    void signal(int number) const { ::kill(process_, number); }
    void await_stop() const { ::waitpid(process_, nullptr, WUNTRACED); }
    char next() const {
        char told = 0;
        return ::read(told_, &told, 1) == 1 ? told : '.';
    }

  private:
    static void run(const std::string& url, int out, bool stop_in_the_middle) {
        const auto tell = [out](char c) { return ::write(out, &c, 1) == 1; };
        try {
            const auto session = open_postgres(url);
            cluster_table::join(*session, node("other"), 300);
            session->begin_write();
            const auto owned = cluster_table::claim(*session, "game", "other", 300);
            session->commit();
            GameRecord game = *games_table::find(*session, "game");
            if (owned->owner != "other") tell('?');
            for (;;) {
                cluster_table::renew(*session, "other", 300);
                session->begin_write();
                play(*session, game);
                if (stop_in_the_middle && game.ply == 2) ::raise(SIGSTOP);
                session->commit();
                tell('+');
                ::usleep(20'000);
            }
        } catch (const StoreError& error) {
            tell(error.fault() == StoreFault::Conflict         ? '-'
                 : error.fault() == StoreFault::ConnectionLost ? 'x'
                                                               : '?');
        }
    }
    pid_t process_ = -1;
    int told_ = -1;
};

TEST_F(PostgresCluster, AStoppedOwnerIsFencedOffWhenItGoesOn) {
    const OtherOwner other(options_.url);
    ASSERT_EQ(other.next(), '+');
    ASSERT_EQ(other.next(), '+');
    other.signal(SIGSTOP);
    const auto session = connect();
    cluster_table::join(*session, node("us"), kLong);
    std::optional<cluster_table::Ownership> owned;
    const auto begun = std::chrono::steady_clock::now();
    ASSERT_TRUE(eventually([&] {
        session->begin_write();
        owned = cluster_table::claim(*session, "game", "us", 300);
        session->commit();
        return owned->fresh;
    }));
    EXPECT_LT(std::chrono::steady_clock::now() - begun, take_over_limit());
    GameRecord game = *games_table::find(*session, "game");
    const std::size_t moves = game.moves.size();
    EXPECT_GE(moves, 2u);
    session->begin_write();
    play(*session, game);
    session->commit();
    other.signal(SIGCONT);
    // One move may have been told of and not read by us; the next one is refused.
    char told = other.next();
    while (told == '+') told = other.next();
    EXPECT_TRUE(told == '-' || told == 'x') << told;
    EXPECT_EQ(games_table::find(*session, "game")->moves.size(), moves + 1)
        << "every move once, none by the old owner";
}

TEST_F(PostgresCluster, AStopInTheMiddleOfAWriteHoldsOthersUpForSecondsOnly) {
    const OtherOwner other(options_.url, true);
    ASSERT_EQ(other.next(), '+');
    other.await_stop();  // it holds the lock of all writers and has written half a move
    const auto begun = std::chrono::steady_clock::now();
    const auto session = connect();
    session->begin_write();
    const auto owned = cluster_table::claim(*session, "game", "us", 300);
    session->commit();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, take_over_limit());
    EXPECT_EQ(owned->owner, "us");
    EXPECT_EQ(games_table::find(*session, "game")->moves.size(), 1u) << "the half is undone";
    other.signal(SIGCONT);
    EXPECT_EQ(other.next(), 'x') << "its commit fails: nothing is acknowledged";
    EXPECT_EQ(games_table::find(*session, "game")->moves.size(), 1u);
}

class Nodes : public PostgresCluster {
  protected:
    struct Seen {
        std::mutex mutex;
        std::map<std::string, cluster_table::Ownership> orphans;
        int lapses = 0, troubles = 0;
    };
    std::unique_ptr<ClusterNode> start(const std::string& id, Seen& seen, Millis lease = 3000,
                                       Millis beat = 500) {
        ClusterNodeOptions options;
        options.store = store_.get();
        options.connect = [this] { return connect(); };
        options.id = options.name = id;
        options.lease = lease;
        options.beat = beat;
        options.on_orphans = [&seen](const std::vector<cluster_table::Taken>& games) {
            const std::lock_guard lock(seen.mutex);
            for (const auto& [game, owned] : games) seen.orphans[game] = owned;
        };
        options.on_lapse = [&seen](const auto&) {
            const std::lock_guard lock(seen.mutex);
            ++seen.lapses;
        };
        options.on_trouble = [&seen](const std::optional<std::string>& trouble) {
            const std::lock_guard lock(seen.mutex);
            seen.troubles += trouble ? 1 : 0;
        };
        auto made = std::make_unique<ClusterNode>(std::move(options));
        made->start();
        return made;
    }
    static bool orphaned(Seen& seen) {
        const std::lock_guard lock(seen.mutex);
        return seen.orphans.count("game") > 0;
    }
};

TEST_F(Nodes, TheGamesOfADeadNodeAreFoundWithinFiveSeconds) {
    Seen seen_a, seen_b;
    auto a = start("a", seen_a);
    EXPECT_EQ(a->claim("game")->owner, "a");
    const auto b = start("b", seen_b);
    EXPECT_EQ(b->claim("game")->owner, "a");
    std::this_thread::sleep_for(1200ms);  // leases are kept while both live
    EXPECT_FALSE(orphaned(seen_b));
    const auto died = std::chrono::steady_clock::now();
    a.reset();
    EXPECT_TRUE(eventually([&] { return orphaned(seen_b); }, take_over_limit()));
    EXPECT_LT(std::chrono::steady_clock::now() - died, take_over_limit());
    EXPECT_TRUE(eventually([&] { return b->claim("game")->owner == "b"; }));
    EXPECT_EQ(b->claim("game")->epoch, seen_b.orphans["game"].epoch);
    EXPECT_GT(seen_b.orphans["game"].orphaned_at, 0);
}

TEST_F(Nodes, ANodeThatLeavesIsReplacedAtOnce) {
    Seen seen_a, seen_b;
    const auto a = start("a", seen_a);
    a->claim("game");
    const auto b = start("b", seen_b, 60'000, 50);
    std::this_thread::sleep_for(200ms);
    EXPECT_FALSE(orphaned(seen_b));
    a->leave();
    EXPECT_FALSE(a->holds_lease());
    EXPECT_TRUE(eventually([&] { return orphaned(seen_b); }, 2s));
    EXPECT_TRUE(eventually([&] { return b->claim("game")->owner == "b"; }));
    EXPECT_GT(seen_b.orphans["game"].given_back_at, 0);
}

TEST_F(Nodes, ALapsedNodeIsToldAndTakesNothingForAWhile) {
    Seen seen_a, seen_b;
    const auto a = start("a", seen_a, 1000, 100);
    a->claim("game");
    const auto b = start("b", seen_b, 1000, 100);
    // As after a pause of everybody, for example of the database.
    store_->write([](Session& s) { s.run("UPDATE nodes SET until=1"); });
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(seen_a.mutex);
        const std::lock_guard other(seen_b.mutex);
        return seen_a.lapses == 1 && seen_b.lapses == 1;
    }));
    {
        // A look of b that had begun before the pause does not count.
        const std::lock_guard lock(seen_b.mutex);
        seen_b.orphans.clear();
    }
    EXPECT_EQ(b->claim("game")->owner, "a");
    std::this_thread::sleep_for(1500ms);
    EXPECT_FALSE(orphaned(seen_b)) << "the other one had the time to come back";
}

TEST_F(Nodes, ARestartedDatabaseIsWaitedForAndNothingChangesHands) {
    Seen seen_a, seen_b;
    const auto a = start("a", seen_a, 2000, 100);
    a->claim("game");
    const auto b = start("b", seen_b, 2000, 100);
    postgres_->restart();
    EXPECT_TRUE(eventually([&] { return a->holds_lease() && b->holds_lease(); }));
    std::this_thread::sleep_for(500ms);
    EXPECT_TRUE(a->holds_lease());
    EXPECT_FALSE(orphaned(seen_b));
    EXPECT_EQ(store_->read([](Session& s) { return games_table::find(s, "game")->owner; }), "a");
}

}  // namespace
}  // namespace rokada::server::test
