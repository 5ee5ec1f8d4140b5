// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that fails: SQLite files on the real file system, with everything written since the last sync
// remembered so that it can be forgotten again (power loss), with syncs that fail and with a disk that is full.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rokada::server::test {

class FaultVfs {
  public:
    static FaultVfs& get();  // registered with SQLite at the first call
    static constexpr const char* kName = "rokada-faults";

    // The power goes: files are as they were when they were last synced, and nothing is written any more.
    void lose_power();
    void power_on();  // everything works again; nothing is remembered
    void fail_syncs(bool on);
    void fill_disk(bool full);
    std::uint64_t syncs() const;
    std::uint64_t forgotten() const;  // bytes of the last loss

    // For the file methods; an SQLite result code.
    int before_write(const std::string& path, std::int64_t offset, int size);
    int before_truncate(const std::string& path, std::int64_t size);
    int before_sync(const std::string& path);
    void synced(const std::string& path);
    bool dead() const;
    std::mutex& writing() { return writing_; }  // held from before a write until it is done

  private:
    FaultVfs() = default;
    struct Change {
        std::int64_t offset = 0, old_size = 0;
        std::string old_bytes;
    };
    int refuse_or_remember(const std::string& path, std::int64_t offset, std::int64_t size,
                           bool writes);

    std::mutex writing_;
    mutable std::mutex mutex_;
    std::map<std::string, std::vector<Change>> unsynced_;
    bool dead_ = false, syncs_fail_ = false, full_ = false;
    std::uint64_t syncs_ = 0, forgotten_ = 0;
};

}  // namespace rokada::server::test
