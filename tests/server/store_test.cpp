// SPDX-License-Identifier: GPL-3.0-or-later
// What the store promises: written means on disk, all or nothing, refused with a reason.
#include "server/store/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "server/store/accounts_table.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "server/store/sqlite_session.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server {
namespace {

class StoreTest : public ::testing::Test {
  protected:
    StoreTest() : store_(std::make_unique<Store>(StoreOptions{folder_.path() / "data", "", nullptr})) {}
    void reopen() {
        store_.reset();
        store_ = std::make_unique<Store>(StoreOptions{folder_.path() / "data", "", nullptr});
    }
    static UserRecord user(const std::string& id, const std::string& name) {
        UserRecord record;
        record.id = id;
        record.name = record.folded = name;
        record.password = "hash";
        record.created_at = 1000;
        return record;
    }
    static GameRecord game(const std::string& id, const std::string& player, Millis at) {
        GameRecord record;
        record.id = id;
        record.status = GameStatus::Playing;
        record.settings.initial_fen = record.fen = "fen";
        record.white = {SeatKind::User, player, "", false};
        record.black = {SeatKind::Computer, "", "", false};
        record.created_at = record.updated_at = at;
        return record;
    }
    void insert(const GameRecord& record) {
        store_->write([&](Session& s) { games_table::insert(s, record, {}); });
    }

    test::TemporaryFolder folder_;
    std::unique_ptr<Store> store_;
};

TEST_F(StoreTest, KeepsWhatWasWrittenAfterReopening) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    reopen();
    const auto found =
        store_->read([](Session& s) { return accounts_table::user_by_folded_name(s, "ana"); });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, "u1");
}

TEST_F(StoreTest, DataFolderAndFilesArePrivate) {
    struct stat info {};
    ASSERT_EQ(::stat(store_->folder().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    ASSERT_EQ(::stat(store_->sqlite_file().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 077, 0u);
}

TEST_F(StoreTest, ASecondServerOnTheSameDataIsRefused) {
    try {
        Store second(StoreOptions{folder_.path() / "data", "", nullptr});
        FAIL() << "two servers share one data folder";
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), StoreFault::Busy);
    }
}

TEST_F(StoreTest, TheSameNameTwiceIsAUniqueFault) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    const auto outcome = store_->writer().submit_and_wait(
        [](Session& s) { accounts_table::insert_user(s, user("u2", "ana")); });
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->fault, StoreFault::Unique);
}

TEST_F(StoreTest, AFailedWriteLeavesNothingBehindAndHarmsNoOther) {
    std::vector<std::thread> threads;
    std::atomic<int> failed{0}, written{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const std::string id = std::to_string(t) + "-" + std::to_string(i);
                const auto outcome = store_->writer().submit_and_wait([&](Session& s) {
                    accounts_table::insert_user(s, user(id, id));
                    if (i % 5 == 0) accounts_table::insert_user(s, user(id, id));
                });
                outcome ? ++failed : ++written;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(failed, 40);
    EXPECT_EQ(written, 160);
    const auto count = store_->read([](Session& s) {
        const auto row = s.select("SELECT count(*) FROM users");
        row->next();
        return row->integer(0);
    });
    EXPECT_EQ(count, 160);
    EXPECT_LT(store_->writer().counters().commits, 201u) << "writes that wait share a commit";
}

TEST_F(StoreTest, AGameChangesOnlyFromTheVersionItWasReadAt) {
    insert(game("game000001", "u1", 1000));
    GameRecord next = game("game000001", "u1", 1000);
    next.version = 1;
    GameChange change;
    change.game = &next;
    change.version_before = 0;
    change.played = {{1, MoveRecord{"e2e4", 0, 0, 1500}}};
    change.events = {{1, 1, 1500, "{}"}};
    store_->write([&](Session& s) { games_table::apply(s, change); });
    const auto again =
        store_->writer().submit_and_wait([&](Session& s) { games_table::apply(s, change); });
    ASSERT_TRUE(again);
    EXPECT_EQ(again->fault, StoreFault::Conflict);
    const auto found = store_->read([](Session& s) { return games_table::find(s, "game000001"); });
    ASSERT_TRUE(found);
    ASSERT_EQ(found->moves.size(), 1u);
    EXPECT_EQ(found->moves[0].uci, "e2e4");
    EXPECT_EQ(found->version, 1);
}

TEST_F(StoreTest, ListsArePagedWithoutGapsOrRepeats) {
    for (int i = 0; i < 25; ++i) {
        char id[16];
        std::snprintf(id, sizeof id, "game%06d", i);
        insert(game(id, i % 2 == 0 ? "even" : "odd", 1000 + i / 3));
    }
    for (const std::string player : {"", "even"}) {
        GameQuery query;
        query.player_id = player;
        query.limit = 4;
        std::vector<std::string> seen;
        for (;;) {
            const auto page =
                store_->read([&](Session& s) { return games_table::list(s, query); });
            for (const GameRecord& record : page) seen.push_back(record.id);
            if (static_cast<int>(page.size()) < query.limit) break;
            query.before = page.back().created_at;
            query.before_id = page.back().id;
        }
        EXPECT_EQ(seen.size(), player.empty() ? 25u : 13u);
        EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
    }
}

TEST_F(StoreTest, AdoptionGivesAllGamesOfAGuestToTheUser) {
    store_->write([](Session& s) {
        accounts_table::insert_user(s, user("u1", "ana"));
        accounts_table::insert_guest(s, {"g1", 1234, 1000, 1000});
    });
    GameRecord mine = game("game000001", "g1", 1000);
    mine.white.kind = SeatKind::Guest;
    insert(mine);
    store_->write([](Session& s) { accounts_table::adopt_guest(s, "g1", "u1"); });
    GameQuery query;
    query.player_id = "u1";
    const auto games = store_->read([&](Session& s) { return games_table::list(s, query); });
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].white.kind, SeatKind::User);
    EXPECT_EQ(games[0].white.name, "ana");
    EXPECT_FALSE(store_->read([](Session& s) { return accounts_table::guest_by_id(s, "g1"); }));
}

TEST_F(StoreTest, BackupIsACompleteCheckedCopyAndOldOnesGo) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    const auto file = store_->backup("test-", 7);
    EXPECT_EQ(check_sqlite(file), "");
    const auto copy = open_sqlite(file, SqliteAccess::ReadOnly);
    EXPECT_TRUE(accounts_table::user_by_folded_name(*copy, "ana"));
}

TEST(StoreOpening, ANewerSchemaIsRefusedWithAClearLine) {
    const test::TemporaryFolder folder;
    { Store store(StoreOptions{folder.path() / "d", "", nullptr}); }
    {
        const auto session = open_sqlite(folder.path() / "d/rokada.db", SqliteAccess::ReadWrite);
        session->run("INSERT INTO schema_migrations VALUES(9999,'future',0,0)");
    }
    try {
        Store store(StoreOptions{folder.path() / "d", "", nullptr});
        FAIL() << "opened data of a newer program";
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), StoreFault::SchemaTooNew);
        EXPECT_NE(std::string(error.what()).find("newer Rokada"), std::string::npos);
    }
}

TEST(StoreOpening, AFileOfAnotherProgramIsLeftAlone) {
    const test::TemporaryFolder folder;
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder.path() / "rokada.db").c_str(), &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE precious(x)", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    try {
        Store store(StoreOptions{folder.path(), "", nullptr});
        FAIL() << "took over a foreign file";
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), StoreFault::Corrupt);
    }
}

TEST(StoreOpening, DamagedFilesAreReportedNotCrashedOn) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "rokada.db") << std::string(8192, 'x');
    EXPECT_THROW(Store(StoreOptions{folder.path(), "", nullptr}), StoreError);
}

}  // namespace
}  // namespace rokada::server
