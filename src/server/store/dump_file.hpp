// SPDX-License-Identifier: GPL-3.0-or-later
// A dump as a file that is either whole or not there: for `rokada backup` and for the copies a server
// makes by itself.
#pragma once

#include <filesystem>

#include "server/store/dump.hpp"

namespace rokada::server {

// Readable by its owner only, read back and synced before it gets its name; nothing is left behind
// after a failure. Throws StoreError.
DumpSummary write_dump_file(Session& session, const std::filesystem::path& file);

}  // namespace rokada::server
