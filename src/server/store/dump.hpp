// SPDX-License-Identifier: GPL-3.0-or-later
// All data of a server as one text file that either database reads: for backups, for moving between
// SQLite and PostgreSQL, and for people with a text editor. The last line holds the number of rows and
// a checksum, so that a cut or changed file is noticed.
//
//   rokada-dump 1 <schema version>
//   =users<TAB>id<TAB>name...          a table and its columns
//   tU1<TAB>tAna<TAB>n<TAB>i1000       a row: t text (escaped), i integer, n nothing
//   .<rows><TAB><checksum>
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>

#include "server/store/session.hpp"

namespace rokada::server {

struct DumpSummary {
    int schema = 0;
    std::int64_t rows = 0;
};

// Each table of the schema is among these or among those, or a backup would lose it.
struct OmittedTable {
    std::string_view name, reason;
};
std::span<const std::string_view> dumped_tables();
std::span<const OmittedTable> omitted_tables();

// Sees one moment of the data, also while a server writes; of an older schema what it has. Throws
// StoreError.
DumpSummary write_dump(Session& session, std::ostream& out);
// Reads the whole file without a database: complete, unchanged, well formed. Throws StoreError.
DumpSummary verify_dump(std::istream& in);
// What a database may hold before a dump is read into it.
enum class DataBefore {
    None,      // anything else: Conflict
    Replaced,  // goes in the same transaction
};
// All or nothing; brings the schema to the newest. Throws StoreError.
DumpSummary read_dump(Session& session, std::istream& in, DataBefore before = DataBefore::None);

}  // namespace rokada::server
