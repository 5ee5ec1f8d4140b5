// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite behind the Session interface: WAL, a sync at every commit, prepared statements kept.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "server/store/session.hpp"

struct sqlite3;

namespace rokada::server {

enum class SqliteAccess { ReadWrite, ReadOnly };

// Opens (and for ReadWrite creates) the file. Refuses files of other programs.
std::unique_ptr<Session> open_sqlite(const std::filesystem::path& file, SqliteAccess access,
                                     const char* vfs = nullptr);

// Copies the database while it is in use into a new file, checks the copy and syncs it.
void copy_sqlite(const std::filesystem::path& from, const std::filesystem::path& to);

// One line per problem found; empty when the file is sound.
std::string check_sqlite(const std::filesystem::path& file);

}  // namespace rokada::server
