// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/websocket_session.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace rokada::net::detail {

namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

namespace {

constexpr std::size_t kMaxReason = 123;
constexpr const char* kProduct = "rokada";
constexpr std::size_t kKeptRoom = 2048;
constexpr std::size_t kTogether = 8, kSmall = 2048;  // messages written at once

// A whole text message as a server sends it (RFC 6455 section 5.2): unmasked, at most 65535 bytes.
void append_frame(std::string& bytes, std::string_view text) {
    constexpr std::size_t kShort = 125;
    const std::size_t size = text.size();
    bytes += '\x81';
    if (size <= kShort) {
        bytes += static_cast<char>(size);
    } else {
        bytes += static_cast<char>(kShort + 1);
        bytes += static_cast<char>(size >> 8);
        bytes += static_cast<char>(size & 0xff);
    }
    bytes += text;
}

// Cuts at a character boundary: a close reason must be UTF-8.
std::string cut_reason(std::string_view reason) {
    if (reason.size() <= kMaxReason) return std::string(reason);
    std::size_t length = kMaxReason;
    while (length > 0 && (static_cast<unsigned char>(reason[length]) & 0xc0) == 0x80) --length;
    return std::string(reason.substr(0, length));
}

CloseCode code_for(error_code error) {
    if (error == websocket::error::message_too_big) return CloseCode::kTooBig;
    if (error == websocket::error::bad_frame_payload) return CloseCode::kBadPayload;
    if (error.category() == make_error_code(websocket::error::closed).category())
        return CloseCode::kProtocolError;
    return CloseCode::kAbnormal;
}

}  // namespace

// No compression: it costs a hundred kilobytes for each connection.
struct WebSocketSession::Beast {
    explicit Beast(Transport transport, std::size_t max_message)
        : stream(std::move(transport)), buffer(max_message) {}

    websocket::stream<Transport, false> stream;
    boost::beast::flat_buffer buffer;
    websocket::response_type response;  // on the client's end
};

void WebSocketSession::serve(Transport transport, RequestPtr request, Response head,
                             WebSocketEvents events, const WebSocketLimits& limits,
                             WebSocketHome home) {
    const auto session = std::make_shared<WebSocketSession>(
        std::move(transport), std::move(request), std::move(events), limits, std::move(home));
    // Beast wants its own type of request; the fields that matter to it have been checked before.
    http::request<http::empty_body> upgrade(http::verb::get, "/", 11);
    upgrade.set(http::field::host, "-");
    upgrade.set(http::field::connection, "upgrade");
    upgrade.set(http::field::upgrade, "websocket");
    upgrade.set(http::field::sec_websocket_key, session->request_->header("Sec-WebSocket-Key"));
    upgrade.set(http::field::sec_websocket_version, "13");
    auto& stream = session->beast_->stream;
    stream.set_option(
        websocket::stream_base::decorator([&head](websocket::response_type& response) {
            // Beast would name itself and its version.
            if (!head.headers.has("Server")) response.set(http::field::server, kProduct);
            for (const Header& field : head.headers) response.insert(field.name, field.value);
        }));
    session->deadline_ = Clock::now() + limits.close_timeout;
    session->home_.group->add(*session);
    // The answer is built before this returns, so the reference to head is not used later.
    stream.async_accept(upgrade, [session](error_code error) {
        if (error || session->phase_ != Phase::kOpening)
            return session->finish({CloseCode::kAbnormal, "", false});
        session->begin();
    });
    stream.set_option(websocket::stream_base::decorator([](websocket::response_type&) {}));
}

void WebSocketSession::connect(Transport transport, const Url& url, const Headers& headers,
                               WebSocketEvents events, const WebSocketLimits& limits,
                               WebSocketHome home, Milliseconds timeout, Opened opened) {
    const auto session = std::make_shared<WebSocketSession>(
        std::move(transport), nullptr, std::move(events), limits, std::move(home));
    auto& stream = session->beast_->stream;
    stream.set_option(
        websocket::stream_base::decorator([&headers](websocket::request_type& request) {
            request.set(http::field::user_agent, kProduct);
            for (const Header& field : headers) request.set(field.name, field.value);
        }));
    session->deadline_ = Clock::now() + timeout;
    session->home_.group->add(*session);
    stream.async_handshake(
        session->beast_->response, url.authority(), url.target,
        [session, opened = std::move(opened), host = url.host](error_code error) {
            if (session->phase_ == Phase::kOpening && !error) {
                session->begin();
                if (opened) opened(WebSocketPtr(session));
                return;
            }
            ClientError failure{ClientError::Kind::kClosed, host + ": " + error.message(), {}};
            if (error == websocket::error::upgrade_declined) {
                const websocket::response_type& answer = session->beast_->response;
                failure.kind = ClientError::Kind::kRefused;
                failure.response.emplace();
                failure.response->status = answer.result_int();
                failure.response->body = answer.body();
                for (const auto& field : answer)
                    failure.response->headers.add(std::string(field.name_string()),
                                                  std::string(field.value()));
                failure.message =
                    host + ": upgrade refused with status " + std::to_string(answer.result_int());
            } else if (Clock::now() >= session->deadline_) {
                failure.kind = ClientError::Kind::kTimeout;
                failure.message = host + ": no answer in time";
            } else if (code_for(error) == CloseCode::kProtocolError) {
                failure.kind = ClientError::Kind::kProtocol;
            }
            session->finish({CloseCode::kAbnormal, "", false});
            if (opened) opened(Error{std::move(failure)});
        });
    stream.set_option(websocket::stream_base::decorator([](websocket::request_type&) {}));
}

WebSocketSession::WebSocketSession(Transport transport, RequestPtr request, WebSocketEvents events,
                                   const WebSocketLimits& limits, WebSocketHome home)
    : request_(std::move(request)),
      events_(std::move(events)),
      limits_(limits),
      home_(std::move(home)),
      beast_(std::make_unique<Beast>(std::move(transport), limits.read_message_max)),
      last_heard_(Clock::now()) {
    beast_->stream.read_message_max(limits_.read_message_max);
    beast_->stream.text(true);
    beast_->stream.auto_fragment(false);
    if (home_.count) ++*home_.count;
}

WebSocketSession::~WebSocketSession() {
    if (home_.count) --*home_.count;  // never finished: its loop was stopped
}

template <typename Run>
bool WebSocketSession::guarded(Run run) {
    try {
        run();
        return true;
    } catch (const std::exception& error) {
        if (home_.on_error) home_.on_error(std::string("websocket callback: ") + error.what());
    } catch (...) {
        if (home_.on_error) home_.on_error("websocket callback: unknown exception");
    }
    return false;
}

void WebSocketSession::begin() {
    phase_ = Phase::kOpen;
    last_heard_ = Clock::now();
    // Refers to the session by a plain pointer: it is called only while one of our reads is
    // running.
    beast_->stream.control_callback([this](websocket::frame_type kind, boost::beast::string_view) {
        last_heard_ = Clock::now();
        if (kind != websocket::frame_type::pong || !ping_waiting_) return;
        ping_waiting_ = false;
        round_trip_.store((last_heard_ - ping_sent_).count(), std::memory_order_relaxed);
    });
    if (events_.on_open && !guarded([&] { events_.on_open(shared_from_this()); }))
        close(CloseCode::kInternalError, {});
    read();
    flush();  // a close may have been asked for meanwhile
}

// --- receiving -----------------------------------------------------------------------------------

void WebSocketSession::read() {
    beast_->stream.async_read(beast_->buffer, [session = self()](error_code error, std::size_t) {
        if (session->phase_ == Phase::kClosed) return;
        if (!error) return session->on_message();
        WebSocketClosed closed;
        if (error == websocket::error::closed) {
            const websocket::close_reason& reason = session->beast_->stream.reason();
            closed.code = reason.code == websocket::close_code::none
                              ? CloseCode::kNoStatus
                              : static_cast<CloseCode>(reason.code);
            closed.reason.assign(reason.reason.data(), reason.reason.size());
            closed.by_peer = session->phase_ == Phase::kOpen;
        } else {
            closed.code = code_for(error);
            closed.reason = error.message();
        }
        if (session->phase_ == Phase::kClosing) {
            const std::lock_guard lock(session->mutex_);
            closed = session->close_request_;
        }
        session->finish(std::move(closed));
    });
}

void WebSocketSession::on_message() {
    last_heard_ = Clock::now();
    if (phase_ == Phase::kOpen) {
        if (!beast_->stream.got_text()) {
            close(CloseCode::kUnsupportedData, "text only");
        } else if (events_.on_message) {
            const std::string_view text(static_cast<const char*>(beast_->buffer.data().data()),
                                        beast_->buffer.size());
            if (!guarded([&] { events_.on_message(shared_from_this(), text); }))
                close(CloseCode::kInternalError, {});
        }
    }
    if (phase_ == Phase::kClosed) return;
    beast_->buffer.clear();
    // An idle socket keeps room for a usual message, not for a long one.
    if (beast_->buffer.capacity() > kKeptRoom) beast_->buffer.shrink_to_fit();
    read();
}

// --- sending -------------------------------------------------------------------------------------

bool WebSocketSession::send(SharedText text, std::uint32_t supersede_key) {
    std::unique_lock lock(mutex_);
    if (!accepts_ || !text) return false;
    const Clock::time_point now = Clock::now();
    if (supersede_key != 0)
        for (Message& message : waiting_)
            if (message.key == supersede_key) {
                queued_bytes_ = queued_bytes_ - message.text->size() + text->size();
                message.text = std::move(text);
                return true;
            }
    const bool too_much =
        queued_bytes_ > 0 && queued_bytes_ + text->size() > limits_.send_queue_bytes;
    const bool too_old = queued_bytes_ > 0 && now - oldest_ > limits_.send_queue_age;
    if (too_much || too_old) {
        slow_ = true;
        accepts_ = false;
    } else {
        if (queued_bytes_ == 0) oldest_ = now;
        queued_bytes_ += text->size();
        waiting_.push_back({std::move(text), supersede_key, now});
    }
    const bool queued = accepts_;
    if (woken_) return queued;
    woken_ = true;
    lock.unlock();
    executor().post([session = self()] { session->flush(); });
    return queued;
}

// Looks at everything other threads may have asked for.
void WebSocketSession::flush() {
    bool slow = false;
    bool closing = false;
    {
        const std::lock_guard lock(mutex_);
        woken_ = false;
        slow = slow_;
        closing = !accepts_;
        if (!writing_ && !slow && phase_ == Phase::kOpen && sending_.empty())
            sending_.swap(waiting_);
    }
    if (phase_ != Phase::kOpen) return;
    if (slow) return drop_slow();
    if (writing_) return;
    if (!sending_.empty()) return write_next();
    if (closing) start_closing();
}

// Of the messages from next_ on, the last that leaves together with it. On the client's end each
// goes alone, because its frames are masked.
std::size_t WebSocketSession::last_together() const {
    std::size_t last = next_;
    if (!request_) return last;
    while (last + 1 < sending_.size() && last - next_ + 1 < kTogether &&
           sending_[last].text->size() <= kSmall)
        ++last;
    return last;
}

void WebSocketSession::write_next() {
    writing_ = true;
    const std::size_t last = last_together();
    const SharedText& text = sending_[last].text;
    if (last > next_) {
        std::string& front = beast_->stream.next_layer().put_before(text->data());
        for (std::size_t i = next_; i < last; ++i) append_frame(front, *sending_[i].text);
    }
    beast_->stream.async_write(
        asio::buffer(*text),
        [session = self(), last](error_code error, std::size_t) { session->written(last, error); });
}

void WebSocketSession::written(std::size_t last, error_code error) {
    writing_ = false;
    if (phase_ == Phase::kClosed) return;
    if (error) return finish({CloseCode::kAbnormal, error.message(), false});
    {
        const std::lock_guard lock(mutex_);
        for (; next_ <= last; ++next_) queued_bytes_ -= sending_[next_].text->size();
        if (next_ == sending_.size()) {
            sending_.clear();
            next_ = 0;
            if (sending_.capacity() > 16) sending_ = {};
            if (!waiting_.empty()) oldest_ = waiting_.front().queued;
        } else {
            oldest_ = sending_[next_].queued;
        }
    }
    if (!sending_.empty() && phase_ == Phase::kOpen) return write_next();
    flush();
}

void WebSocketSession::ping() {
    executor().dispatch([session = self()] {
        if (session->phase_ == Phase::kOpen) session->send_ping();
    });
}

void WebSocketSession::send_ping() {
    if (pinging_ || ping_waiting_) return;
    pinging_ = ping_waiting_ = true;
    ping_sent_ = Clock::now();
    beast_->stream.async_ping({}, [session = self()](error_code) { session->pinging_ = false; });
}

// --- closing -------------------------------------------------------------------------------------

void WebSocketSession::close(CloseCode code, std::string_view reason) {
    std::unique_lock lock(mutex_);
    if (!accepts_) return;
    accepts_ = false;
    close_request_ = {code, cut_reason(reason), false};
    if (woken_) return;
    woken_ = true;
    lock.unlock();
    executor().post([session = self()] { session->flush(); });
}

void WebSocketSession::start_closing() {
    phase_ = Phase::kClosing;
    deadline_ = Clock::now() + limits_.close_timeout;
    websocket::close_reason reason;
    {
        const std::lock_guard lock(mutex_);
        reason.code = static_cast<websocket::close_code>(close_request_.code);
        reason.reason = close_request_.reason;
    }
    beast_->stream.async_close(reason, [session = self()](error_code) {
        // Whether the peer answered or not: it has been told, and the connection is gone.
        if (session->phase_ == Phase::kClosed) return;
        WebSocketClosed closed;
        {
            const std::lock_guard lock(session->mutex_);
            closed = session->close_request_;
        }
        session->finish(std::move(closed));
    });
}

void WebSocketSession::drop_slow() {
    if (home_.slow_readers) ++*home_.slow_readers;
    finish({CloseCode::kTryAgainLater, "reads too slowly", false});
}

// The end, by whatever way.
void WebSocketSession::finish(WebSocketClosed closed) {
    if (phase_ == Phase::kClosed) return;
    const WebSocketPtr keep = shared_from_this();
    const bool was_open = phase_ != Phase::kOpening;
    phase_ = Phase::kClosed;
    beast_->stream.next_layer().close();
    leave();
    {
        const std::lock_guard lock(mutex_);
        accepts_ = false;
        waiting_.clear();
        queued_bytes_ = 0;
    }
    const WebSocketEvents events = std::move(events_);
    events_ = {};
    if (home_.count) --*std::exchange(home_.count, nullptr);
    home_.slot.reset();
    if (was_open && events.on_close) guarded([&] { events.on_close(keep, closed); });
}

bool WebSocketSession::open() const {
    const std::lock_guard lock(mutex_);
    return accepts_;
}

std::size_t WebSocketSession::queued_bytes() const {
    const std::lock_guard lock(mutex_);
    return queued_bytes_;
}

std::optional<Clock::duration> WebSocketSession::round_trip() const {
    const Clock::rep ticks = round_trip_.load(std::memory_order_relaxed);
    return ticks < 0 ? std::nullopt : std::optional(Clock::duration(ticks));
}

void WebSocketSession::on_tick(Clock::time_point now) {
    if (phase_ == Phase::kOpening || phase_ == Phase::kClosing) {
        if (now < deadline_) return;
        if (phase_ == Phase::kOpening)
            return beast_->stream.next_layer().close();  // its handler finishes
        WebSocketClosed closed;
        {
            const std::lock_guard lock(mutex_);
            closed = close_request_;
        }
        return finish(std::move(closed));
    }
    bool too_old = false;
    {
        const std::lock_guard lock(mutex_);
        too_old = queued_bytes_ > 0 && now - oldest_ > limits_.send_queue_age;
    }
    if (too_old) return drop_slow();
    const Clock::duration silence = now - last_heard_;
    if (silence > limits_.idle_timeout)
        return finish({CloseCode::kAbnormal, "nothing heard", false});
    if (silence > limits_.idle_timeout / 2) send_ping();
}

// One that is still opening is closed as soon as it is open.
void WebSocketSession::on_stop() { close(CloseCode::kServiceRestart, "service restart"); }

void WebSocketSession::on_cut() {
    WebSocketClosed closed{CloseCode::kServiceRestart, "service restart", false};
    finish(std::move(closed));
}

}  // namespace rokada::net::detail
