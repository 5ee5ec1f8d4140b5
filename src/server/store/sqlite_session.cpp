// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/sqlite_session.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "server/store/wal_room.hpp"

namespace rokada::server {
namespace {

constexpr int kApplicationId = 0x526F6B61;  // "Roka"

StoreFault fault_of(int extended) {
    switch (extended) {
        case SQLITE_CONSTRAINT_UNIQUE:
        case SQLITE_CONSTRAINT_PRIMARYKEY:
        case SQLITE_CONSTRAINT_ROWID: return StoreFault::Unique;
        case SQLITE_CONSTRAINT_FOREIGNKEY: return StoreFault::ForeignKey;
        default: break;
    }
    switch (extended & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return StoreFault::Busy;
        case SQLITE_FULL: return StoreFault::DiskFull;
        case SQLITE_READONLY: return StoreFault::ReadOnly;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB: return StoreFault::Corrupt;
        case SQLITE_IOERR: return StoreFault::InputOutput;
        default: return StoreFault::Other;
    }
}

struct CloseDatabase {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

[[noreturn]] void fail(sqlite3* db, std::string_view doing) {
    const int code = sqlite3_extended_errcode(db);
    throw StoreError(fault_of(code), std::string(doing) + ": " + sqlite3_errmsg(db));
}

struct Prepared {
    sqlite3_stmt* statement = nullptr;
    std::vector<int> slots;  // slots[n] is SQLite's own index of parameter $n
    bool in_use = false;
};

// Finds a text without making a copy of it.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};

void finish(Prepared& prepared) {
    sqlite3_reset(prepared.statement);
    sqlite3_clear_bindings(prepared.statement);
    prepared.in_use = false;
}

class SqliteCursor final : public Cursor {
  public:
    SqliteCursor(sqlite3* db, Prepared& prepared) : db_(db), prepared_(prepared) {}
    ~SqliteCursor() override { finish(prepared_); }

    bool next() override {
        const int code = sqlite3_step(prepared_.statement);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) fail(db_, "read");
        return false;
    }
    bool is_null(int column) const override {
        return sqlite3_column_type(prepared_.statement, column) == SQLITE_NULL;
    }
    std::int64_t integer(int column) const override {
        return sqlite3_column_int64(prepared_.statement, column);
    }
    std::string text(int column) const override {
        const auto* bytes = sqlite3_column_text(prepared_.statement, column);
        if (bytes == nullptr) return {};
        const int size = sqlite3_column_bytes(prepared_.statement, column);
        return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
    }

    int columns() const override { return sqlite3_column_count(prepared_.statement); }
    std::string name(int column) const override {
        return sqlite3_column_name(prepared_.statement, column);
    }
    bool is_integer(int column) const override {
        return sqlite3_column_type(prepared_.statement, column) == SQLITE_INTEGER;
    }

  private:
    sqlite3* db_;
    Prepared& prepared_;
};

class SqliteSession final : public Session {
  public:
    explicit SqliteSession(Database db) : db_(std::move(db)) {}
    void keep_room(int checkpoint_pages) { room_.emplace(db_.get(), checkpoint_pages); }
    ~SqliteSession() override {
        for (auto& entry : prepared_) sqlite3_finalize(entry.second->statement);
    }

    SqlDialect dialect() const override { return SqlDialect::Sqlite; }

    std::unique_ptr<Cursor> select_values(std::string_view sql,
                                          std::span<const SqlValue> values) override {
        Prepared& prepared = bind(sql, values, true);
        return std::make_unique<SqliteCursor>(db_.get(), prepared);
    }

    std::int64_t run_values(std::string_view sql, std::span<const SqlValue> values) override {
        Prepared& prepared = bind(sql, values, false);
        int code = sqlite3_step(prepared.statement);
        while (code == SQLITE_ROW) code = sqlite3_step(prepared.statement);
        if (code != SQLITE_DONE) {
            const int extended = sqlite3_extended_errcode(db_.get());
            const std::string message = sqlite3_errmsg(db_.get());
            finish(prepared);
            throw StoreError(fault_of(extended), "write: " + message);
        }
        finish(prepared);
        return sqlite3_changes64(db_.get());
    }

    void script(const std::string& sql) override {
        if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            fail(db_.get(), "script");
    }

    void begin_read() override { run("BEGIN"); }
    void begin_write(Writes) override {
        run("BEGIN IMMEDIATE");
        if (room_) room_->provide();
    }
    void commit() override { run("COMMIT"); }
    void rollback() noexcept override {
        sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    void savepoint() override { run("SAVEPOINT one"); }
    void release_savepoint() override { run("RELEASE one"); }
    void rollback_to_savepoint() override {
        run("ROLLBACK TO one");
        run("RELEASE one");
    }

  private:
    Prepared& bind(std::string_view sql, std::span<const SqlValue> values, bool outlives_call) {
        Prepared& prepared = find(sql);
        if (prepared.in_use) throw StoreError(StoreFault::Other, "query used inside itself");
        prepared.in_use = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i + 1 >= prepared.slots.size() || prepared.slots[i + 1] == 0) continue;
            const int slot = prepared.slots[i + 1];
            if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
                sqlite3_bind_int64(prepared.statement, slot, *number);
            } else if (const auto* text = std::get_if<std::string_view>(&values[i])) {
                const char* data = text->data() == nullptr ? "" : text->data();
                sqlite3_bind_text64(prepared.statement, slot, data, text->size(),
                                    outlives_call ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
            } else if (std::holds_alternative<SqlArray>(values[i])) {
                throw StoreError(StoreFault::Other, "arrays are for PostgreSQL");
            } else {
                sqlite3_bind_null(prepared.statement, slot);
            }
        }
        return prepared;
    }

    Prepared& find(std::string_view sql) {
        const auto found = prepared_.find(sql);
        if (found != prepared_.end()) return *found->second;
        auto prepared = std::make_unique<Prepared>();
        if (sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                               SQLITE_PREPARE_PERSISTENT, &prepared->statement,
                               nullptr) != SQLITE_OK)
            fail(db_.get(), sql);
        for (int n = 1; n <= sqlite3_bind_parameter_count(prepared->statement); ++n)
            prepared->slots.resize(prepared->slots.size() + 1);
        prepared->slots.resize(std::max<std::size_t>(prepared->slots.size() + 1, 48));
        for (std::size_t n = 1; n < prepared->slots.size(); ++n) {
            const std::string name = "$" + std::to_string(n);
            prepared->slots[n] = sqlite3_bind_parameter_index(prepared->statement, name.c_str());
        }
        return *prepared_.emplace(std::string(sql), std::move(prepared)).first->second;
    }

    Database db_;
    std::optional<WalRoom> room_;
    std::unordered_map<std::string, std::unique_ptr<Prepared>, TextHash, std::equal_to<>> prepared_;
};

std::int64_t pragma(Session& session, const char* name) {
    const auto cursor = session.select(name);
    return cursor->next() ? cursor->integer(0) : 0;
}

Database open_file(const std::filesystem::path& file, int flags, const char* vfs) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, vfs);
    Database db(raw);
    if (code != SQLITE_OK) {
        const std::string why = raw != nullptr ? sqlite3_errmsg(raw) : sqlite3_errstr(code);
        throw StoreError(fault_of(code), "cannot open " + file.string() + ": " + why);
    }
    sqlite3_extended_result_codes(raw, 1);
    sqlite3_busy_timeout(raw, 5000);
    return db;
}

}  // namespace

std::unique_ptr<Session> open_sqlite(const std::filesystem::path& file, SqliteAccess access,
                                     const char* vfs) {
    const bool writing = access == SqliteAccess::ReadWrite;
    const int flags = writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    auto session = std::make_unique<SqliteSession>(open_file(file, flags, vfs));
    if (writing) {
        const auto tables = pragma(*session, "SELECT count(*) FROM sqlite_schema");
        const auto id = pragma(*session, "PRAGMA application_id");
        if (tables == 0) {
            session->script("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id=" +
                            std::to_string(kApplicationId));
        } else if (id != kApplicationId) {
            throw StoreError(StoreFault::Corrupt,
                             file.string() + " is not a Rokada database; nothing was changed");
        }
        // The same pages change again and again; they go to the main file once in 8000, 32 MB. The
        // pages of games that are being played stay in memory, so that no move has to read them.
        constexpr int kLogPages = 8000;
        session->script(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-16384");
        session->keep_room(kLogPages);
    } else {
        session->script("PRAGMA query_only=ON");
    }
    session->script(
        "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
        "PRAGMA temp_store=MEMORY");
    return session;
}

std::string check_sqlite(const std::filesystem::path& file) {
    SqliteSession session(open_file(file, SQLITE_OPEN_READWRITE, nullptr));
    std::string problems;
    for (const char* check : {"PRAGMA integrity_check", "PRAGMA foreign_key_check"}) {
        const auto cursor = session.select(check);
        while (cursor->next())
            if (const std::string line = cursor->text(0); line != "ok") problems += line + "\n";
    }
    return problems;
}

void copy_sqlite(const std::filesystem::path& from, const std::filesystem::path& to) {
    const Database source = open_file(from, SQLITE_OPEN_READWRITE, nullptr);
    const std::filesystem::path part = to.string() + ".part";
    std::filesystem::remove(part);
    {
        const Database target =
            open_file(part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        sqlite3_backup* backup = sqlite3_backup_init(target.get(), "main", source.get(), "main");
        if (backup == nullptr) fail(target.get(), "backup");
        int code = SQLITE_OK;
        do {
            code = sqlite3_backup_step(backup, 256);
            if (code == SQLITE_BUSY || code == SQLITE_LOCKED) sqlite3_sleep(20);
        } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
        sqlite3_backup_finish(backup);
        if (code != SQLITE_DONE) fail(target.get(), "backup");
        // One self-contained file: no write-ahead log beside the copy.
        if (sqlite3_exec(target.get(), "PRAGMA journal_mode=DELETE", nullptr, nullptr, nullptr) !=
            SQLITE_OK)
            fail(target.get(), "backup");
    }
    if (const std::string problems = check_sqlite(part); !problems.empty())
        throw StoreError(StoreFault::Corrupt, "the copy is damaged: " + problems);
    const int handle = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = handle >= 0 && ::fsync(handle) == 0;
    if (handle >= 0) ::close(handle);
    if (!synced) throw StoreError(StoreFault::InputOutput, "cannot sync " + part.string());
    std::filesystem::permissions(
        part, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::rename(part, to);
    const int folder = ::open(to.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
}

}  // namespace rokada::server
