// SPDX-License-Identifier: GPL-3.0-or-later
// PostgreSQL behind the Session interface, for servers that outgrow one file. Each commit is durable
// (synchronous_commit on); a lost connection is reported as such and opened again at the next use.
#pragma once

#include <memory>
#include <string>

#include "server/store/session.hpp"

namespace rokada::server {

// url: postgres://user@host:port/database. Messages never contain the password.
std::unique_ptr<Session> open_postgres(const std::string& url);

}  // namespace rokada::server
