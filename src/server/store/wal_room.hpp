// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the write-ahead log of a SQLite connection longer than what is in it. A sync of a file that grew has
// to write where its new pieces are as well, which takes several times as long; SQLite itself grows the log
// with every commit until it is used again from the start. Zeros behind the last frame mean nothing to it.
#pragma once

struct sqlite3;

namespace rokada::server {

class WalRoom {
  public:
    // Takes over from PRAGMA wal_autocheckpoint: the log is emptied when it has so many pages.
    WalRoom(sqlite3* db, int checkpoint_pages);
    WalRoom(const WalRoom&) = delete;
    WalRoom& operator=(const WalRoom&) = delete;

    // To be called inside a write transaction, when nobody else can write to the log. A failure is
    // none: then it grows as it always did.
    void provide() const;

  private:
    sqlite3* db_;
    const int checkpoint_pages_;
    int pages_ = 0;  // after the last commit
};

}  // namespace rokada::server
