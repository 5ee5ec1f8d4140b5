// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/dump_file.hpp"

#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace rokada::server {
namespace fs = std::filesystem;

namespace {

void sync(const fs::path& path, int flags) {
    const int handle = ::open(path.c_str(), flags | O_CLOEXEC);
    const bool synced = handle >= 0 && ::fsync(handle) == 0;
    if (handle >= 0) ::close(handle);
    if (!synced) throw StoreError(StoreFault::InputOutput, "cannot sync " + path.string());
}

void write_part(Session& session, const fs::path& part) {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out) throw StoreError(StoreFault::InputOutput, "cannot write " + part.string());
    fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write);
    write_dump(session, out);
}

}  // namespace

DumpSummary write_dump_file(Session& session, const fs::path& file) {
    const fs::path part = file.string() + ".part";
    try {
        write_part(session, part);
        std::ifstream in(part, std::ios::binary);
        const DumpSummary summary = verify_dump(in);
        sync(part, O_RDONLY);
        fs::rename(part, file);
        sync(file.has_parent_path() ? file.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
        return summary;
    } catch (...) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
}

}  // namespace rokada::server
