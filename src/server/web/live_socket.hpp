// SPDX-License-Identifier: GPL-3.0-or-later
// One live socket: reads what the client says, acts on the games, and passes on every event of the
// games it watches without a gap. Nothing a client sends can harm another one.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/websocket.hpp"
#include "server/api/api.hpp"
#include "server/api/live_in.hpp"
#include "server/app/event_bus.hpp"

namespace rokada::server {

class LiveSocket : public std::enable_shared_from_this<LiveSocket> {
  public:
    LiveSocket(ApiServices& api, EventBus& bus, Identity identity);

    const Identity& identity() const { return identity_; }
    void open(const net::WebSocketPtr& socket);
    void receive(std::string_view text);
    void close();  // the connection is gone
    void end(net::CloseCode code, std::string_view reason);

  private:
    struct Feed {
        std::unique_ptr<EventBus::Subscription> subscription;
        std::weak_ptr<GameActor> actor;  // the one that was told we are here
        std::int64_t version = 0;
        bool ready = false;
        std::vector<BusMessage> waiting;  // came before we were ready
    };

    void handle(const LiveMessage& message);
    void watch(const std::string& game, std::optional<std::int64_t> version);
    void send_events(const std::string& game, const std::shared_ptr<GameActor>& actor,
                     std::int64_t after);
    void begin_feed(const std::string& game, std::int64_t version);
    void on_event(const std::string& game, const BusMessage& message);
    void leave(const std::string& game, bool on_purpose);
    void follow_games(bool on);
    void chat(const LiveMessage& message);
    void premove(const LiveMessage& message);
    void with_game(const std::string& game, const std::string& message_id,
                   std::function<void(const std::shared_ptr<GameActor>&)> next);
    void act(const LiveMessage& message, GameActor::Action action);
    GameActor::Answer answer_to(const LiveMessage& message);
    bool within_rate();
    void send(std::string text);
    void send_error(const std::string& id, const std::string& game, const std::string& code,
                    const std::string& detail);
    Millis lag() const;
    void measure_lag();

    static constexpr std::size_t kMostFeeds = 64;
    static constexpr std::size_t kMostWaiting = 512;

    ApiServices& api_;
    EventBus& bus_;
    const Identity identity_;
    net::WebSocketPtr socket_;
    std::mutex mutex_;  // feeds: events come from any thread
    std::unordered_map<std::string, Feed> feeds_;
    std::vector<std::unique_ptr<EventBus::Subscription>> lists_;
    bool closed_ = false;
    double tokens_ = 100;
    net::Clock::time_point refilled_ = net::Clock::now();
    net::Clock::time_point pinged_{};
};

}  // namespace rokada::server
