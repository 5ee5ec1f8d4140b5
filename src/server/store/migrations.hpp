// SPDX-License-Identifier: GPL-3.0-or-later
// The schema as numbered steps, forward only, embedded in the program. Each says which older programs can
// still work with the data afterwards: those go on beside it, all others are refused. A step changed after
// the fact is refused as well.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/session.hpp"

namespace rokada::server {

struct Migration {
    int version;
    std::string_view name;
    std::string_view sql;  // BIGINT, TEXT and STRICT are adapted to the engine
    // The oldest program that can work with the data afterwards, by the newest step that it knows. A step
    // that only adds serves those before it; one that takes away what they use serves itself.
    int serves;
    int serves_sqlite = serves;  // where that is another one
};

std::span<const Migration> schema_steps();
int newest_schema_version();
int schema_version(Session& session);                    // 0 for an empty database
std::vector<std::string> table_names(Session& session);  // of the schema, by name
// False while steps are missing. Throws when it is so new that this program must not touch it.
bool schema_is_ready(Session& session);

// The steps after `from` up to `to`, inside the caller's transaction; from 0 in a database without tables.
void build_schema(Session& session, int from, int to);
// Brings the schema to `target` (0 means the newest), one transaction per step. `before_first` is
// called once before an existing database is changed: the place to make a copy. A step that servers which
// still run could not bear is refused.
void migrate(Session& session, int target = 0, const std::function<void()>& before_first = {},
             std::span<const Migration> steps = schema_steps());

}  // namespace rokada::server
