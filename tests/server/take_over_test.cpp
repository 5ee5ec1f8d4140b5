// SPDX-License-Identifier: GPL-3.0-or-later
// A server with very many games dies: another one has all of them in time, and whoever wants to move meanwhile
// does not wait behind the others.
#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "server/store/cluster_table.hpp"
#include "server/store/games_table.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/store.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/private_postgres.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

std::int64_t count(Session& session, const std::string& what) {
    const auto row = session.select("SELECT count(*) FROM " + what);
    return row->next() ? row->integer(0) : -1;
}

// The game with its moves and events so many times more, as if all had been played.
void multiply(Session& session, const std::string& game, std::size_t times) {
    const auto copy = [&](const std::string& table, const std::string& key) {
        session.script("INSERT INTO " + table + " SELECT (jsonb_populate_record(NULL::" + table +
                       ", to_jsonb(t) || jsonb_build_object('" + key +
                       "', 'copy' || lpad(i::text, 6, '0')))).* FROM " + table +
                       " t, generate_series(1, " + std::to_string(times) + ") i WHERE t." + key +
                       "='" + game + "'");
    };
    copy("games", "id");
    for (const char* table : {"seats", "moves", "game_events"}) copy(table, "game_id");
}

class Orphans : public OnBothDatabases {
  protected:
    void insert(const std::string& id) {
        GameRecord game;
        game.id = id;
        game.settings.initial_fen = game.fen = "fen";
        game.settings.clock = ClockMode::Increment;
        game.status = GameStatus::Playing;
        store_->write([&game](Session& s) { games_table::insert(s, game, {}); });
    }
    void join(const std::string& id, Millis lease) {
        NodeRecord node;
        node.id = node.name = id;
        store_->write([&](Session& s) { cluster_table::join(s, node, lease); });
    }
    std::int64_t claim(const std::string& id, const std::string& game) {
        std::int64_t epoch = 0;
        store_->write(
            [&](Session& s) { epoch = cluster_table::claim(s, game, id, kShort)->epoch; });
        return epoch;
    }
    static constexpr Millis kShort = 50, kLong = 60'000;
};
INSTANTIATE_TEST_SUITE_P(Engines, Orphans, kBothDatabases, engine_name);

TEST_P(Orphans, AreTakenManyAtATimeAndFromTheDeadOnly) {
    for (const char* id : {"first", "second", "nobodys", "alive"}) insert(id);
    join("a", kLong);
    join("b", kLong);
    join("c", kLong);
    const std::int64_t before = claim("a", "first");
    claim("a", "second");
    claim("b", "alive");
    join("a", kShort);
    std::this_thread::sleep_for(100ms);
    std::map<std::string, cluster_table::Ownership> taken;
    for (const std::size_t expected : {2u, 1u, 0u})
        store_->write([&](Session& s) {
            const auto some = cluster_table::take_orphans(s, "c", kShort, 2);
            EXPECT_EQ(some.size(), expected);
            for (const auto& [game, owned] : some) taken[game] = owned;
        });
    ASSERT_EQ(taken.size(), 3u);
    EXPECT_EQ(taken.count("alive"), 0u);
    EXPECT_EQ(taken["first"].epoch, before + 1);
    EXPECT_GT(taken["first"].orphaned_at, 0) << "its owner died";
    EXPECT_EQ(taken["nobodys"].orphaned_at, 0) << "nobody had it";
    for (const auto& [game, owned] : taken) {
        const auto row = store_->read([&](Session& s) { return *games_table::find(s, game); });
        EXPECT_EQ(row.owner, "c");
        EXPECT_EQ(row.epoch, owned.epoch);
    }
}

TEST(TakeOver, ThousandsOfGamesOfADeadServerAreAnothersInTime) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr || !PrivateNats::installed())
        GTEST_SKIP() << "needs PostgreSQL and nats-server";
    const std::size_t games = std::getenv("ROKADA_LONG") != nullptr ? 2000 : 200;
    const TemporaryFolder folder;
    const PrivateNats nats;
    const std::string database = postgres->fresh_url();
    {
        const Store store(StoreOptions{folder.path() / "setup", database});
    }
    const auto server = [&](const std::string& name) {
        return std::make_unique<ServerProcess>(
            folder.path() / name,
            std::vector<std::string>{"--db", database, "--bus", nats.url(), "--node-name", name});
    };
    const auto one = server("one"), two = server("two");
    net::Loops loops{1};
    net::HttpClient client{loops};
    Person ana(client, one->origin()), ben(client, two->origin());
    const std::string game = ana.new_game(R"({"initial":600,"increment":0})");
    ASSERT_EQ(ben.act(game, "join").status, 200);
    for (std::size_t ply = 1; ply <= 6; ++ply)
        ASSERT_EQ((ply % 2 == 1 ? ana : ben).move(game, ply, kMoves[ply - 1]), 200);

    const auto session = open_postgres(database);
    session->script("SET statement_timeout=0");  // the limit of a server is none for the test
    multiply(*session, game, games);
    const std::string dead = [&] {
        for (const NodeRecord& node : cluster_table::nodes(*session))
            if (node.name == "one") return node.id;
        return std::string();
    }();
    ASSERT_EQ(cluster_table::owned_by(*session, dead).size(), games + 1);

    const auto died = Clock::now();
    one->kill();
    ana.origin = two->origin();
    int answer = 0;
    Clock::duration waited{};
    std::thread impatient([&] {
        answer = ana.move("copy000001", 7, kMoves[6]);
        waited = Clock::now() - died;
    });
    EXPECT_TRUE(eventually([&] { return cluster_table::owned_by(*session, dead).empty(); }, 60s));
    const auto taken = Clock::now() - died;
    EXPECT_LT(taken, take_over_limit());
    impatient.join();
    EXPECT_EQ(answer, 200);
    EXPECT_LT(waited, take_over_limit() + 1s);
    // Each of them goes on, with the time that was given back.
    const std::string resumed =
        R"((SELECT DISTINCT game_id FROM game_events WHERE message LIKE '%"restart"%') t)";
    EXPECT_TRUE(eventually(
        [&] { return count(*session, resumed) == static_cast<std::int64_t>(games) + 1; }, 60s))
        << count(*session, resumed);
    std::printf(
        "  %zu games: all taken after %.1f s, all go on after %.1f s, a move after %.1f s\n",
        games + 1, seconds(taken), seconds(Clock::now() - died), seconds(waited));
    EXPECT_EQ(ana.move("copy000199", 7, kMoves[6]), 200);
    EXPECT_EQ(ben.move("copy000199", 8, kMoves[7]), 200);
}

}  // namespace
}  // namespace rokada::server::test
