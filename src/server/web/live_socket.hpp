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
#include "server/api/relay.hpp"
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
        std::shared_ptr<Attendance> attendance;  // so that others see us
        std::int64_t version = 0;
        std::int64_t at_least = 0;  // the version of a game on another server
        // One load at a time, or events would be sent twice; it begins again if something came meanwhile.
        std::uint64_t load = 0;  // which; 0: none, news are passed on as they come
        bool again = false;      // from the version reached
        std::optional<std::optional<std::int64_t>> wanted;  // from the version asked for
        std::vector<BusMessage> waiting;                    // came while it loaded
    };

    void handle(LiveMessage&& message);
    void watch(const std::string& game, std::optional<std::int64_t> version);
    void resume(const std::string& game);  // something was missed
    void load(const std::string& game, std::uint64_t number, std::optional<std::int64_t> version);
    void load_later(const std::string& game, std::uint64_t number,
                    std::optional<std::int64_t> version);
    std::shared_ptr<Attendance> attendance(const std::string& game, std::uint64_t number);
    void send_events(const std::string& game, std::uint64_t number, std::int64_t after);
    void catch_up(const std::string& game, std::optional<std::int64_t> version);
    void begin_feed(const std::string& game, std::uint64_t number, std::int64_t version);
    void on_event(const std::string& game, const BusMessage& message);
    bool pass_on(Feed& feed, const BusMessage& message);
    void leave(const std::string& game, bool on_purpose);
    bool follows(const std::string& game);
    void follow_games(bool on);
    void chat(LiveMessage&& message);
    void act(LiveMessage&& message);
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
    std::uint64_t loads_ = 0;
    bool closed_ = false;
    double tokens_ = 100;
    net::Clock::time_point refilled_ = net::Clock::now();
    net::Clock::time_point pinged_{};
};

}  // namespace rokada::server
