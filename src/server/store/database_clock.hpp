// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of the database inside a query: the only one leases are measured by. Used by the tables
// that hold leases.
#pragma once

#include <string>
#include <string_view>

#include "server/store/session.hpp"

namespace rokada::server {

// The query with milliseconds since 1970 in place of NOW_MS; the real time also inside a long
// transaction.
std::string timed(const Session& session, std::string_view query);

}  // namespace rokada::server
