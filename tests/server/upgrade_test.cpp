// SPDX-License-Identifier: GPL-3.0-or-later
// Two versions of the program on the same data: a step of the schema that only adds leaves the older one
// at work, one that takes away waits until no older server runs and refuses older programs afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/accounts_table.hpp"
#include "server/store/cluster_table.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/private_nats.hpp"
#include "tests/server/server_process.hpp"

namespace rokada::server::test {
namespace {

using ::testing::HasSubstr;

// This program and the next one, which adds a column; or the one after that, which takes another away.
std::vector<Migration> next_program(bool takes_away) {
    std::vector<Migration> steps(schema_steps().begin(), schema_steps().end());
    const int known = newest_schema_version();
    steps.push_back({known + 1, "adds",
                     "ALTER TABLE games ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';", known});
    if (takes_away)
        steps.push_back(
            {known + 2, "takes away", "ALTER TABLE games DROP COLUMN assisted;", known + 1});
    return steps;
}

std::string complaint_of(const std::function<void()>& act, StoreFault fault) {
    try {
        act();
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), fault);
        return error.what();
    }
    return "none";
}

class Upgrade : public OnBothDatabases {
  protected:
    void migrate_to_next(bool takes_away) {
        migrate(*connect(options_), 0, {}, next_program(takes_away));
    }
    int schema() {
        return store_->read([](Session& session) { return schema_version(session); });
    }
    bool works() {
        UserRecord user;
        user.id = user.name = user.folded = "user" + std::to_string(++users_);
        store_->write([&user](Session& s) { accounts_table::insert_user(s, user); });
        return store_->read([&user](Session& s) { return accounts_table::user_by_id(s, user.id); })
            .has_value();
    }
    int users_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Engines, Upgrade, kBothDatabases, engine_name);

TEST_P(Upgrade, AnOlderProgramGoesOnBesideAStepThatOnlyAdds) {
    EXPECT_TRUE(works());
    migrate_to_next(false);
    EXPECT_EQ(schema(), newest_schema_version() + 1);
    EXPECT_TRUE(works()) << "one that runs";
    reopen();
    EXPECT_TRUE(works()) << "one that is started";
    EXPECT_TRUE(schema_is_ready(*connect(options_)));
    EXPECT_EQ(schema(), newest_schema_version() + 1) << "and nothing is undone";
}

TEST_P(Upgrade, AnOlderProgramIsRefusedAfterAStepThatTakesAway) {
    migrate_to_next(true);
    EXPECT_THAT(complaint_of([this] { reopen(); }, StoreFault::SchemaTooNew),
                HasSubstr("newer Rokada"));
    EXPECT_THAT(
        complaint_of([this] { schema_is_ready(*connect(options_)); }, StoreFault::SchemaTooNew),
        HasSubstr("newer Rokada"));
}

TEST_P(Upgrade, NothingIsTakenAwayWhileAServerRunsThatUsesIt) {
    NodeRecord old;
    old.id = "id";
    old.name = "one";
    old.version = "1.0";
    store_->write([&old](Session& s) { cluster_table::join(s, old, 60'000); });
    EXPECT_THAT(complaint_of([this] { migrate_to_next(true); }, StoreFault::Busy),
                HasSubstr("older servers run: one (1.0)"));
    EXPECT_EQ(schema(), newest_schema_version() + 1) << "what only adds is there";
    EXPECT_TRUE(works());
    store_->write([](Session& s) { cluster_table::leave(s, "id"); });
    migrate_to_next(true);
    EXPECT_EQ(schema(), newest_schema_version() + 2);
}

TEST(RollingUpgrade, ServersAndWorkersOfTheOldVersionGoOnAndStartBesideTheNewSchema) {
    PrivatePostgres* postgres = PrivatePostgres::get();
    if (postgres == nullptr || !PrivateNats::installed())
        GTEST_SKIP() << "needs PostgreSQL and nats-server";
    const TemporaryFolder folder;
    const PrivateNats nats;
    const std::string url = postgres->fresh_url();
    const auto server = [&](const std::string& name) {
        return std::make_unique<ServerProcess>(
            folder.path() / name,
            std::vector<std::string>{"--db", url, "--bus", nats.url(), "--node-name", name});
    };
    auto one = server("one"), two = server("two");
    net::Loops loops{1};
    net::HttpClient client{loops};
    Person ana(client, one->origin()), ben(client, two->origin());
    const std::string game = ana.new_game("null");
    ASSERT_EQ(ben.act(game, "join").status, 200);
    std::size_t ply = 0;
    const auto play = [&] {
        for (int i = 0; i < 2; ++i, ++ply)
            ASSERT_EQ((ply % 2 == 0 ? ana : ben).move(game, ply + 1, kMoves[ply]), 200) << ply;
    };
    play();
    migrate(*open_postgres(url), 0, {}, next_program(false));
    play();
    EXPECT_EQ(two->stop(), 0);
    two = server("two");
    ben.origin = two->origin();
    play();
    EXPECT_EQ(one->stop(), 0);
    one = server("one");
    ana.origin = one->origin();
    play();
    const WorkerProcess worker({"--db", url, "--threads", "1"});
    EXPECT_THAT(complaint_of([&] { migrate(*open_postgres(url), 0, {}, next_program(true)); },
                             StoreFault::Busy),
                HasSubstr("one ("));
    play();
    EXPECT_EQ(moves_of(ana.look(game)).size(), ply);
}

}  // namespace
}  // namespace rokada::server::test
