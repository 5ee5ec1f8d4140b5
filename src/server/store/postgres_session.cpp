// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/postgres_session.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <vector>

#include <libpq-fe.h>
#include <poll.h>

#include "server/store/database_claim.hpp"

namespace rokada::server {
namespace {

struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Clear>;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// PostgreSQL gets this much time to say that a statement took too long.
constexpr milliseconds kGrace{1000};
// Prepared once, used again and again; there are not many different ones.
constexpr std::size_t kMostPrepared = 200;

// Classes of SQLSTATE, appendix A of the PostgreSQL manual.
StoreFault fault_of(const char* state) {
    if (state == nullptr) return StoreFault::ConnectionLost;
    const std::string_view code(state);
    if (code == "22012") return StoreFault::Conflict;  // a count that should have been another
    if (code == "23505") return StoreFault::Unique;
    if (code == "23503") return StoreFault::ForeignKey;
    if (code == "40001" || code == "40P01") return StoreFault::Busy;  // serialization, deadlock
    if (code == "55P03") return StoreFault::Busy;
    if (code == "53100") return StoreFault::DiskFull;
    if (code == "25006") return StoreFault::ReadOnly;
    if (code.substr(0, 2) == "08" || code.substr(0, 3) == "57P") return StoreFault::ConnectionLost;
    if (code == "57014") return StoreFault::Busy;  // took too long
    if (code == "58030") return StoreFault::InputOutput;
    if (code.substr(0, 2) == "XX") return StoreFault::Corrupt;
    return StoreFault::Other;
}

std::string first_line(const char* message) {
    const std::string_view text(message == nullptr ? "" : message);
    return std::string(text.substr(0, text.find('\n')));
}

class PostgresCursor final : public Cursor {
  public:
    explicit PostgresCursor(Answer answer) : answer_(std::move(answer)) {}
    bool next() override { return ++row_ < PQntuples(answer_.get()); }
    bool is_null(int column) const override {
        return PQgetisnull(answer_.get(), row_, column) != 0;
    }
    std::int64_t integer(int column) const override {
        const std::string_view bytes = view(column);
        std::int64_t value = 0;
        std::from_chars(bytes.data(), bytes.data() + bytes.size(), value);
        return value;
    }
    std::string text(int column) const override { return std::string(view(column)); }

    int columns() const override { return PQnfields(answer_.get()); }
    std::string name(int column) const override { return PQfname(answer_.get(), column); }
    bool is_integer(int column) const override { return PQftype(answer_.get(), column) == 20; }

  private:
    std::string_view view(int column) const {
        return {PQgetvalue(answer_.get(), row_, column),
                static_cast<std::size_t>(PQgetlength(answer_.get(), row_, column))};
    }
    Answer answer_;
    int row_ = -1;
};

class PostgresSession final : public Session {
  public:
    PostgresSession(std::string url, milliseconds patience, PostgresUse use, PostgresClaim claim)
        : url_(std::move(url)), patience_(patience), use_(use), claim_(claim) {
        connect();
    }

    SqlDialect dialect() const override { return SqlDialect::Postgres; }

    std::unique_ptr<Cursor> select_values(std::string_view sql,
                                          std::span<const SqlValue> values) override {
        return std::make_unique<PostgresCursor>(execute(sql, values));
    }

    std::int64_t run_values(std::string_view sql, std::span<const SqlValue> values) override {
        const Answer answer = execute(sql, values);
        return std::strtoll(PQcmdTuples(answer.get()), nullptr, 10);
    }

    void script(const std::string& sql) override {
        check(wait(PQsendQuery(connection_.get(), sql.c_str())));
    }

    void begin_read() override { script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); }
    void begin_write(Writes writes) override {
        // The only moment a lost connection may be replaced: nothing is half done here.
        if (PQstatus(connection_.get()) != CONNECTION_OK) connect();
        if (writes == Writes::Beside) return script("BEGIN");
        // Several programs may write: one at a time, as with the built-in database.
        script("BEGIN; SELECT pg_advisory_xact_lock(5721908311)");
    }
    void commit() override { script("COMMIT"); }
    void rollback() noexcept override {
        if (PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) return;
        try {
            script("ROLLBACK");
        } catch (const StoreError&) {
            connection_.reset();  // whatever it was about to do is undone with it
        }
    }
    void savepoint() override { script("SAVEPOINT one"); }
    void release_savepoint() override { script("RELEASE SAVEPOINT one"); }
    void rollback_to_savepoint() override {
        script("ROLLBACK TO SAVEPOINT one; RELEASE SAVEPOINT one");
    }

  private:
    bool hurries() const { return patience_ != kEndlessPatience; }

    void connect() {
        prepared_.clear();
        // A connection that is cut without a word is noticed within seconds. What the address says
        // itself comes last and counts.
        const std::array<const char*, 7> names{"connect_timeout",
                                               "keepalives_idle",
                                               "keepalives_interval",
                                               "keepalives_count",
                                               "tcp_user_timeout",
                                               "dbname",
                                               nullptr};
        const std::array<const char*, 7> values{"3", "2", "1", "3", "5000", url_.c_str(), nullptr};
        connection_.reset(PQconnectdbParams(names.data(), values.data(), 1));
        if (PQstatus(connection_.get()) != CONNECTION_OK)
            throw StoreError(
                StoreFault::ConnectionLost,
                "cannot reach PostgreSQL: " + first_line(PQerrorMessage(connection_.get())));
        PQsetnonblocking(connection_.get(), 1);
        std::string settings =
            "SET client_min_messages=warning; SET synchronous_commit=on;"
            "SET standard_conforming_strings=on; SET statement_timeout=" +
            std::to_string(patience_.count());
        // One that is stopped or cut off in the middle of a transaction must not keep the others
        // waiting for long.
        if (hurries()) settings += "; SET idle_in_transaction_session_timeout='2s'";
        if (use_ == PostgresUse::ByKey)
            settings +=
                "; SET enable_seqscan=off; SET enable_hashjoin=off; SET enable_mergejoin=off";
        script(settings);
        if (claim_ == PostgresClaim::Alone) claim();
    }

    void claim() {
        // At the start somebody may just be leaving; later players wait.
        const milliseconds patience = former_ == 0 ? milliseconds(3000) : milliseconds(500);
        try {
            database_claim::take(*this, former_, patience);
        } catch (const StoreError&) {
            connection_.reset();  // without the claim it must not be used
            throw;
        }
        former_ = PQbackendPID(connection_.get());
    }

    // False when nothing happens until then.
    bool ready(short what, Clock::time_point end) const {
        for (;;) {
            const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
            if (hurries() && left <= 0) return false;
            pollfd socket{PQsocket(connection_.get()), what, 0};
            const int found = ::poll(&socket, 1, hurries() ? static_cast<int>(left) : -1);
            if (found > 0 || (found < 0 && errno != EINTR)) return true;
        }
    }
    // The last answer to what was sent. What is wrong with the connection itself PQgetResult says.
    Answer wait(int sent) {
        PGconn* const connection = connection_.get();
        if (sent == 0) return nullptr;
        const auto end = Clock::now() + patience_ + kGrace;
        while (PQflush(connection) == 1) {
            if (!ready(POLLIN | POLLOUT, end)) cut_off();
            if (PQconsumeInput(connection) == 0) break;
        }
        Answer last;
        for (;;) {
            while (PQisBusy(connection) == 1) {
                if (!ready(POLLIN, end)) cut_off();
                if (PQconsumeInput(connection) == 0) break;
            }
            Answer next(PQgetResult(connection));
            if (!next) return last;
            last = std::move(next);
        }
    }
    [[noreturn]] void cut_off() {
        connection_.reset();
        throw StoreError(StoreFault::ConnectionLost, "PostgreSQL does not answer");
    }

    Answer check(Answer answer) {
        const ExecStatusType status = PQresultStatus(answer.get());
        if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return answer;
        const char* state = answer ? PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE) : nullptr;
        StoreFault fault = fault_of(state);
        if (PQstatus(connection_.get()) != CONNECTION_OK) fault = StoreFault::ConnectionLost;
        throw StoreError(fault, first_line(PQerrorMessage(connection_.get())));
    }

    // Values travel as text, integers typed as bigint; arrays as they are.
    Answer execute(std::string_view sql, std::span<const SqlValue> values) {
        if (PQstatus(connection_.get()) != CONNECTION_OK && !in_transaction()) connect();
        std::vector<std::string> texts(values.size());
        std::vector<const char*> pointers(values.size());
        std::vector<Oid> types(values.size());
        std::vector<int> lengths(values.size()), binary(values.size());
        constexpr Oid kBigint = 20, kText = 25, kBigints = 1016, kTexts = 1009;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
                texts[i] = std::to_string(*number);
                pointers[i] = texts[i].c_str();
                types[i] = kBigint;
            } else if (const auto* text = std::get_if<std::string_view>(&values[i])) {
                texts[i] = std::string(*text);
                pointers[i] = texts[i].c_str();
                types[i] = kText;
            } else if (const auto* array = std::get_if<SqlArray>(&values[i])) {
                pointers[i] = array->bytes.data();
                lengths[i] = static_cast<int>(array->bytes.size());
                binary[i] = 1;
                types[i] = array->of == SqlArray::Of::Integers ? kBigints : kTexts;
            }
        }
        const int count = static_cast<int>(values.size());
        if (const std::string* name = prepare(sql, types))
            return check(
                wait(PQsendQueryPrepared(connection_.get(), name->c_str(), count, pointers.data(),
                                         lengths.data(), binary.data(), 0)));
        return check(
            wait(PQsendQueryParams(connection_.get(), std::string(sql).c_str(), count, types.data(),
                                   pointers.data(), lengths.data(), binary.data(), 0)));
    }

    bool in_transaction() const {
        return PQtransactionStatus(connection_.get()) == PQTRANS_INTRANS;
    }

    // Its name there, where reading and planning it again would cost more than doing it. Null: one that
    // is better sent as it is.
    const std::string* prepare(std::string_view sql, const std::vector<Oid>& types) {
        if (!hurries()) return nullptr;
        std::string key(sql);
        for (const Oid type : types) key.append(1, ' ').append(std::to_string(type));
        if (const auto known = prepared_.find(key); known != prepared_.end()) return &known->second;
        if (prepared_.size() >= kMostPrepared) return nullptr;
        std::string name = "s" + std::to_string(prepared_.size());
        check(wait(PQsendPrepare(connection_.get(), name.c_str(), std::string(sql).c_str(),
                                 static_cast<int>(types.size()), types.data())));
        return &prepared_.emplace(std::move(key), std::move(name)).first->second;
    }

    std::string url_;
    const milliseconds patience_;
    const PostgresUse use_;
    const PostgresClaim claim_;
    int former_ = 0;  // the process there that had the claim
    Connection connection_;
    std::unordered_map<std::string, std::string> prepared_;  // names, by text and types
};

}  // namespace

std::unique_ptr<Session> open_postgres(const std::string& url, milliseconds patience,
                                       PostgresUse use, PostgresClaim claim) {
    return std::make_unique<PostgresSession>(url, patience, use, claim);
}

}  // namespace rokada::server
