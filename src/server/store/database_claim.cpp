// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/database_claim.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "server/store/database_clock.hpp"
#include "server/store/migrations.hpp"

namespace rokada::server::database_claim {
namespace {

// A number of our own, and the schema: several sites may share one database.
constexpr std::string_view kTake =
    "SELECT pg_try_advisory_lock(5721908, hashtext(current_schema()))";
constexpr std::string_view kTakeShared =
    "SELECT pg_try_advisory_lock_shared(5721908, hashtext(current_schema()))";
constexpr std::string_view kGiveShared =
    "SELECT pg_advisory_unlock_shared(5721908, hashtext(current_schema()))";

constexpr std::chrono::milliseconds kPause{50};
// A server that was killed is missed at once, one that is just ending a little later.
constexpr std::chrono::seconds kPatience{3};

bool ask(Session& session, std::string_view question) {
    const auto row = session.select(question);
    return row->next() && row->text(0) == "t";
}

[[noreturn]] void refuse() {
    throw StoreError(StoreFault::Busy, "another Rokada server uses this database");
}

template <class Try>
bool until(std::chrono::milliseconds patience, Try attempt) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
        if (attempt()) return true;
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

void take(Session& session, int former, std::chrono::milliseconds patience) {
    // Whoever is cut off without a word must not keep the database for hours, as is usual there.
    session.script(
        "SET tcp_keepalives_idle=5; SET tcp_keepalives_interval=2; SET tcp_keepalives_count=3");
    const bool taken = until(patience, [&] {
        if (ask(session, kTake)) return true;
        if (former != 0)
            session.select(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype='advisory' AND "
                "classid=5721908 AND objsubid=2 AND pid=$1",
                former);
        return false;
    });
    if (!taken) refuse();
}

void check_that_nobody_has_it(Session& session) {
    const bool free = until(kPatience, [&] { return ask(session, kTakeShared); });
    if (!free) refuse();
    ask(session, kGiveShared);
}

void check_that_no_node_lives(Session& session) {
    const auto tables = table_names(session);
    if (std::find(tables.begin(), tables.end(), "nodes") == tables.end()) return;
    std::string names;
    const auto rows =
        session.select(timed(session, "SELECT name FROM nodes WHERE until>NOW_MS ORDER BY name"));
    while (rows->next()) names += (names.empty() ? "" : ", ") + rows->text(0);
    if (names.empty()) return;
    throw StoreError(
        StoreFault::Busy,
        "another Rokada server uses this database together with others (--bus): " + names);
}

}  // namespace rokada::server::database_claim
