// SPDX-License-Identifier: GPL-3.0-or-later
// PostgreSQL behind the Session interface, for servers that outgrow one file. Each commit is durable
// (synchronous_commit on); a lost connection is reported as such and opened again at the next use. So is
// one that falls silent, whether the cable was pulled or the other side hangs.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "server/store/session.hpp"

namespace rokada::server {

// How long one statement may take: PostgreSQL ends it then, and if it does not even say so the
// connection counts as lost.
constexpr std::chrono::milliseconds kUsualPatience{10'000};
constexpr std::chrono::milliseconds kEndlessPatience{0};  // for migrations and copies

enum class PostgresUse {
    Anything,
    ByKey,  // rows are found by key: a plan made while a table was small must not read all of it later
};

enum class PostgresClaim {
    None,
    Alone,  // nobody else may be alone there: Busy; with every new connection again (database_claim)
};

// url: postgres://user@host:port/database. Messages never contain the password.
std::unique_ptr<Session> open_postgres(const std::string& url,
                                       std::chrono::milliseconds patience = kUsualPatience,
                                       PostgresUse use = PostgresUse::Anything,
                                       PostgresClaim claim = PostgresClaim::None);

}  // namespace rokada::server
