// SPDX-License-Identifier: GPL-3.0-or-later
// Who may change what is in a PostgreSQL database: one server alone, which holds a lock on its
// connection, or several that know each other by their leases (cluster_table). A file has the lock of
// its folder instead. Throws StoreError (Busy) with one line for the user.
#pragma once

#include <chrono>

#include "server/store/session.hpp"

namespace rokada::server::database_claim {

// For as long as the connection lasts. `former` is the process there that served the connection
// before this one, 0 for none: PostgreSQL may not have missed it yet, and it is ended.
void take(Session& session, int former, std::chrono::milliseconds patience);
// No server has the database to itself: for one of several.
void check_that_nobody_has_it(Session& session);
// None of several servers lives: for one that wants to be alone.
void check_that_no_node_lives(Session& session);

}  // namespace rokada::server::database_claim
