// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/store/wal_room.hpp"

#include <algorithm>
#include <array>

#include <sqlite3.h>

namespace rokada::server {

WalRoom::WalRoom(sqlite3* db, int checkpoint_pages) : db_(db), checkpoint_pages_(checkpoint_pages) {
    sqlite3_wal_hook(
        db,
        [](void* self, sqlite3* of, const char* name, int pages) {
            auto& room = *static_cast<WalRoom*>(self);
            room.pages_ = pages;
            // One that finds readers in its way does what it can, and the next one the rest.
            if (pages >= room.checkpoint_pages_)
                sqlite3_wal_checkpoint_v2(of, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
            return SQLITE_OK;
        },
        this);
}

void WalRoom::provide() const {
    constexpr sqlite3_int64 kFrame = 4096 + 24;  // a page and its heading
    constexpr sqlite3_int64 kAhead = 256 * 1024, kPieces = 16;
    static const std::array<char, 64 * 1024> kZeros{};
    // The first commits are not worth it, and most short programs make no more.
    constexpr int kFewPages = 64;
    if (pages_ < kFewPages) return;
    sqlite3_file* log = nullptr;
    if (sqlite3_file_control(db_, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
        log == nullptr || log->pMethods == nullptr)
        return;
    sqlite3_int64 size = 0;
    if (log->pMethods->xFileSize(log, &size) != SQLITE_OK) return;
    if (pages_ * kFrame + kAhead <= size) return;
    for (sqlite3_int64 i = 0; i < kPieces; ++i, size += static_cast<sqlite3_int64>(kZeros.size()))
        if (log->pMethods->xWrite(log, kZeros.data(), static_cast<int>(kZeros.size()), size) !=
            SQLITE_OK)
            return;
}

}  // namespace rokada::server
