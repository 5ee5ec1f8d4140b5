// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/dump.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "server/store/games_table.hpp"
#include "server/store/migrations.hpp"
#include "server/store/move_runs.hpp"

namespace rokada::server {
namespace {

// Parents before children.
constexpr std::array<std::string_view, 15> kTables{
    "users",   "guests",      "sessions",  "games",          "seats",
    "moves",   "game_events", "facts",     "recovery_codes", "api_tokens",
    "uploads", "move_log",    "move_runs", "reviews",        "admin_log"};

constexpr std::array kOmitted{
    OmittedTable{"schema_migrations", "made again with the schema, whose version the heading has"},
    OmittedTable{"nodes", "the servers that live at this moment"},
    OmittedTable{"workers", "the workers that live at this moment"},
    OmittedTable{"job_askers", "those who wait for a job at this moment"},
    OmittedTable{"jobs", "worthless without the one who waits for it"}};

class Checksum {  // FNV-1a: against accidents, not against malice
  public:
    void add(std::string_view line) {
        for (const char c : line) step(c);
        step('\n');
    }
    std::string text() const { return std::to_string(hash_); }

  private:
    void step(char c) { hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u; }
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '\t': result += "\\t"; break;
            case '\n': result += "\\n"; break;
            case '\r': result += "\\r"; break;
            case '\\': result += "\\\\"; break;
            default: result += c;
        }
    }
    return result;
}

std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        const char c = text[++i];
        result += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    return result;
}

[[noreturn]] void damaged(std::int64_t line, const std::string& why) {
    throw StoreError(StoreFault::Corrupt,
                     "the backup is damaged at line " + std::to_string(line) + ": " + why);
}

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0;;) {
        const std::size_t tab = line.find('\t', at);
        parts.push_back(line.substr(at, tab == std::string_view::npos ? tab : tab - at));
        if (tab == std::string_view::npos) return parts;
        at = tab + 1;
    }
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

bool known_table(std::string_view name) {
    return std::find(kTables.begin(), kTables.end(), name) != kTables.end();
}

// Those of them that a schema of this age has.
std::vector<std::string_view> tables_of(Session& session) {
    const std::vector<std::string> there = table_names(session);
    std::vector<std::string_view> tables;
    for (const std::string_view table : kTables)
        if (std::find(there.begin(), there.end(), table) != there.end()) tables.push_back(table);
    return tables;
}

// Piece by piece: PostgreSQL would send a table as a whole, and memory is smaller than disks are.
class WholeTable {
  public:
    WholeTable(Session& session, std::string_view table) : session_(session) {
        const std::string query = "SELECT * FROM " + std::string(table);
        if (in_pieces()) session_.script("DECLARE whole_table NO SCROLL CURSOR FOR " + query);
        rows_ = session_.select(in_pieces() ? kNextPiece : std::string_view(query));
    }
    const Cursor& row() const { return *rows_; }
    bool next() {
        if (rows_->next()) return true;
        if (!in_pieces()) return false;
        rows_ = session_.select(kNextPiece);
        if (rows_->next()) return true;
        session_.script("CLOSE whole_table");
        return false;
    }

  private:
    static constexpr std::string_view kNextPiece = "FETCH 5000 FROM whole_table";
    bool in_pieces() const { return session_.dialect() == SqlDialect::Postgres; }
    Session& session_;
    std::unique_ptr<Cursor> rows_;
};

std::string line_of(const Cursor& row) {
    std::string line;
    for (int c = 0; c < row.columns(); ++c) {
        if (c > 0) line += '\t';
        if (row.is_null(c)) {
            line += 'n';
        } else if (row.is_integer(c)) {
            line += 'i' + std::to_string(row.integer(c));
        } else {
            line += 't' + escaped(row.text(c));
        }
    }
    return line;
}

using TableHandler =
    std::function<void(std::string_view table, const std::vector<std::string_view>& columns)>;
using RowHandler = std::function<void(const std::vector<std::string_view>& fields)>;

// Walks through a dump and checks its form; `begin` comes with the schema version.
DumpSummary walk(std::istream& in, const std::function<void(int schema)>& begin,
                 const TableHandler& on_table, const RowHandler& on_row) {
    DumpSummary summary;
    Checksum checksum;
    std::string line;
    std::int64_t number = 1;
    constexpr std::string_view kHeading = "rokada-dump 1 ";
    if (!std::getline(in, line) || line.rfind(kHeading, 0) != 0)
        throw StoreError(StoreFault::Corrupt, "this is not a Rokada backup");
    checksum.add(line);
    const std::string_view schema = std::string_view(line).substr(kHeading.size());
    std::from_chars(schema.data(), schema.data() + schema.size(), summary.schema);
    if (summary.schema < 1) damaged(1, "no schema version");
    if (summary.schema > newest_schema_version())
        throw StoreError(StoreFault::SchemaTooNew, "the backup was made by a newer Rokada");
    begin(summary.schema);
    std::size_t width = 0;
    while (std::getline(in, line)) {
        ++number;
        if (!line.empty() && line[0] == '.') {
            const auto parts = split(std::string_view(line).substr(1));
            if (parts.size() != 2 || parts[0] != std::to_string(summary.rows))
                damaged(number, "rows are missing");
            if (parts[1] != checksum.text()) damaged(number, "the checksum differs");
            return summary;
        }
        checksum.add(line);
        if (!line.empty() && line[0] == '=') {
            auto names = split(std::string_view(line).substr(1));
            for (const std::string_view name : names)
                if (!is_name(name)) damaged(number, "not a name");
            const std::string_view table = names.front();
            if (!known_table(table)) damaged(number, "unknown table " + std::string(table));
            names.erase(names.begin());
            width = names.size();
            on_table(table, names);
            continue;
        }
        const auto fields = split(line);
        if (width == 0 || fields.size() != width) damaged(number, "wrong number of fields");
        for (const std::string_view field : fields)
            if (field.empty() || (field[0] != 't' && field[0] != 'i' && field != "n"))
                damaged(number, "unknown kind of field");
        on_row(fields);
        ++summary.rows;
    }
    damaged(number, "the end is missing");
}

// Children go before their parents.
void make_room(Session& session, DataBefore before) {
    const int there = schema_version(session);
    if (there == 0) return;
    if (before == DataBefore::None)
        throw StoreError(StoreFault::Conflict, "the database is not empty");
    if (there > newest_schema_version())
        throw StoreError(StoreFault::SchemaTooNew, "the data there is of a newer Rokada");
    const std::vector<std::string> tables = table_names(session);
    const auto drop = [&](std::string_view table) {
        if (std::find(tables.begin(), tables.end(), table) != tables.end())
            session.script("DROP TABLE " + std::string(table));
    };
    for (auto at = kOmitted.rbegin(); at != kOmitted.rend(); ++at) drop(at->name);
    for (auto at = kTables.rbegin(); at != kTables.rend(); ++at) drop(*at);
}

}  // namespace

std::span<const std::string_view> dumped_tables() { return kTables; }
std::span<const OmittedTable> omitted_tables() { return kOmitted; }

DumpSummary write_dump(Session& session, std::ostream& out) {
    session.begin_read();
    DumpSummary summary;
    Checksum checksum;
    const auto put = [&](const std::string& line) {
        checksum.add(line);
        out << line << '\n';
    };
    try {
        summary.schema = schema_version(session);
        put("rokada-dump 1 " + std::to_string(summary.schema));
        for (const std::string_view table : tables_of(session)) {
            WholeTable rows(session, table);
            std::string heading = "=" + std::string(table);
            for (int c = 0; c < rows.row().columns(); ++c) heading += "\t" + rows.row().name(c);
            put(heading);
            while (rows.next()) {
                put(line_of(rows.row()));
                ++summary.rows;
            }
        }
        session.commit();
    } catch (...) {
        session.rollback();
        throw;
    }
    out << '.' << summary.rows << '\t' << checksum.text() << '\n';
    out.flush();
    if (!out) throw StoreError(StoreFault::DiskFull, "the backup could not be written");
    return summary;
}

DumpSummary verify_dump(std::istream& in) {
    return walk(in, [](int) {}, [](std::string_view, const auto&) {}, [](const auto&) {});
}

DumpSummary read_dump(Session& session, std::istream& in, DataBefore before) {
    std::string insert;
    bool with_runs = false;
    session.begin_write();
    try {
        const DumpSummary summary = walk(
            in,
            [&](int schema) {
                make_room(session, before);
                build_schema(session, 0, schema);
            },
            [&](std::string_view table, const std::vector<std::string_view>& columns) {
                with_runs |= table == "move_runs";
                insert = "INSERT INTO " + std::string(table) + "(";
                std::string marks;
                for (std::size_t i = 0; i < columns.size(); ++i) {
                    insert += (i > 0 ? "," : "") + std::string(columns[i]);
                    marks += (i > 0 ? ",$" : "$") + std::to_string(i + 1);
                }
                insert += ") VALUES(" + marks + ")";
            },
            [&](const std::vector<std::string_view>& fields) {
                std::vector<std::string> texts(fields.size());
                std::vector<SqlValue> values(fields.size());
                for (std::size_t i = 0; i < fields.size(); ++i) {
                    const std::string_view content = fields[i].substr(1);
                    if (fields[i][0] == 'i') {
                        std::int64_t value = 0;
                        std::from_chars(content.data(), content.data() + content.size(), value);
                        values[i] = value;
                    } else if (fields[i][0] == 't') {
                        texts[i] = unescaped(content);
                        values[i] = std::string_view(texts[i]);
                    }
                }
                session.run_values(insert, values);
            });
        // PostgreSQL knows no runs of moves.
        if (with_runs)
            for (const std::string& game : move_runs::games(session))
                games_table::spread_runs(session, game);
        build_schema(session, summary.schema, newest_schema_version());
        session.commit();
        return summary;
    } catch (...) {
        session.rollback();
        throw;
    }
}

}  // namespace rokada::server
