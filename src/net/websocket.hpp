// SPDX-License-Identifier: GPL-3.0-or-later
// A WebSocket as the application sees it, the same for the server's and the client's end. Used by
// the live protocol, the load generator and tests. Text messages only; a peer that reads too slowly
// is dropped.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/http.hpp"
#include "net/loop.hpp"

namespace rokada::net {

namespace detail {
class ResponderState;
}

// RFC 6455 section 7.4.1 and the IANA registry.
enum class CloseCode : std::uint16_t {
    kNormal = 1000,
    kGoingAway = 1001,
    kProtocolError = 1002,
    kUnsupportedData = 1003,
    kNoStatus = 1005,  // reported only: the peer gave none
    kAbnormal = 1006,  // reported only: the connection broke
    kBadPayload = 1007,
    kPolicy = 1008,
    kTooBig = 1009,
    kInternalError = 1011,
    kServiceRestart = 1012,
    kTryAgainLater = 1013,  // also: the peer read too slowly
};

struct WebSocketLimits {
    std::size_t read_message_max = 16 * 1024;
    std::size_t send_queue_bytes = 256 * 1024;  // more waiting than this: dropped as a slow reader
    Milliseconds send_queue_age{10'000};        // or the oldest waiting longer than this
    Milliseconds idle_timeout{60'000};  // nothing heard for so long: dropped; pinged at half of it
    Milliseconds close_timeout{3'000};  // for the closing handshake
};

// Thread-safe: any thread may send and close. Callbacks run one at a time on the connection's
// executor.
class WebSocket : public std::enable_shared_from_this<WebSocket> {
  public:
    virtual ~WebSocket() = default;

    // Queues a text message; false when the socket is closed or has just been dropped as a slow
    // reader. A message with a nonzero key takes the place of a waiting message with the same key,
    // for news that the next piece makes worthless (a clock, an evaluation).
    virtual bool send(SharedText text, std::uint32_t supersede_key = 0) = 0;
    bool send(std::string text) { return send(share(std::move(text))); }

    // Sends what is queued, then the closing handshake. The reason is cut to 123 bytes.
    virtual void close(CloseCode code, std::string_view reason = {}) = 0;

    virtual bool open() const = 0;
    virtual std::size_t queued_bytes() const = 0;
    // Round trip of the latest ping of ours, if one was answered.
    virtual std::optional<Clock::duration> round_trip() const = 0;
    // Sends a ping now (to measure the round trip); pings for idle peers happen by themselves.
    virtual void ping() = 0;
    virtual Executor executor() const = 0;
    virtual const RequestPtr& request()
        const = 0;  // the upgrade request (null on the client's end)
};

using WebSocketPtr = std::shared_ptr<WebSocket>;

struct WebSocketClosed {
    CloseCode code = CloseCode::kAbnormal;
    std::string reason;
    bool by_peer = false;
};

// on_close comes exactly once after on_open, and is the last callback.
// An exception from a callback closes the socket with 1011.
struct WebSocketEvents {
    std::function<void(const WebSocketPtr&)> on_open;
    std::function<void(const WebSocketPtr&, std::string_view text)> on_message;
    std::function<void(const WebSocketPtr&, const WebSocketClosed&)> on_close;
};

// Decides on one upgrade request, now or later, from any thread, exactly once. Dropped: 500.
class Upgrader {
  public:
    explicit Upgrader(std::shared_ptr<detail::ResponderState> state) : state_(std::move(state)) {}

    void accept(WebSocketEvents events, std::string subprotocol = {}) const;
    void refuse(Response response) const;

  private:
    std::shared_ptr<detail::ResponderState> state_;
};

}  // namespace rokada::net
