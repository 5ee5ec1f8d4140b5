// SPDX-License-Identifier: GPL-3.0-or-later
// Carries what happened to everybody who listens, by topic (a game's id, "games"). The database is
// the truth: a lost message shows as a gap in the versions and is read again. LocalBus serves one
// process; others can take its place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/store/records.hpp"

namespace rokada::server {

struct BusMessage {
    std::int64_t version = 0;  // 0: not part of the numbered events
    std::shared_ptr<const std::string> text;
    std::string players = {};  // on the list of games: ids of those who get a version of their own
    std::string game = {};     // on lists: the game it is about, and how that stands
    GameStatus status = GameStatus::Waiting;
};

class EventBus {
  public:
    using Listener = std::function<void(const BusMessage&)>;
    // Ends the subscription when it is destroyed.
    class Subscription {
      public:
        virtual ~Subscription() = default;
    };

    virtual ~EventBus() = default;
    // False: nobody would hear it, so it need not be written.
    virtual bool wanted(const std::string& topic) const = 0;
    virtual void publish(const std::string& topic, const BusMessage& message) = 0;
    // The listener may be called from any thread and must be quick.
    virtual std::unique_ptr<Subscription> subscribe(const std::string& topic,
                                                    Listener listener) = 0;
};

class LocalBus final : public EventBus {
  public:
    bool wanted(const std::string& topic) const override;
    void publish(const std::string& topic, const BusMessage& message) override;
    std::unique_ptr<Subscription> subscribe(const std::string& topic, Listener listener) override;

  private:
    struct Entry {
        std::uint64_t id;
        std::shared_ptr<Listener> listener;
    };
    struct Shared {
        std::mutex mutex;
        std::uint64_t next_id = 1;
        std::unordered_map<std::string, std::vector<Entry>> topics;
    };
    class Handle;
    std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace rokada::server
