// SPDX-License-Identifier: GPL-3.0-or-later
// What can go wrong in a database, in words that both engines share. Thrown inside the store and by
// its reads; writes report it in their outcome.
#pragma once

#include <stdexcept>
#include <string>

namespace rokada::server {

enum class StoreFault {
    Unique,      // such a row exists already
    ForeignKey,  // a row it needs is missing
    Conflict,    // somebody else changed the row first
    Busy,        // locked by another process for too long
    ConnectionLost,
    DiskFull,
    ReadOnly,
    Corrupt,  // not a database, damaged, or of another program
    SchemaTooNew,
    InputOutput,  // the disk refused; nothing written since is to be trusted
    QueueFull,    // too many writes wait already
    Stopped,      // the store is closing
    Other,
};

class StoreError : public std::runtime_error {
  public:
    StoreError(StoreFault fault, const std::string& message)
        : std::runtime_error(message), fault_(fault) {}
    StoreFault fault() const { return fault_; }

  private:
    StoreFault fault_;
};

}  // namespace rokada::server
