// SPDX-License-Identifier: GPL-3.0-or-later
// One connection to a database, SQLite or PostgreSQL. The repositories speak to this interface in the
// SQL both understand: parameters $1, $2...; integers are 64 bit, times are milliseconds since 1970.
// Not for several threads at once. Throws StoreError.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "server/store/error.hpp"

namespace rokada::server {

// Many values in one, for PostgreSQL only: see PostgresArray.
struct SqlArray {
    enum class Of { Integers, Texts } of = Of::Integers;
    std::string_view bytes;
};

using SqlValue = std::variant<std::monostate, std::int64_t, std::string_view, SqlArray>;

// The rows of one query, read forwards once. Columns count from 0.
class Cursor {
  public:
    virtual ~Cursor() = default;
    virtual bool next() = 0;
    virtual bool is_null(int column) const = 0;
    virtual std::int64_t integer(int column) const = 0;  // 0 for null
    virtual std::string text(int column) const = 0;      // empty for null
    virtual int columns() const = 0;
    virtual std::string name(int column) const = 0;
    virtual bool is_integer(int column) const = 0;  // of the value in this row

    std::optional<std::string> optional_text(int column) const {
        if (is_null(column)) return std::nullopt;
        return text(column);
    }
    std::optional<std::int64_t> optional_integer(int column) const {
        if (is_null(column)) return std::nullopt;
        return integer(column);
    }
};

namespace detail {
inline SqlValue sql_value(std::nullopt_t) { return {}; }
inline SqlValue sql_value(std::int64_t v) { return v; }
inline SqlValue sql_value(int v) { return std::int64_t{v}; }
inline SqlValue sql_value(bool v) { return std::int64_t{v}; }
inline SqlValue sql_value(std::string_view v) { return v; }
inline SqlValue sql_value(const std::string& v) { return std::string_view{v}; }
inline SqlValue sql_value(const char* v) { return std::string_view{v}; }
inline SqlValue sql_value(SqlArray v) { return v; }
template <class T>
SqlValue sql_value(const std::optional<T>& v) {
    return v ? sql_value(*v) : SqlValue{};
}
}  // namespace detail

enum class SqlDialect { Sqlite, Postgres };

// How a write stands to those of other programs on the same PostgreSQL. The built-in database has one
// writer, and each of them is alone.
enum class Writes {
    Alone,   // what it read before it wrote still holds
    Beside,  // each statement checks by itself the rows it changes: others may write meanwhile
};

class Session {
  public:
    virtual ~Session() = default;
    virtual SqlDialect dialect() const = 0;

    virtual std::unique_ptr<Cursor> select_values(std::string_view sql,
                                                  std::span<const SqlValue> values) = 0;
    // Returns the number of rows inserted, changed or deleted.
    virtual std::int64_t run_values(std::string_view sql, std::span<const SqlValue> values) = 0;
    // Several statements without parameters, for schemas.
    virtual void script(const std::string& sql) = 0;

    virtual void begin_read() = 0;  // what follows, up to commit, sees one moment of the data
    virtual void begin_write(Writes writes = Writes::Alone) = 0;
    virtual void commit() = 0;
    virtual void rollback() noexcept = 0;
    virtual void savepoint() = 0;
    virtual void release_savepoint() = 0;
    virtual void rollback_to_savepoint() = 0;

    template <class... T>
    std::unique_ptr<Cursor> select(std::string_view sql, const T&... values) {
        const std::array<SqlValue, sizeof...(T)> bound{detail::sql_value(values)...};
        return select_values(sql, bound);
    }
    template <class... T>
    std::int64_t run(std::string_view sql, const T&... values) {
        const std::array<SqlValue, sizeof...(T)> bound{detail::sql_value(values)...};
        return run_values(sql, bound);
    }
};

}  // namespace rokada::server
