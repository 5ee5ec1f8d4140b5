// SPDX-License-Identifier: GPL-3.0-or-later
// What a site does by itself, every second and now and then.
#include <filesystem>

#include "server/web/site_parts.hpp"

namespace rokada::server {
namespace {

constexpr int kSettingsBeats = 5;  // seconds

}  // namespace

// A copy when the newest is a day old; the last seven are kept.
void Site::Parts::daily_backup() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto now = fs::file_time_type::clock::now();
    for (const auto& entry : fs::directory_iterator(store->folder() / "backups", ignored))
        if (entry.path().filename().string().starts_with("daily-") &&
            entry.path().extension() != ".part" &&
            now - entry.last_write_time(ignored) < std::chrono::hours(24))
            return;
    try {
        log(LogLevel::Info, "backup", store->backup("daily-", kCopiesKept).string());
    } catch (const StoreError& error) {
        log(LogLevel::Error, "backup_failed", error.what());
    }
}

// A few each second, so that everybody's turn comes once a minute.
void Site::Parts::look_again() {
    auto asked = lines.share(static_cast<std::size_t>(beats), options.look_again_s);
    if (asked.empty()) return;
    const bool queued = workers->try_post([this, asked = std::move(asked)] {
        try {
            for (const Identity& who : asked) accounts->look_again(who);
        } catch (const StoreError& error) {
            log(LogLevel::Warning, "look_again_failed", error.what());
        }
    });
    if (!queued) log(LogLevel::Warning, "look_again_put_off", "the server is busy");
}

// Another server may have changed them.
void Site::Parts::read_settings() {
    (void)workers->try_post([this] {
        try {
            settings->read_again();
        } catch (const StoreError&) {
            // The lease tells of a database that is away; the next look comes soon.
        }
    });
}

void Site::Parts::beat() {
    games->tick();
    if (relay) relay->beat();
    look_again();
    if (node && beats % kSettingsBeats == 0) read_settings();
    if (!store->is_sqlite()) store->writer().probe();
    if (beats % 60 == 0) analyses->sweep();
    if (++beats % 3600 == 0) {
        accounts->expire();
        const Millis week = Millis{7} * 24 * 3600 * 1000;
        const bool queued = workers->try_post([this, before = time().now().wall - week] {
            try {
                games->expire_challenges(before);
            } catch (const StoreError& error) {
                log(LogLevel::Error, "sweep_failed", error.what());
            }
        });
        if (!queued) log(LogLevel::Warning, "sweep_put_off", "the server is busy");
    }
    if (beats % 3600 == 60) {
        const bool queued = workers->try_post([this] { daily_backup(); });
        if (!queued) log(LogLevel::Warning, "backup_put_off", "the server is busy");
    }
    heartbeat->start(options.beat, [this] { beat(); });
}

}  // namespace rokada::server
