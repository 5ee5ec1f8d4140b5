// SPDX-License-Identifier: GPL-3.0-or-later
// How a handler answers: once, now or later, from any thread, with a whole response or with a
// stream. Used by every route. A request whose last Responder is dropped unanswered gets a 500.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.hpp"

namespace rokada::net {

namespace detail {
class ResponderState;
class StreamHandle;
}  // namespace detail

// A response body written piece by piece (server-sent events, NDJSON, exports). Copies share one
// stream; any thread may write. The stream ends when close() is called, when the last copy is
// dropped, when the client goes away, or when it reads too slowly (limits:
// ServerLimits::stream_queue_*).
class Stream {
  public:
    Stream() = default;
    explicit Stream(std::shared_ptr<detail::StreamHandle> state) : state_(std::move(state)) {}

    bool write(std::string piece) const { return write(share(std::move(piece))); }
    bool write(SharedText piece) const;  // false: the stream is over
    void close() const;                  // after what has been written

    // Called once, on the connection's loop, when the stream is over for whatever reason.
    void on_closed(std::function<void()> callback) const;
    // Called on the connection's loop each time everything written so far has left for the network:
    // a producer of much data writes one portion per call.
    void on_drained(std::function<void()> callback) const;
    // Writes this text whenever nothing was written for so long (": \n\n" for SSE, "\n" for
    // NDJSON).
    void keep_alive(std::chrono::milliseconds interval, std::string text) const;

    bool open() const;
    std::size_t queued_bytes() const;
    explicit operator bool() const { return state_ != nullptr; }

  private:
    std::shared_ptr<detail::StreamHandle> state_;
};

class Responder {
  public:
    Responder() = default;
    explicit Responder(std::shared_ptr<detail::ResponderState> state) : state_(std::move(state)) {}

    // The first answer counts; later ones are ignored and give false.
    bool send(Response response) const;
    // Sends status and headers now, the body as it is written. Content-Length must not be set.
    Stream stream(Response head) const;
    bool answered() const;
    explicit operator bool() const { return state_ != nullptr; }

  private:
    std::shared_ptr<detail::ResponderState> state_;
};

// One server-sent event. Line breaks in data become several data lines; id and event must have
// none.
std::string sse_event(std::string_view data, std::string_view event = {}, std::string_view id = {});

}  // namespace rokada::net
