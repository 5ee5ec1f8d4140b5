// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/database_clock.hpp"

namespace rokada::server {

std::string timed(const Session& session, std::string_view query) {
    const std::string_view clock = session.dialect() == SqlDialect::Postgres
                                       ? "(extract(epoch FROM clock_timestamp())*1000)::bigint"
                                       : "CAST((julianday('now')-2440587.5)*86400000 AS INTEGER)";
    constexpr std::string_view kName = "NOW_MS";
    std::string sql(query);
    for (std::size_t at = 0; (at = sql.find(kName, at)) != std::string::npos; at += clock.size())
        sql.replace(at, kName.size(), clock);
    return sql;
}

}  // namespace rokada::server
