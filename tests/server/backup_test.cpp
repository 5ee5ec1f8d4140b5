// SPDX-License-Identifier: GPL-3.0-or-later
// Copies are made, kept and restored: by the server itself, by its administrator, by the commands.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "server/store/cluster_table.hpp"
#include "server/store/dump.hpp"
#include "server/store/games_table.hpp"
#include "tests/server/cluster_people.hpp"
#include "tests/server/databases.hpp"
#include "tests/server/eventually.hpp"
#include "tests/server/program_run.hpp"
#include "tests/server/server_process.hpp"
#include "tests/server/site_fixture.hpp"

namespace rokada::server::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

std::vector<std::string> copies(const fs::path& data) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(data / "backups", none))
        if (entry.path().extension() == ".db" || entry.path().extension() == ".dump")
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

class Copies : public OnBothDatabases {};
INSTANTIATE_TEST_SUITE_P(Engines, Copies, kBothDatabases, engine_name);

TEST_P(Copies, TheLastSevenOfEachKindAreKept) {
    const fs::path folder = options_.folder / "backups";
    fs::create_directories(folder);
    const std::string ending = sqlite() ? ".db" : ".dump";
    for (int day = 1; day <= 9; ++day)
        std::ofstream(folder / ("daily-2026010" + std::to_string(day) + "T000000Z" + ending))
            << "x";
    std::ofstream(folder / ("manual-20260101T000000Z" + ending)) << "x";
    const fs::path made = store_->backup("daily-", kCopiesKept);
    std::vector<std::string> expected;
    for (int day = 4; day <= 9; ++day)
        expected.push_back("daily-2026010" + std::to_string(day) + "T000000Z" + ending);
    expected.push_back(made.filename().string());
    expected.push_back("manual-20260101T000000Z" + ending);
    EXPECT_EQ(copies(options_.folder), expected);
}

TEST_P(Copies, ACopyIsWholeAndReadableByItsOwnerOnly) {
    store_->write([](Session& s) { games_table::set_fact(s, "a", "1"); });
    const fs::path file = store_->backup("daily-", kCopiesKept);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    if (sqlite()) {
        EXPECT_EQ(games_table::fact(*open_sqlite(file, SqliteAccess::ReadOnly), "a"), "1");
    } else {
        const auto target = open_sqlite(folder_.path() / "copy.db", SqliteAccess::ReadWrite);
        std::ifstream in(file);
        read_dump(*target, in);
        EXPECT_EQ(games_table::fact(*target, "a"), "1");
    }
}

class OwnCopies : public SiteTest, public ::testing::WithParamInterface<Engine> {
  protected:
    void SetUp() override {
        if (GetParam() == Engine::Postgres) {
            PrivatePostgres* postgres = PrivatePostgres::get();
            if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
            options_.database = postgres->fresh_url();
        }
        options_.lan = true;
    }
};
INSTANTIATE_TEST_SUITE_P(Engines, OwnCopies, kBothDatabases, engine_name);

TEST_P(OwnCopies, AreMadeOnceADay) {
    options_.beat = std::chrono::milliseconds(1);
    start();
    const auto daily = [this] { return copies(options_.data); };
    ASSERT_TRUE(eventually([&] { return daily().size() == 1; }));
    EXPECT_THAT(daily(), Contains(StartsWith("daily-")));
    const auto before = daily();
    start();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_EQ(daily(), before) << "the last one is not a day old";
    const fs::path made = options_.data / "backups" / before.front();
    const fs::path older =
        made.parent_path() / ("daily-20260101T000000Z" + made.extension().string());
    fs::rename(made, older);
    fs::last_write_time(older, fs::file_time_type::clock::now() - std::chrono::hours(25));
    std::ofstream(made.string() + ".part") << "cut off by a crash";
    start();
    EXPECT_TRUE(eventually([&] { return daily().size() == 2; }));
}

TEST_P(OwnCopies, AreMadeWhenTheAdministratorAsks) {
    start();
    Visitor admin(*this);
    const std::string link = site_->setup_link();
    admin.post("/api/v1/setup", "{\"code\":\"" + link.substr(link.find('#') + 1) +
                                    "\",\"username\":\"Chief\",\"password\":\"the quiet river\"}");
    const Answer made = admin.post("/api/v1/admin/backup");
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_TRUE(fs::exists(made.text("/file")));
}

// Two servers must not think that they are alone.
class Claims : public OnPostgres {
  protected:
    std::string refusal(StoreSharing sharing) {
        StoreOptions other = options_;
        other.folder = folder_.path() / "other";
        try {
            const Store second(other, sharing);
        } catch (const StoreError& error) {
            EXPECT_EQ(error.fault(), StoreFault::Busy);
            return error.what();
        }
        return "none";
    }
    void be_alone() {
        store_.reset();
        store_ = std::make_unique<Store>(options_);
    }
};

TEST_F(Claims, OneServerOnADatabaseIsTheOnlyOne) {
    be_alone();
    EXPECT_EQ(refusal(StoreSharing::Exclusive), "another Rokada server uses this database");
    EXPECT_EQ(refusal(StoreSharing::OneOfSeveral), "another Rokada server uses this database");
    EXPECT_EQ(refusal(StoreSharing::Shared), "none") << "commands work beside it";
    store_.reset();
    EXPECT_EQ(refusal(StoreSharing::Exclusive), "none");
}

TEST_F(Claims, NobodyIsAloneWhileOneOfSeveralLives) {
    NodeRecord node;
    node.id = "id";
    node.name = "one";
    store_->write([&node](Session& s) { cluster_table::join(s, node, 60'000); });
    EXPECT_EQ(refusal(StoreSharing::OneOfSeveral), "none");
    EXPECT_THAT(refusal(StoreSharing::Exclusive), HasSubstr("another Rokada server"));
    EXPECT_THAT(refusal(StoreSharing::Exclusive), HasSubstr("(--bus): one"));
    store_->write([](Session& s) { cluster_table::leave(s, "id"); });
    EXPECT_EQ(refusal(StoreSharing::Exclusive), "none");
}

TEST_F(Claims, OutliveARestartOfTheDatabase) {
    be_alone();
    postgres_->restart(false);
    EXPECT_TRUE(eventually([this] {
        return !store_->writer().submit_and_wait(
            [](Session& s) { games_table::set_fact(s, "a", "1"); });
    }));
    EXPECT_THAT(refusal(StoreSharing::Exclusive), HasSubstr("another Rokada server"));
}

// The commands on real data, as somebody does it who has lost his.
class RestoreDrill : public ::testing::TestWithParam<Engine> {
  protected:
    void SetUp() override {
        place_ = " --data " + data_.string();
        if (GetParam() == Engine::Sqlite) return;
        PrivatePostgres* postgres = PrivatePostgres::get();
        if (postgres == nullptr) GTEST_SKIP() << "PostgreSQL is not installed";
        url_ = postgres->fresh_url();
        place_ += " --db '" + url_ + "'";
    }
    std::unique_ptr<ServerProcess> serve() const {
        std::vector<std::string> more;
        if (!url_.empty()) more = {"--db", url_};
        return std::make_unique<ServerProcess>(data_, more);
    }
    ProgramRun run(const std::string& command, const std::string& more = "") const {
        return run_program(command + place_ + (more.empty() ? "" : " " + more));
    }

    const TemporaryFolder folder_;
    const fs::path data_ = folder_.path() / "data";
    const std::string file_ = (folder_.path() / "all.dump").string();
    std::string place_, url_;
};
INSTANTIATE_TEST_SUITE_P(Engines, RestoreDrill, kBothDatabases, engine_name);

TEST_P(RestoreDrill, EverythingIsAsItWasWhenTheBackupWasMade) {
    auto server = serve();
    net::Loops loops(1);
    net::HttpClient client(loops);
    Person ana(client, server->origin()), ben(client, server->origin());
    const std::string game = ana.new_game("null");
    ASSERT_EQ(ben.act(game, "join").status, 200);
    ASSERT_EQ(ana.move(game, 1, "e2e4"), 200);
    ASSERT_EQ(ben.move(game, 2, "e7e5"), 200);
    {
        Store beside({data_, url_, nullptr}, StoreSharing::Shared);
        beside.write(
            [&game](Session& s) { games_table::save_review(s, game, R"({"kept":true})", 1); });
    }
    EXPECT_EQ(run("user", "add mia").code, 0) << "beside a running server";
    const ProgramRun saved = run("backup", file_);
    ASSERT_EQ(saved.code, 0) << saved.output;
    const ProgramRun refused = run("restore", file_);
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.output, HasSubstr("another Rokada server"));
    EXPECT_EQ(run("user", "add leo").code, 0);
    ASSERT_EQ(ana.move(game, 3, "g1f3"), 200);
    server->kill();

    EXPECT_EQ(run_program("verify " + file_).code, 0);
    const ProgramRun restored = run("restore", file_);
    EXPECT_EQ(restored.code, 0) << restored.output;
    EXPECT_THAT(restored.output, HasSubstr("The data before is kept as "));
    EXPECT_EQ(run("verify").code, 0);
    EXPECT_EQ(run("user", "list").output, "mia\n");
    server = serve();
    ana.origin = ben.origin = server->origin();
    EXPECT_EQ(moves_of(ana.look(game)), (std::vector<std::string>{"e2e4", "e7e5"}));
    EXPECT_EQ(ana.send(net::Method::kGet, "/api/v1/games/" + game + "/review").body,
              R"({"kept":true})");
    EXPECT_EQ(ana.move(game, 3, "d2d4"), 200) << "the session and the game go on";
}

}  // namespace
}  // namespace rokada::server::test
