// SPDX-License-Identifier: GPL-3.0-or-later
// The data of one server: opens it, brings the schema up to date, gives out connections for reading
// and owns the writer. Used by everything above; safe from any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/session.hpp"
#include "server/store/writer.hpp"

namespace rokada::server {

struct StoreOptions {
    std::filesystem::path folder;      // SQLite file, backups and lock live here
    std::string url;                   // postgres://...; empty: SQLite in the folder
    const char* sqlite_vfs = nullptr;  // for fault injection in tests
};

// Holds the data folder for one program; throws StoreError (Busy) when another one has it.
class DataLock {
  public:
    explicit DataLock(const std::filesystem::path& folder);  // makes the folder, private, if needed
    ~DataLock();
    DataLock(const DataLock&) = delete;
    DataLock& operator=(const DataLock&) = delete;

  private:
    int handle_ = -1;
};

enum class StoreSharing {
    Exclusive,     // a server, the only one on its data
    OneOfSeveral,  // a server with others on one PostgreSQL; its folder is its own
    Shared,        // a command beside a server
};

class Store {
  public:
    // Takes the lock of the folder and of the database, migrates. Throws StoreError with one clear line.
    explicit Store(StoreOptions options, StoreSharing sharing = StoreSharing::Exclusive);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // Runs a read on a connection of its own; may block on the disk.
    template <class F>
    auto read(F&& reading) {
        Lease lease(*this);
        return std::forward<F>(reading)(lease.session());
    }
    // The same, and the moves of running games are all there; fails when they cannot be written. A plain
    // read may miss those of the last second, which is good enough for lists.
    template <class F>
    auto read_settled(F&& reading) {
        if (const WriteOutcome failure = writer_->settle_all())
            throw StoreError(failure->fault, failure->message);
        return read(std::forward<F>(reading));
    }
    Writer& writer() { return *writer_; }
    // A write that must succeed before going on; throws StoreError. May block.
    void write(Writer::Work work, Writes writes = Writes::Alone);

    bool is_sqlite() const { return options_.url.empty(); }
    const std::filesystem::path& folder() const { return options_.folder; }
    std::filesystem::path sqlite_file() const { return options_.folder / "rokada.db"; }
    // A checked copy in backups/, the file itself or a dump of PostgreSQL; the newest `kept` with that
    // prefix stay. Gives the file made.
    std::filesystem::path backup(const std::string& prefix, int kept);

  private:
    class Lease {
      public:
        explicit Lease(Store& store) : store_(store), session_(store.take_reader()) {}
        ~Lease() { store_.give_back(std::move(session_)); }
        Session& session() { return *session_; }

      private:
        Store& store_;
        std::unique_ptr<Session> session_;
    };
    enum class Purpose { Migrating, Writing, Reading };
    void check_others(Session& session) const;
    std::unique_ptr<Session> open(Purpose purpose) const;
    std::unique_ptr<Session> take_reader();
    void give_back(std::unique_ptr<Session> session);

    StoreOptions options_;
    const StoreSharing sharing_;
    std::optional<DataLock> lock_;
    std::unique_ptr<Writer> writer_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Session>> idle_;
};

constexpr int kCopiesKept = 7;  // of each kind

// The folder used when none is named: XDG_DATA_HOME/rokada or ~/.local/share/rokada.
std::filesystem::path default_data_folder();

}  // namespace rokada::server
