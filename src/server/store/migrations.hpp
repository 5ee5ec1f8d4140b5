// SPDX-License-Identifier: GPL-3.0-or-later
// The schema as numbered steps, forward only, embedded in the program. A database made by a newer
// program is refused; a step changed after the fact is refused as well.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "server/store/session.hpp"

namespace rokada::server {

struct Migration {
    int version;
    std::string_view name;
    std::string_view sql;  // BIGINT, TEXT and STRICT are adapted to the engine
};

int newest_schema_version();
int schema_version(Session& session);  // 0 for an empty database

// Brings the schema to `target` (0 means the newest), one transaction per step. `before_first` is
// called once before an existing database is changed: the place to make a copy.
void migrate(Session& session, int target = 0, const std::function<void()>& before_first = {});

}  // namespace rokada::server
