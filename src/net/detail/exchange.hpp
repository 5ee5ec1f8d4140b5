// SPDX-License-Identifier: GPL-3.0-or-later
// The seam between the handles an application holds (Responder, Stream, Upgrader) and the
// connection they answer on. Implemented by HttpConnection.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/http.hpp"
#include "net/loop.hpp"
#include "net/websocket.hpp"

namespace rokada::net::detail {

class StreamCore;

// Calls come on the executor, each with the number of the request it answers: late ones are
// ignored.
class Exchange {
  public:
    virtual ~Exchange() = default;
    virtual Executor executor() const = 0;
    virtual void answer(std::uint64_t number, Response response) = 0;
    virtual void answer_error(std::uint64_t number, int status) = 0;
    virtual void begin_stream(std::uint64_t number, Response head,
                              std::shared_ptr<StreamCore> stream) = 0;
    virtual void upgrade(std::uint64_t number, WebSocketEvents events, std::string subprotocol) = 0;
    virtual void stream_changed(std::uint64_t number) = 0;
};

struct StreamLimits {
    std::size_t queue_bytes = 1024 * 1024;
    Milliseconds queue_age{20'000};
};

class ResponderState {
  public:
    ResponderState(std::shared_ptr<Exchange> exchange, std::uint64_t number, StreamLimits limits)
        : exchange_(std::move(exchange)), number_(number), limits_(limits) {}
    ~ResponderState();

    bool claim() { return !answered_.exchange(true); }
    bool answered() const { return answered_; }
    const std::shared_ptr<Exchange>& exchange() const { return exchange_; }
    std::uint64_t number() const { return number_; }
    const StreamLimits& limits() const { return limits_; }

  private:
    std::shared_ptr<Exchange> exchange_;
    std::uint64_t number_;
    StreamLimits limits_;
    std::atomic<bool> answered_{false};
};

// The queue between the writers of a stream and its connection. Thread-safe.
class StreamCore : public std::enable_shared_from_this<StreamCore> {
  public:
    StreamCore(std::shared_ptr<Exchange> exchange, std::uint64_t number, StreamLimits limits);

    // The application's side.
    bool write(SharedText piece);
    void close();
    void on_closed(std::function<void()> callback);
    void on_drained(std::function<void()> callback);
    void keep_alive(Milliseconds interval, std::string text);
    bool open() const;
    std::size_t queued_bytes() const;

    // The connection's side, on its executor.
    enum class Next { kData, kWait, kEnd, kSlow };
    Next take(std::string& out);  // appends all that waits; those bytes count until sent()
    void sent();                  // what was taken has left
    Next tick(Clock::time_point now);
    void over();  // the stream has ended: releases the callbacks, calls on_closed

  private:
    void wake(std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::shared_ptr<Exchange> exchange_;  // null once over
    std::uint64_t number_;
    StreamLimits limits_;
    std::vector<SharedText> pending_;
    std::size_t pending_bytes_ = 0;
    std::size_t taken_bytes_ = 0;
    Clock::time_point pending_since_;
    Clock::time_point taken_since_;
    Clock::time_point last_write_;
    bool closing_ = false;
    bool slow_ = false;
    bool over_ = false;
    bool woken_ = false;
    Milliseconds keep_alive_{0};
    SharedText keep_alive_text_;
    std::function<void()> closed_callback_;
    std::function<void()> drained_callback_;
};

// What all copies of a Stream share: dropping the last one closes the stream.
class StreamHandle {
  public:
    explicit StreamHandle(std::shared_ptr<StreamCore> core) : core_(std::move(core)) {}
    ~StreamHandle() { core_->close(); }
    StreamHandle(const StreamHandle&) = delete;
    StreamHandle& operator=(const StreamHandle&) = delete;
    StreamCore& core() const { return *core_; }

  private:
    std::shared_ptr<StreamCore> core_;
};

}  // namespace rokada::net::detail
