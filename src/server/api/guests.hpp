// SPDX-License-Identifier: GPL-3.0-or-later
// Visitors of the other servers in the games of this one, and when each of those servers was last heard. A
// player whose only way to us was through a server that fell silent is not charged for that time: it is the
// servers' doing, and nothing that a client does alone makes one silent. Used by Relay. Thread-safe; moments
// are those of the steady clock.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/app/game_actor.hpp"

namespace rokada::server {

class Guests {
  public:
    struct Heard {
        bool skipped = false;  // greetings of it are missing
        std::set<std::string>
            missed;  // games of guests who were taken for gone: they come in again
    };
    // It said something; `greeting` is its number, if it was one.
    Heard heard(const std::string& node, std::optional<std::int64_t> greeting, Millis now);
    bool hears(const std::string& node, Millis now) const;      // it spoke a moment ago
    Millis silence(const std::string& node, Millis now) const;  // of one that has been heard

    void enter(const std::string& node, std::string_view visitor, const std::string& player,
               const std::shared_ptr<GameActor>& actor, Millis now);
    void leave(const std::string& node, std::string_view visitor, const std::string& game,
               bool on_purpose);

    // The player came to us by another way, or is about to lose on time: what the silence of the servers
    // he is known to be at has cost him is not charged.
    void excuse(const std::string& game, const std::string& player, Millis now);

    // About once a second. `alone`: others live, and we hear none of them, so that nobody there can play
    // here at all. The servers that are silent for so long that their visitors are taken for gone.
    std::vector<std::string> beat(bool alone, Millis now);

  private:
    struct Guest {
        std::string visitor, player;
        std::weak_ptr<GameActor> actor;
        bool present = true;  // false: taken for gone
    };
    struct Node {
        Millis heard = 0;
        Millis excused_until = 0;                                   // while we were alone
        std::optional<std::int64_t> greetings;                      // its last one
        std::unordered_map<std::string, std::vector<Guest>> games;  // of ours, by their id
        std::set<std::string> missed;

        bool silent(Millis now) const;
        Millis excuse_ends() const;
    };
    // To be done when the lock is not held any more.
    struct Excuse {
        std::shared_ptr<GameActor> actor;
        std::string player;
        GameActor::Silence silence;
    };
    // With the lock held.
    GameActor::Silence silence_of(const std::string& game, const std::string& player,
                                  Millis now) const;
    void add_excuses(const Node& node, Millis now, std::vector<Excuse>& found) const;
    void hear(Node& node, Millis now, std::vector<Excuse>& excuses) const;
    static void tell(const std::vector<Excuse>& excuses);

    mutable std::mutex mutex_;
    std::unordered_map<std::string, Node> nodes_;
};

}  // namespace rokada::server
