// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of the schema carries what was there before: a row in every table of every version comes
// through the upgrade, and through a backup made before it.
#include <sstream>

#include <gtest/gtest.h>

#include "server/store/dump.hpp"
#include "server/store/migrations.hpp"
#include "tests/server/databases.hpp"

namespace rokada::server {
namespace {

constexpr const char* kText = "kept";
constexpr std::int64_t kNumber = 1;

struct Column {
    std::string name;
    bool number = false;
};
struct Table {
    std::string name;
    std::vector<Column> columns;
};

// The log of moves and its runs have a form of their own that a start reads; MoveLogTest has them.
bool is_plain(std::string_view table) { return table != "move_log" && table != "move_runs"; }

std::vector<Column> columns_of(Session& session, const std::string& table) {
    const auto rows = session.select(
        session.dialect() == SqlDialect::Sqlite
            ? "SELECT name, type FROM pragma_table_info($1) ORDER BY cid"
            : "SELECT column_name, data_type FROM information_schema.columns WHERE "
              "table_schema=current_schema() AND table_name=$1 ORDER BY ordinal_position",
        table);
    std::vector<Column> columns;
    while (rows->next())
        columns.push_back({rows->text(0), rows->text(1) == "INTEGER" || rows->text(1) == "bigint"});
    return columns;
}

// One row in each of them; the keys of all are the same, so that each finds its parent.
std::vector<Table> fill(Session& session) {
    const std::vector<std::string> there = table_names(session);
    std::vector<Table> filled;
    for (const std::string_view name : dumped_tables()) {
        if (!is_plain(name) || std::find(there.begin(), there.end(), name) == there.end()) continue;
        Table table{std::string(name), columns_of(session, std::string(name))};
        std::string names, marks;
        std::vector<SqlValue> values;
        for (const Column& column : table.columns) {
            names += (names.empty() ? "" : ",") + column.name;
            marks += (marks.empty() ? "$" : ",$") + std::to_string(values.size() + 1);
            values.push_back(column.number ? SqlValue(kNumber) : SqlValue(std::string_view(kText)));
        }
        session.run_values("INSERT INTO " + table.name + "(" + names + ") VALUES(" + marks + ")",
                           values);
        filled.push_back(std::move(table));
    }
    return filled;
}

void expect_kept(Session& session, const std::vector<Table>& tables, int version) {
    for (const Table& table : tables) {
        std::string names;
        for (const Column& column : table.columns)
            names += (names.empty() ? "" : ",") + column.name;
        const auto row = session.select("SELECT " + names + " FROM " + table.name);
        ASSERT_TRUE(row->next()) << table.name << " of schema " << version << " is empty";
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            EXPECT_EQ(row->text(static_cast<int>(i)),
                      table.columns[i].number ? std::to_string(kNumber) : kText)
                << table.name << "." << table.columns[i].name << " of schema " << version;
    }
}

class MigrationRows : public test::OnBothDatabases {
  protected:
    std::unique_ptr<Session> fresh(const std::string& name) const {
        return sqlite() ? open_sqlite(folder_.path() / name, SqliteAccess::ReadWrite)
                        : open_postgres(test::PrivatePostgres::get()->fresh_url());
    }
};
INSTANTIATE_TEST_SUITE_P(Engines, MigrationRows, test::kBothDatabases, test::engine_name);

TEST_P(MigrationRows, OfEveryTableComeThroughEveryUpgradeAndEveryBackup) {
    for (int version = 1; version <= newest_schema_version(); ++version) {
        const auto session = fresh("old" + std::to_string(version));
        migrate(*session, version);
        session->begin_write();
        const std::vector<Table> tables = fill(*session);
        session->commit();
        std::stringstream backup;
        write_dump(*session, backup);
        migrate(*session);
        expect_kept(*session, tables, version);
        const auto restored = fresh("restored" + std::to_string(version));
        read_dump(*restored, backup);
        expect_kept(*restored, tables, version);
        // And over data that is there already.
        std::istringstream again(backup.str());
        read_dump(*restored, again, DataBefore::Replaced);
        expect_kept(*restored, tables, version);
        EXPECT_EQ(schema_version(*restored), newest_schema_version());
    }
}

}  // namespace
}  // namespace rokada::server
