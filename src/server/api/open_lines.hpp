// SPDX-License-Identifier: GPL-3.0-or-later
// The live sockets and endless streams that are open, by whose they are: one that was opened with a
// session or a token ends with it. Safe from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/app/accounts.hpp"

namespace rokada::server {

class OpenLines {
  public:
    // `end` closes the line; it may be called from any thread and more than once.
    std::uint64_t add(const Identity& who, std::function<void()> end);
    void remove(const Identity& who, std::uint64_t line);

    void close(const std::string& session_hash);
    void close_player(const std::string& player_id);

    // One of `parts` shares of those who have a line, each session once: to be asked again who they are.
    std::vector<Identity> share(std::size_t part, std::size_t parts) const;

  private:
    struct Line {
        std::uint64_t number = 0;
        std::function<void()> end;
    };
    struct Lines {
        Identity who;
        std::vector<Line> open;
    };
    static void end_all(const std::vector<Line>& lines);

    mutable std::mutex mutex_;
    std::unordered_map<std::string, Lines> by_session_;
    std::uint64_t last_ = 0;
};

}  // namespace rokada::server
