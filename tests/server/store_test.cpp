// SPDX-License-Identifier: GPL-3.0-or-later
// What the store promises: written means on disk, all or nothing, refused with a reason.
#include "server/store/store.hpp"

#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "server/app/accounts.hpp"
#include "server/store/accounts_table.hpp"
#include "server/store/credentials_table.hpp"
#include "server/store/dump.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_array.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/sqlite_session.hpp"
#include "tests/server/databases.hpp"

namespace rokada::server {
namespace {

// The contract: every test here runs on both databases.
class StoreTest : public test::OnBothDatabases {
  protected:
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
};

INSTANTIATE_TEST_SUITE_P(Engines, StoreTest, test::kBothDatabases, test::engine_name);

TEST_P(StoreTest, KeepsWhatWasWrittenAfterReopening) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    reopen();
    const auto found =
        store_->read([](Session& s) { return accounts_table::user_by_folded_name(s, "ana"); });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, "u1");
}

TEST_P(StoreTest, DataFolderAndFilesArePrivate) {
    if (!sqlite()) GTEST_SKIP() << "files are PostgreSQL's own";
    struct stat info{};
    ASSERT_EQ(::stat(store_->folder().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    ASSERT_EQ(::stat(store_->sqlite_file().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 077, 0u);
}

TEST_P(StoreTest, ASecondServerOnTheSameDataIsRefused) {
    try {
        Store second(options_);
        FAIL() << "two servers share one data folder";
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), StoreFault::Busy);
    }
}

TEST_P(StoreTest, TheSameNameTwiceIsAUniqueFault) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    const auto outcome = store_->writer().submit_and_wait(
        [](Session& s) { accounts_table::insert_user(s, user("u2", "ana")); });
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->fault, StoreFault::Unique);
}

TEST_P(StoreTest, AFailedWriteLeavesNothingBehindAndHarmsNoOther) {
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

TEST_P(StoreTest, AGameChangesOnlyFromTheVersionItWasReadAt) {
    insert(game("game000001", "u1", 1000));
    GameRecord next = game("game000001", "u1", 1000);
    next.version = next.ply = 1;
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

TEST_P(StoreTest, ListsArePagedWithoutGapsOrRepeats) {
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
            const auto page = store_->read([&](Session& s) { return games_table::list(s, query); });
            for (const GameRecord& record : page) seen.push_back(record.id);
            if (static_cast<int>(page.size()) < query.limit) break;
            query.before = page.back().created_at;
            query.before_id = page.back().id;
        }
        EXPECT_EQ(seen.size(), player.empty() ? 25u : 13u);
        EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
    }
}

TEST_P(StoreTest, AdoptionGivesAllGamesOfAGuestToTheUser) {
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

TEST_P(StoreTest, AGuestIsForgottenAfterNinetyDaysUnusedAndNotBefore) {
    constexpr Millis kDay = 24 * 3600 * 1000;
    class FixedTime final : public TimeSource {
      public:
        Moment now() const override { return {0, 1000 * kDay}; }
    } time;
    SystemRandom random;
    Accounts accounts(*store_, time, random, {}, {}, {});
    store_->write([](Session& s) {
        accounts_table::insert_guest(s, {"old", 1, 0, (1000 - 91) * kDay});
        accounts_table::insert_guest(s, {"young", 2, 0, (1000 - 89) * kDay});
    });
    accounts.expire();
    store_->write([](Session&) {});
    const auto known = [this](const char* id) {
        return store_->read([id](Session& s) { return accounts_table::guest_by_id(s, id); })
            .has_value();
    };
    EXPECT_FALSE(known("old"));
    EXPECT_TRUE(known("young"));
}

TEST_P(StoreTest, EverySchemaVersionIsUpgradedToTheNewest) {
    for (int version = 1; version < newest_schema_version(); ++version) {
        StoreOptions old = options_;
        old.folder = folder_.path() / ("v" + std::to_string(version));
        std::filesystem::create_directories(old.folder);
        if (!sqlite()) old.url = test::PrivatePostgres::get()->fresh_url();
        {
            const auto session = connect(old);
            migrate(*session, version);
            EXPECT_EQ(schema_version(*session), version);
            session->run(
                "INSERT INTO users(id,name,folded,password,created_at) VALUES($1,$1,$1,$1,1)",
                "kept");
        }
        Store store(old);
        EXPECT_EQ(store.read([](Session& s) { return schema_version(s); }),
                  newest_schema_version());
        EXPECT_TRUE(store.read([](Session& s) { return accounts_table::user_by_id(s, "kept"); }));
        EXPECT_FALSE(std::filesystem::is_empty(old.folder / "backups")) << "a copy was made before";
    }
}

TEST_P(StoreTest, ACodeAndATokenAreStoredAsHashesAndUsedOnce) {
    store_->write([](Session& s) {
        accounts_table::insert_user(s, user("u1", "ana"));
        credentials_table::replace_recovery_codes(s, "u1", {"h1", "h2"});
        credentials_table::insert_token(s, "th", {"t1", "u1", "phone", "play", 1, 0, 0});
    });
    bool first = false, second = false;
    std::optional<std::string> stolen, deleted;
    store_->write([&](Session& s) { first = credentials_table::use_recovery_code(s, "u1", "h1"); });
    store_->write(
        [&](Session& s) { second = credentials_table::use_recovery_code(s, "u1", "h1"); });
    EXPECT_TRUE(first);
    EXPECT_FALSE(second);
    EXPECT_EQ(
        store_->read([](Session& s) { return credentials_table::token_by_hash(s, "th"); })->scopes,
        "play");
    store_->write([&](Session& s) { stolen = credentials_table::delete_token(s, "other", "t1"); });
    EXPECT_FALSE(stolen) << "not yours";
    store_->write([&](Session& s) { deleted = credentials_table::delete_token(s, "u1", "t1"); });
    EXPECT_EQ(deleted, "th") << "whatever was opened with it can be found";
}

TEST_P(StoreTest, AnErasedUserLeavesGamesButNoTrace) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    insert(game("game000001", "u1", 1000));
    store_->write([](Session& s) { credentials_table::erase_user(s, "u1", 5000); });
    const auto found = store_->read([](Session& s) { return games_table::find(s, "game000001"); });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->white.kind, SeatKind::Deleted);
    EXPECT_EQ(found->white.player_id, "");
    EXPECT_FALSE(
        store_->read([](Session& s) { return accounts_table::user_by_folded_name(s, "ana"); }));
    const auto again = store_->writer().submit_and_wait(
        [](Session& s) { accounts_table::insert_user(s, user("u2", "ana")); });
    EXPECT_TRUE(again) << "the name stays reserved";
}

TEST_P(StoreTest, AnErasedUserComesBackNeitherWithAChangeOfTheGameNorInItsEvents) {
    store_->write([](Session& s) {
        accounts_table::insert_user(s, user("u1", "ana"));
        accounts_table::insert_user(s, user("u2", "anabel"));
    });
    const GameRecord before = game("game000001", "u1", 1000);
    const std::string opponent = R"("black":{"kind":"user","name":"anabel"}})";
    store_->write([&](Session& s) {
        games_table::insert(
            s, before,
            {{1, 0, 1, R"({"kind":"start","white":{"kind":"user","name":"ana"},)" + opponent},
             {2, 0, 2, R"({"kind":"chat","name":"ana","text":"I am \"name\":\"ana\""})"}});
        credentials_table::erase_user(s, "u1", 5000);
        // As a server would that has not heard of it: the seats are as they were.
        GameRecord after = before;
        after.version += 1;
        after.muted = "black";
        GameChange change;
        change.game = &after;
        change.version_before = before.version;
        games_table::apply(s, change);
    });
    const auto found = store_->read([](Session& s) { return games_table::find(s, "game000001"); });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->muted, "black");
    EXPECT_EQ(found->white.kind, SeatKind::Deleted);
    EXPECT_EQ(found->white.player_id + found->white.name, "");
    EXPECT_EQ(store_->read([](Session& s) {
        const auto row = s.select("SELECT white_id FROM games WHERE id='game000001'");
        return row->next() ? row->text(0) : "no game";
    }),
              "");
    const auto events =
        store_->read([](Session& s) { return games_table::events_after(s, "game000001", 0); });
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].message,
              R"({"kind":"start","white":{"kind":"deleted","name":"deleted player"},)" + opponent);
    EXPECT_EQ(events[1].message,
              R"({"kind":"chat","name":"deleted player","text":"I am \"name\":\"ana\""})");
}

TEST_P(StoreTest, StatisticsAreCountedFromTheSideOfThePlayer) {
    for (int i = 0; i < 4; ++i) {
        GameRecord record = game("game00000" + std::to_string(i), "u1", 1000 + i);
        if (i % 2 == 1) std::swap(record.white, record.black);
        insert(record);
        record.version = 1;
        record.status = GameStatus::Finished;
        record.result = i < 3 ? GameResult::WhiteWins : GameResult::Draw;
        GameChange change;
        change.game = &record;
        store_->write([&](Session& s) { games_table::apply(s, change); });
    }
    const auto counted = store_->read([](Session& s) { return games_table::statistics(s, "u1"); });
    EXPECT_EQ(counted.finished, 4);
    EXPECT_EQ(counted.computer.won, 2);
    EXPECT_EQ(counted.computer.lost, 1);
    EXPECT_EQ(counted.computer.drawn, 1);
}

TEST_P(StoreTest, ADumpMovesEverythingToEitherDatabaseAndBack) {
    store_->write([](Session& s) {
        accounts_table::insert_user(s, user("u1", "ana\tand\nben\\"));
        credentials_table::replace_recovery_codes(s, "u1", {"h1"});
        games_table::set_fact(s, "empty", "");
    });
    insert(game("game000001", "u1", 1000));
    store_->write(
        [](Session& s) { games_table::save_review(s, "game000001", "{\"a\":\"b\\n\"}", 5); });
    std::stringstream first;
    const DumpSummary written = store_->read([&](Session& s) { return write_dump(s, first); });
    const std::string text = first.str();
    std::vector<std::unique_ptr<Session>> targets;
    targets.push_back(open_sqlite(folder_.path() / "copy.db", SqliteAccess::ReadWrite));
    if (test::PrivatePostgres* postgres = test::PrivatePostgres::get())
        targets.push_back(open_postgres(postgres->fresh_url()));
    for (const auto& target : targets) {
        std::istringstream in(text);
        EXPECT_EQ(read_dump(*target, in).rows, written.rows);
        EXPECT_EQ(accounts_table::user_by_id(*target, "u1")->name, "ana\tand\nben\\");
        EXPECT_EQ(games_table::review_of(*target, "game000001"), "{\"a\":\"b\\n\"}");
        std::stringstream second;
        write_dump(*target, second);
        EXPECT_EQ(second.str(), text) << "the same data, the same file";
    }
}

TEST_P(StoreTest, ADamagedDumpIsNoticedAndChangesNothing) {
    store_->write([](Session& s) { accounts_table::insert_user(s, user("u1", "ana")); });
    std::stringstream out;
    store_->read([&](Session& s) { return write_dump(s, out); });
    const std::string text = out.str();
    std::vector<std::string> bad{"", "hello", text.substr(0, text.size() / 2),
                                 text.substr(0, text.size() - 5)};
    std::string changed = text;
    changed[changed.find("ana")] = 'A';
    bad.push_back(changed);
    int number = 0;
    for (const std::string& damaged : bad) {
        std::istringstream in(damaged);
        EXPECT_THROW(verify_dump(in), StoreError);
        const auto target = open_sqlite(folder_.path() / ("bad" + std::to_string(++number)),
                                        SqliteAccess::ReadWrite);
        std::istringstream again(damaged);
        EXPECT_THROW(read_dump(*target, again), StoreError);
        if (schema_version(*target) > 0) {
            EXPECT_FALSE(accounts_table::user_by_id(*target, "u1"));
        }
    }
}

TEST(StorePostgres, ARestartedServerIsReachedAgain) {
    test::PrivatePostgres* postgres = test::PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
    const test::TemporaryFolder folder;
    Store store(StoreOptions{folder.path(), postgres->fresh_url(), nullptr});
    store.write([](Session& s) { games_table::set_fact(s, "a", "1"); });
    postgres->restart();
    const auto lost =
        store.writer().submit_and_wait([](Session& s) { games_table::set_fact(s, "a", "2"); });
    if (lost) {
        EXPECT_EQ(lost->fault, StoreFault::ConnectionLost);
    }
    store.write([](Session& s) { games_table::set_fact(s, "a", "3"); });
    EXPECT_EQ(store.read([](Session& s) { return games_table::fact(s, "a"); }), "3");
}

TEST(StorePostgres, ColumnsOfManyRowsArriveAsTheyWere) {
    test::PrivatePostgres* postgres = test::PrivatePostgres::get();
    if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
    const std::vector<std::string> texts{"", R"({"a":"b\c"})", "NULL", "ä{,}\n", " "};
    const std::vector<std::int64_t> numbers{0, -1, INT64_MIN, INT64_MAX, 256};
    PostgresArray names(SqlArray::Of::Texts, texts.size());
    PostgresArray values(SqlArray::Of::Integers, numbers.size());
    for (const std::string& text : texts) names.add(std::string_view(text));
    for (const std::int64_t number : numbers) values.add(number);
    // Prepared, as by the one connection that writes, and not.
    for (const auto patience : {std::chrono::milliseconds(5000), kEndlessPatience}) {
        const auto session = open_postgres(postgres->fresh_url(), patience);
        const auto rows = session->select("SELECT * FROM unnest($1::text[], $2::bigint[])",
                                          names.value(), values.value());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            ASSERT_TRUE(rows->next());
            EXPECT_EQ(rows->text(0), texts[i]);
            EXPECT_EQ(rows->integer(1), numbers[i]);
        }
        EXPECT_FALSE(rows->next());
        const PostgresArray none(SqlArray::Of::Texts, 0);
        EXPECT_FALSE(session->select("SELECT unnest($1::text[])", none.value())->next());
    }
}

TEST(StoreOpening, ANewerSchemaIsRefusedWithAClearLine) {
    const test::TemporaryFolder folder;
    {
        Store store(StoreOptions{folder.path() / "d", "", nullptr});
    }
    {
        const auto session = open_sqlite(folder.path() / "d/rokada.db", SqliteAccess::ReadWrite);
        session->run(
            "INSERT INTO schema_migrations(version, name, checksum, applied_at) "
            "VALUES(9999,'future',0,0)");
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
