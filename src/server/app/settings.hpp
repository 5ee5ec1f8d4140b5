// SPDX-License-Identifier: GPL-3.0-or-later
// The switches of a server that administrators change while it runs. Kept in the database, read from
// memory; safe from any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "server/store/store.hpp"

namespace rokada::server {

struct ServerSettings {
    enum class Registration { Open, Code, Closed };
    Registration registration = Registration::Open;
    std::string registration_code;
    bool guests = true;
    bool chat = false;
    bool public_lists = true;
};

class Settings {
  public:
    explicit Settings(Store& store);  // reads them; may block
    ServerSettings get() const;
    bool public_lists() const { return public_lists_; }  // asked for every event of every list
    // Writes what differs from what was known here: another server may have changed the rest. May
    // block; throws StoreError.
    void set(const ServerSettings& wanted);
    void read_again();  // the same

  private:
    void keep(const ServerSettings& settings);

    Store& store_;
    mutable std::mutex mutex_;
    ServerSettings current_;
    std::atomic<bool> public_lists_{true};
};

std::string_view word(ServerSettings::Registration registration);

}  // namespace rokada::server
