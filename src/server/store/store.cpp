// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/store.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/database_claim.hpp"
#include "server/store/dump_file.hpp"
#include "server/store/migrations.hpp"
#include "server/store/postgres_session.hpp"
#include "server/store/sqlite_session.hpp"

namespace rokada::server {
namespace fs = std::filesystem;

namespace {

void make_private_folder(const fs::path& folder) {
    std::error_code error;
    const bool made = fs::create_directories(folder, error);
    if (error)
        throw StoreError(StoreFault::InputOutput,
                         "cannot make " + folder.string() + ": " + error.message());
    if (made) fs::permissions(folder, fs::perms::owner_all, error);
}

int take_lock(const fs::path& file) {
    const int handle = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (handle < 0)
        throw StoreError(StoreFault::InputOutput,
                         "cannot open " + file.string() + ": " + std::strerror(errno));
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0) {
        ::close(handle);
        throw StoreError(StoreFault::Busy,
                         "another Rokada server uses the data in " + file.parent_path().string());
    }
    return handle;
}

std::string time_stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
    return text;
}

}  // namespace

DataLock::DataLock(const fs::path& folder) {
    make_private_folder(folder);
    handle_ = take_lock(folder / "lock");
}

DataLock::~DataLock() { ::close(handle_); }

Store::Store(StoreOptions options, StoreSharing sharing)
    : options_(std::move(options)), sharing_(sharing) {
    make_private_folder(options_.folder);
    if (sharing_ != StoreSharing::Shared) lock_.emplace(options_.folder);
    // New files get no rights for others, whatever the umask of the caller.
    const mode_t before = ::umask(0077);
    std::unique_ptr<Session> session, writing;
    try {
        // The one that writes has the claim on the database, before anything is changed there.
        if (!is_sqlite()) writing = open(Purpose::Writing);
        session = open(Purpose::Migrating);
    } catch (...) {
        ::umask(before);
        throw;
    }
    ::umask(before);
    check_others(*session);
    migrate(*session, 0, [this] { backup("before-upgrade-", kCopiesKept); });
    // Left by a crash, or part of a dump. Beside a running server the log is its own.
    std::optional<DataLock> alone;
    try {
        if (!lock_) alone.emplace(options_.folder);
    } catch (const StoreError&) {
    }
    if (lock_ || alone) MoveLog::recover(*session);
    writer_ = std::make_unique<Writer>(std::move(writing ? writing : session));
}

void Store::check_others(Session& session) const {
    if (is_sqlite()) return;
    if (sharing_ == StoreSharing::Exclusive) database_claim::check_that_no_node_lives(session);
    if (sharing_ == StoreSharing::OneOfSeveral) database_claim::check_that_nobody_has_it(session);
}

Store::~Store() {
    writer_->settle_all();
    writer_.reset();
    idle_.clear();
}

void Store::write(Writer::Work work, Writes writes) {
    if (const WriteOutcome failure = writer_->submit_and_wait(std::move(work), writes))
        throw StoreError(failure->fault, failure->message);
}

std::unique_ptr<Session> Store::open(Purpose purpose) const {
    // Players wait for the writer: better a clear refusal than to keep them hanging.
    constexpr std::chrono::seconds kWriterPatience{5};
    if (!is_sqlite()) {
        if (purpose == Purpose::Migrating) return open_postgres(options_.url, kEndlessPatience);
        if (purpose == Purpose::Reading) return open_postgres(options_.url);
        return open_postgres(
            options_.url, kWriterPatience, PostgresUse::ByKey,
            sharing_ == StoreSharing::Exclusive ? PostgresClaim::Alone : PostgresClaim::None);
    }
    return open_sqlite(
        sqlite_file(),
        purpose == Purpose::Reading ? SqliteAccess::ReadOnly : SqliteAccess::ReadWrite,
        options_.sqlite_vfs);
}

std::unique_ptr<Session> Store::take_reader() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto session = std::move(idle_.back());
            idle_.pop_back();
            return session;
        }
    }
    return open(Purpose::Reading);
}

void Store::give_back(std::unique_ptr<Session> session) {
    constexpr std::size_t kKept = 8;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kKept) idle_.push_back(std::move(session));
}

fs::path Store::backup(const std::string& prefix, int kept) {
    const fs::path folder = options_.folder / "backups";
    make_private_folder(folder);
    const fs::path file = folder / (prefix + time_stamp() + (is_sqlite() ? ".db" : ".dump"));
    if (is_sqlite()) {
        copy_sqlite(sqlite_file(), file);
    } else {
        write_dump_file(*open(Purpose::Migrating), file);
    }
    std::vector<fs::path> copies;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && (name.ends_with(".db") || name.ends_with(".dump")))
            copies.push_back(entry.path());
    }
    std::sort(copies.begin(), copies.end());
    while (static_cast<int>(copies.size()) > kept) {
        fs::remove(copies.front());
        copies.erase(copies.begin());
    }
    return file;
}

fs::path default_data_folder() {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0')
        return fs::path(data) / "rokada";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return fs::path(home) / ".local/share/rokada";
    return "rokada-data";
}

}  // namespace rokada::server
