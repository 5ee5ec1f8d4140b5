// SPDX-License-Identifier: GPL-3.0-or-later
// A WebSocket on Beast, for either end of the connection. Sending is a queue that any thread may
// fill and one writer on the loop empties; time limits are kept by the group's ticks.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/client.hpp"
#include "net/detail/group.hpp"
#include "net/detail/transport.hpp"
#include "net/websocket.hpp"

namespace rokada::net::detail {

// What a socket needs from the server or client it belongs to.
struct WebSocketHome {
    std::shared_ptr<Group> group;
    std::shared_ptr<void> slot;   // given back when the socket is closed
    std::shared_ptr<void> owner;  // keeps the counters alive
    std::atomic<std::size_t>* count = nullptr;
    std::atomic<std::uint64_t>* slow_readers = nullptr;
    ErrorHook on_error;
};

class WebSocketSession final : public WebSocket, public Member {
  public:
    using Opened = std::function<void(Result<WebSocketPtr, ClientError>)>;

    // Both on the loop's thread. `head` carries further fields for the 101 answer.
    static void serve(Transport transport, RequestPtr request, Response head,
                      WebSocketEvents events, const WebSocketLimits& limits, WebSocketHome home);
    static void connect(Transport transport, const Url& url, const Headers& headers,
                        WebSocketEvents events, const WebSocketLimits& limits, WebSocketHome home,
                        Milliseconds timeout, Opened opened);

    WebSocketSession(Transport transport, RequestPtr request, WebSocketEvents events,
                     const WebSocketLimits& limits, WebSocketHome home);
    ~WebSocketSession() override;

    bool send(SharedText text, std::uint32_t supersede_key) override;
    void close(CloseCode code, std::string_view reason) override;
    bool open() const override;
    std::size_t queued_bytes() const override;
    std::optional<Clock::duration> round_trip() const override;
    void ping() override;
    Executor executor() const override { return home_.group->executor(); }
    const RequestPtr& request() const override { return request_; }

    void on_tick(Clock::time_point now) override;
    void on_stop() override;
    void on_cut() override;

  private:
    struct Beast;
    struct Message {
        SharedText text;
        std::uint32_t key = 0;
        Clock::time_point queued;
    };
    enum class Phase { kOpening, kOpen, kClosing, kClosed };  // of the loop's thread

    std::shared_ptr<WebSocketSession> self() {
        return std::static_pointer_cast<WebSocketSession>(shared_from_this());
    }
    void begin();
    void read();
    void on_message();
    void flush();
    std::size_t last_together() const;
    void write_next();
    void written(std::size_t last, error_code error);
    void send_ping();
    void start_closing();
    void drop_slow();
    void finish(WebSocketClosed closed);
    template <typename Run>
    bool guarded(Run run);

    RequestPtr request_;
    WebSocketEvents events_;
    const WebSocketLimits limits_;
    WebSocketHome home_;
    std::unique_ptr<Beast> beast_;

    // On the loop's thread.
    Phase phase_ = Phase::kOpening;
    Clock::time_point deadline_;  // while opening and closing
    Clock::time_point last_heard_;
    Clock::time_point ping_sent_;
    bool ping_waiting_ = false;  // for its pong
    bool pinging_ = false;       // the frame is being written
    bool writing_ = false;
    std::vector<Message> sending_;  // taken from waiting_, written one by one
    std::size_t next_ = 0;

    std::atomic<Clock::rep> round_trip_{-1};

    mutable std::mutex mutex_;  // guards what follows
    std::vector<Message> waiting_;
    std::size_t queued_bytes_ = 0;  // waiting_ and the unsent rest of sending_
    Clock::time_point oldest_;      // of what is queued
    bool accepts_ = true;           // messages may be queued
    bool woken_ = false;
    bool slow_ = false;
    WebSocketClosed close_request_;
};

}  // namespace rokada::net::detail
