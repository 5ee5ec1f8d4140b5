// SPDX-License-Identifier: GPL-3.0-or-later
// A backup holds everything that cannot be had again, of every age of the data, on both databases.
#include "server/store/dump.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/dump_file.hpp"
#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "tests/server/databases.hpp"

namespace rokada::server {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

namespace fs = std::filesystem;

class DumpTest : public test::OnBothDatabases {
  protected:
    StoreOptions fresh_place(const std::string& name) const {
        StoreOptions place = options_;
        place.folder = folder_.path() / name;
        fs::create_directories(place.folder);
        if (!sqlite()) place.url = test::PrivatePostgres::get()->fresh_url();
        return place;
    }
};

INSTANTIATE_TEST_SUITE_P(Engines, DumpTest, test::kBothDatabases, test::engine_name);

TEST_P(DumpTest, EveryTableIsInABackupOrLeftOutForAReason) {
    std::vector<std::string> known(dumped_tables().begin(), dumped_tables().end());
    for (const OmittedTable& table : omitted_tables()) {
        EXPECT_FALSE(table.reason.empty()) << table.name;
        known.emplace_back(table.name);
    }
    EXPECT_THAT(store_->read([](Session& s) { return table_names(s); }),
                UnorderedElementsAreArray(known));
}

TEST_P(DumpTest, ABackupBeforeTheUpgradeIsWhole) {
    for (int version = 1; version < newest_schema_version(); ++version) {
        const StoreOptions old = fresh_place("v" + std::to_string(version));
        const auto session = connect(old);
        migrate(*session, version);
        session->run("INSERT INTO users(id,name,folded,password,created_at) VALUES($1,$1,$1,$1,1)",
                     "kept");
        const fs::path file = old.folder / "all.dump";
        EXPECT_EQ(write_dump_file(*session, file).schema, version);
        const auto target = connect(fresh_place("r" + std::to_string(version)));
        std::ifstream in(file);
        read_dump(*target, in);
        EXPECT_EQ(schema_version(*target), newest_schema_version());
        const auto row = target->select("SELECT id FROM users");
        ASSERT_TRUE(row->next()) << "schema " << version;
        EXPECT_EQ(row->text(0), "kept");
    }
}

TEST_P(DumpTest, AFailedBackupLeavesNoFile) {
    const StoreOptions foreign = fresh_place("foreign");
    const auto session = connect(foreign);  // no schema: there is nothing to write
    const fs::path file = folder_.path() / "all.dump";
    EXPECT_THROW(write_dump_file(*session, file), StoreError);
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
        if (entry.is_regular_file()) left.push_back(entry.path().filename().string());
    EXPECT_THAT(left, ElementsAre());
}

TEST_P(DumpTest, ATableOfManyRowsIsWrittenWhole) {
    store_->write([](Session& s) {
        for (int i = 0; i < 12'000; ++i) games_table::set_fact(s, std::to_string(i), "x");
    });
    std::stringstream out;
    const DumpSummary summary = store_->read([&](Session& s) { return write_dump(s, out); });
    EXPECT_EQ(summary.rows, 12'000);
    EXPECT_EQ(verify_dump(out).rows, 12'000);
}

}  // namespace
}  // namespace rokada::server
