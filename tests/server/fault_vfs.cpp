// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/fault_vfs.hpp"

#include <algorithm>
#include <new>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rokada::server::test {
namespace {

struct File {
    sqlite3_file base;
    sqlite3_file* real;
    std::string* path;
};

sqlite3_vfs* g_real = nullptr;

File& file_of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* real_of(sqlite3_file* file) { return file_of(file).real; }

int close_file(sqlite3_file* file) {
    const int code = real_of(file)->pMethods ? real_of(file)->pMethods->xClose(real_of(file)) : 0;
    delete file_of(file).path;
    file_of(file).path = nullptr;
    return code;
}

int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    const std::lock_guard lock(FaultVfs::get().writing());
    if (const int code = FaultVfs::get().before_write(*file_of(file).path, offset, size))
        return code;
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, size, offset);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    const std::lock_guard lock(FaultVfs::get().writing());
    if (const int code = FaultVfs::get().before_truncate(*file_of(file).path, size)) return code;
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

int sync_file(sqlite3_file* file, int) {
    const std::lock_guard lock(FaultVfs::get().writing());
    if (const int code = FaultVfs::get().before_sync(*file_of(file).path)) return code;
    FaultVfs::get().synced(*file_of(file).path);
    return SQLITE_OK;
}

const sqlite3_io_methods kMethods = {
    2,
    close_file,
    [](sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
        return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
    },
    write_file,
    truncate_file,
    sync_file,
    [](sqlite3_file* f, sqlite3_int64* size) {
        return real_of(f)->pMethods->xFileSize(real_of(f), size);
    },
    [](sqlite3_file* f, int l) { return real_of(f)->pMethods->xLock(real_of(f), l); },
    [](sqlite3_file* f, int l) { return real_of(f)->pMethods->xUnlock(real_of(f), l); },
    [](sqlite3_file* f, int* r) { return real_of(f)->pMethods->xCheckReservedLock(real_of(f), r); },
    [](sqlite3_file* f, int op, void* a) {
        // Sizes must change by writes that are seen here.
        if (op == SQLITE_FCNTL_SIZE_HINT || op == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
        return real_of(f)->pMethods->xFileControl(real_of(f), op, a);
    },
    [](sqlite3_file* f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); },
    // No promise that would let SQLite leave syncs out.
    [](sqlite3_file*) { return 0; },
    [](sqlite3_file* f, int p, int s, int e, void volatile** m) {
        return real_of(f)->pMethods->xShmMap(real_of(f), p, s, e, m);
    },
    [](sqlite3_file* f, int o, int n, int g) {
        return real_of(f)->pMethods->xShmLock(real_of(f), o, n, g);
    },
    [](sqlite3_file* f) { real_of(f)->pMethods->xShmBarrier(real_of(f)); },
    [](sqlite3_file* f, int d) { return real_of(f)->pMethods->xShmUnmap(real_of(f), d); },
    nullptr,
    nullptr,
};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* out, int flags, int* out_flags) {
    File& file = file_of(out);
    file.base.pMethods = nullptr;
    file.real = reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(out) + sizeof(File));
    const int code = g_real->xOpen(g_real, name, file.real, flags, out_flags);
    if (code != SQLITE_OK) return code;
    file.path = new std::string(name != nullptr ? name : "");
    file.base.pMethods = &kMethods;
    return SQLITE_OK;
}

int delete_file(sqlite3_vfs*, const char* name, int sync) {
    if (FaultVfs::get().dead()) return SQLITE_IOERR_DELETE;
    FaultVfs::get().synced(name);  // what is gone cannot come back wrong
    return g_real->xDelete(g_real, name, sync);
}

}  // namespace

FaultVfs& FaultVfs::get() {
    static FaultVfs instance;
    static const bool registered = [] {
        g_real = sqlite3_vfs_find(nullptr);
        static sqlite3_vfs vfs = *g_real;
        vfs.zName = kName;
        vfs.pNext = nullptr;
        vfs.szOsFile = static_cast<int>(sizeof(File)) + g_real->szOsFile;
        vfs.xOpen = open_file;
        vfs.xDelete = delete_file;
        return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
    }();
    if (!registered) throw std::bad_alloc();
    return instance;
}

int FaultVfs::refuse_or_remember(const std::string& path, std::int64_t offset, std::int64_t size,
                                 bool writes) {
    const std::lock_guard lock(mutex_);
    if (dead_) return SQLITE_IOERR_WRITE;
    struct stat status{};
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0 || ::fstat(handle, &status) != 0) {
        if (handle >= 0) ::close(handle);
        return SQLITE_IOERR_FSTAT;
    }
    const std::int64_t old_size = status.st_size;
    if (full_ && writes && offset + size > old_size) {
        ::close(handle);
        return SQLITE_FULL;
    }
    Change change;
    change.offset = offset;
    change.old_size = old_size;
    const std::int64_t end = std::min(old_size, writes ? offset + size : old_size);
    if (end > offset) {
        change.old_bytes.resize(static_cast<std::size_t>(end - offset));
        const ssize_t got =
            ::pread(handle, change.old_bytes.data(), change.old_bytes.size(), offset);
        change.old_bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    ::close(handle);
    unsynced_[path].push_back(std::move(change));
    return SQLITE_OK;
}

int FaultVfs::before_write(const std::string& path, std::int64_t offset, int size) {
    return refuse_or_remember(path, offset, size, true);
}

int FaultVfs::before_truncate(const std::string& path, std::int64_t size) {
    return refuse_or_remember(path, size, 0, false);
}

int FaultVfs::before_sync(const std::string&) {
    const std::lock_guard lock(mutex_);
    return dead_ || syncs_fail_ ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

void FaultVfs::synced(const std::string& path) {
    const std::lock_guard lock(mutex_);
    unsynced_.erase(path);
    ++syncs_;
}

bool FaultVfs::dead() const {
    const std::lock_guard lock(mutex_);
    return dead_;
}

void FaultVfs::lose_power() {
    const std::lock_guard writing(writing_);
    const std::lock_guard lock(mutex_);
    dead_ = true;
    forgotten_ = 0;
    for (auto& [path, changes] : unsynced_) {
        const int handle = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (handle < 0) continue;
        for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
            forgotten_ += change->old_bytes.size() + 1;
            [[maybe_unused]] const auto written = ::pwrite(
                handle, change->old_bytes.data(), change->old_bytes.size(), change->offset);
            [[maybe_unused]] const int cut = ::ftruncate(handle, change->old_size);
        }
        ::close(handle);
    }
    unsynced_.clear();
}

void FaultVfs::power_on() {
    const std::lock_guard lock(mutex_);
    dead_ = syncs_fail_ = full_ = false;
    unsynced_.clear();
}

void FaultVfs::fail_syncs(bool on) {
    const std::lock_guard lock(mutex_);
    syncs_fail_ = on;
}

void FaultVfs::fill_disk(bool full) {
    const std::lock_guard lock(mutex_);
    full_ = full;
}

std::uint64_t FaultVfs::syncs() const {
    const std::lock_guard lock(mutex_);
    return syncs_;
}

std::uint64_t FaultVfs::forgotten() const {
    const std::lock_guard lock(mutex_);
    return forgotten_;
}

}  // namespace rokada::server::test
