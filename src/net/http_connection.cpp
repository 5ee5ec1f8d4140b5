// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/http_connection.hpp"

#include <array>

#include "net/detail/websocket_session.hpp"
#include "net/detail/wire.hpp"
#include "net/url.hpp"

namespace rokada::net::detail {

namespace {

constexpr std::size_t kReadSize = 4 * 1024;
constexpr std::size_t kBodyReadSize = 32 * 1024;
constexpr std::size_t kJoinBody =
    8 * 1024;  // bodies up to this size are copied behind their head: one write
constexpr std::size_t kLingerBytes = 256 * 1024;
constexpr Milliseconds kLingerTime{2'000};

Address address_of(const tcp::endpoint& endpoint) {
    if (endpoint.address().is_v4()) return Address::v4(endpoint.address().to_v4().to_bytes());
    return Address::v6(endpoint.address().to_v6().to_bytes());
}

bool is_inet(const tcp::endpoint& endpoint) {
    const int family = endpoint.data()->sa_family;
    return family == AF_INET || family == AF_INET6;
}

}  // namespace

Address peer_address(Transport::Socket& socket) {
    error_code error;
    const tcp::endpoint endpoint = socket.remote_endpoint(error);
    return error || !is_inet(endpoint) ? Address() : address_of(endpoint);
}

HttpConnection::HttpConnection(std::shared_ptr<ServerCore> core, std::shared_ptr<Group> group,
                               Transport transport, std::shared_ptr<void> slot)
    : core_(std::move(core)),
      group_(std::move(group)),
      slot_(std::move(slot)),
      transport_(std::move(transport)) {
    peer_ = peer_address(transport_.socket());
    error_code error;
    if (const tcp::endpoint endpoint = transport_.socket().local_endpoint(error);
        !error && is_inet(endpoint)) {
        local_ = address_of(endpoint);
        local_port_ = endpoint.port();
    }
    transport_.socket().set_option(tcp::no_delay(true), error);
}

HttpConnection::~HttpConnection() {
    if (stream_) end_stream();
}

void HttpConnection::start(bool tls) {
    group_->add(*this);
    if (!tls) return begin_request();
    const std::shared_ptr<TlsContextHolder> context = core_->tls();
    if (!context) return abort();
    phase_ = Phase::kHandshake;
    deadline_ = Clock::now() + core_->limits.handshake_timeout;
    transport_.start_tls(context);
    transport_.accept_handshake([self = shared_from_this()](error_code error) {
        if (self->phase_ != Phase::kHandshake) return;
        if (error) return self->abort();
        self->begin_request();
    });
}

// --- reading -------------------------------------------------------------------------------------

void HttpConnection::begin_request() {
    parser_ = std::make_unique<RequestParser>(
        ParserLimits{core_->limits.header_bytes, core_->limits.header_fields});
    request_.reset();
    match_ = {};
    ++number_;
    status_ = 0;
    bytes_sent_ = 0;
    phase_ = Phase::kIdle;
    // A new connection has no reason to wait.
    deadline_ = Clock::now() +
                (first_request_ ? core_->limits.header_timeout : core_->limits.keep_alive_timeout);
    if (in_.empty())
        read();
    else
        process_input();
}

void HttpConnection::read() {
    if (reading_) return;
    reading_ = true;
    const std::size_t size = phase_ == Phase::kBody ? kBodyReadSize : kReadSize;
    if (read_buffer_.capacity() > size + kReadSize)
        read_buffer_ = std::string();  // after a big body
    read_buffer_.resize(size);
    transport_.async_read_some(asio::buffer(read_buffer_),
                               [self = shared_from_this()](error_code error, std::size_t count) {
                                   self->on_read(error, count);
                               });
}

void HttpConnection::on_read(error_code error, std::size_t count) {
    reading_ = false;
    if (phase_ != Phase::kLingering) in_.append(read_buffer_, 0, count);
    switch (phase_) {
        case Phase::kClosed: return;
        case Phase::kLingering:
            lingered_ += count;
            if (error || lingered_ > kLingerBytes) return abort();
            return read();
        case Phase::kStreaming:
            // Nothing is expected from a client that listens to a stream, except that it may go.
            if (error) return abort();
            if (in_.size() < core_->limits.header_bytes) read();
            return;
        case Phase::kIdle:
        case Phase::kHead:
        case Phase::kBody:
            if (error) return abort();
            return process_input();
        default:
            return;  // a read begun while streaming has ended: its bytes are the next request's
    }
}

void HttpConnection::process_input() {
    if (phase_ == Phase::kIdle) {
        phase_ = Phase::kHead;
        started_ = Clock::now();
        deadline_ = started_ + core_->limits.header_timeout;
    }
    const bool was_head = parser_->state() == RequestParser::State::kHead;
    in_.erase(0, parser_->feed(in_));
    switch (parser_->state()) {
        case RequestParser::State::kHead: return read();
        case RequestParser::State::kFailed:
            ++core_->bad_requests;
            return refuse(parser_->error_status(), parser_->error_reason());
        case RequestParser::State::kBody:
            if (was_head) return on_head();
            return read();
        case RequestParser::State::kDone:
            if (was_head) return on_head();
            return dispatch();
    }
}

// The head is complete: decide about the request before a byte of its body is read.
void HttpConnection::on_head() {
    ++core_->requests;
    first_request_ = false;
    request_ = std::make_shared<Request>(std::move(parser_->request()));
    request_->peer = peer_;
    request_->local = local_;
    request_->local_port = local_port_;
    apply_forwarded(*request_, core_->trusted_proxies, transport_.encrypted());
    keep_alive_ = parser_->keep_alive() && !core_->stopping;

    match_ = core_->router.match(request_->method, request_->path, wants_websocket(*request_));
    request_->params = std::move(match_.params);
    if (match_.route) request_->route = match_.route->pattern;
    std::size_t body_limit = match_.route ? match_.route->options.body_limit : 0;

    if (core_->hooks.gate) {
        std::optional<Response> refusal;
        if (!guarded(*core_, "gate", [&] { refusal = core_->hooks.gate(*request_, body_limit); }))
            return refuse(500);
        if (refusal) return refuse(std::move(*refusal));
    }
    if (!match_.route && !(core_->router.fallback_handler() && !match_.path_known)) return route();
    parser_->set_body_limit(body_limit);
    if (parser_->state() == RequestParser::State::kFailed) {
        ++core_->bad_requests;
        return refuse(parser_->error_status(), parser_->error_reason());
    }
    if (!parser_->has_body()) return dispatch();

    phase_ = Phase::kBody;
    const std::size_t expected =
        static_cast<std::size_t>(parser_->content_length().value_or(body_limit));
    deadline_ = Clock::now() + core_->limits.body_timeout +
                std::chrono::seconds(expected /
                                     std::max<std::size_t>(core_->limits.body_bytes_per_second, 1));
    if (parser_->expects_continue() && in_.empty()) {
        out_ = "HTTP/1.1 100 Continue\r\n\r\n";
        return write();  // the body is read when this has left
    }
    if (in_.empty()) return read();
    process_input();
}

// Answers what has no route of its own.
void HttpConnection::route() {
    if (match_.upgrade_required)
        return refuse(core_->make_error(426, request())
                          .with("Upgrade", "websocket")
                          .with("Connection", "Upgrade"));
    if (request_->path == "*") return refuse(Response(204));
    if (!match_.path_known) return refuse(404);
    std::string allow;
    for (const Method method : match_.allow)
        allow.append(allow.empty() ? "" : ", ").append(to_string(method));
    if (request_->method == Method::kOptions)
        return refuse(Response(204).with("Allow", std::move(allow)));
    const int status = request_->method == Method::kOther ? 501 : 405;
    refuse(core_->make_error(status, request()).with("Allow", std::move(allow)));
}

// An answer that needs no handler. If a body is on its way it will not be read, so the connection
// must end.
void HttpConnection::refuse(Response response) {
    if (parser_->state() != RequestParser::State::kDone) keep_alive_ = false;
    send(std::move(response));
}

void HttpConnection::refuse(int status, std::string_view detail) {
    refuse(core_->make_error(status, request(), detail));
}

// The key is 16 random bytes in base64. Nothing may follow before our answer, and no read of ours
// may be under way (one that watched a stream): its bytes would belong to the WebSocket.
bool HttpConnection::upgrade_is_sound(const Request& request) {
    return request.header("Sec-WebSocket-Key").size() == 24 &&
           request.headers.count("Sec-WebSocket-Key") == 1 && in_.empty() && !reading_;
}

void HttpConnection::dispatch() {
    if (!parser_->request().body.empty()) request_->body = std::move(parser_->request().body);
    phase_ = Phase::kHandling;
    deadline_ = Clock::now() + core_->limits.handler_timeout;
    const auto state = std::make_shared<ResponderState>(
        shared_from_this(), number_,
        StreamLimits{core_->limits.stream_queue_bytes, core_->limits.stream_queue_age});
    const RequestPtr request = request_;
    if (match_.route && match_.route->upgrade) {
        if (request->header("Sec-WebSocket-Version") != "13") {
            state->claim();
            return send(core_->make_error(426, request.get()).with("Sec-WebSocket-Version", "13"));
        }
        if (!upgrade_is_sound(*request)) {
            state->claim();
            keep_alive_ = false;
            return send(core_->make_error(400, request.get(), "not a valid WebSocket upgrade"));
        }
        guarded(*core_, "upgrade handler",
                [&] { match_.route->upgrade(request, Upgrader(state)); });
        return;
    }
    const Handler& handler =
        match_.route ? match_.route->handler : core_->router.fallback_handler();
    // An exception drops the handler's Responder; when ours goes too, the answer is 500.
    guarded(*core_, "handler", [&] { handler(request, Responder(state)); });
}

// --- answering -----------------------------------------------------------------------------------

void HttpConnection::answer(std::uint64_t number, Response response) {
    if (current(number)) send(std::move(response));
}

void HttpConnection::answer_error(std::uint64_t number, int status) {
    if (current(number)) send(core_->make_error(status, request()));
}

// Puts the head into the output; the caller adds a body and writes.
void HttpConnection::send_head(Response& response, Framing framing) {
    core_->decorate(request(), response);
    if (core_->stopping) keep_alive_ = false;
    status_ = response.status;
    framing.close = !keep_alive_;
    framing.keep_alive = keep_alive_ && request_ && request_->version < 11;
    out_.clear();
    if (!append_head(out_, response, framing))
        core_->report("a response had a header field with forbidden characters");
}

void HttpConnection::send(Response response) {
    const std::size_t length = response.body ? response.body->size() : 0;
    Framing framing;
    if (!bodyless(response.status)) framing.content_length = length;
    send_head(response, framing);
    const bool head_only =
        (request_ && request_->method == Method::kHead) || bodyless(response.status);
    body_.reset();
    if (!head_only && length > 0) {
        if (length <= kJoinBody)
            out_ += *response.body;
        else
            body_ = std::move(response.body);
    }
    phase_ = Phase::kWriting;
    write();
}

void HttpConnection::write() {
    writing_ = true;
    if (phase_ == Phase::kWriting) deadline_ = Clock::now() + core_->limits.write_timeout;
    const std::array<asio::const_buffer, 2> buffers{
        asio::buffer(out_) + out_offset_,
        body_ ? asio::buffer(*body_) + body_offset_ : asio::const_buffer()};
    transport_.async_write_some(buffers,
                                [self = shared_from_this()](error_code error, std::size_t count) {
                                    self->on_write(error, count);
                                });
}

void HttpConnection::on_write(error_code error, std::size_t count) {
    writing_ = false;
    if (phase_ == Phase::kClosed) return;
    if (error) return abort();
    bytes_sent_ += count;
    const std::size_t of_head = std::min(count, out_.size() - out_offset_);
    out_offset_ += of_head;
    body_offset_ += count - of_head;
    if (out_offset_ < out_.size() || (body_ && body_offset_ < body_->size())) return write();
    out_.clear();
    out_offset_ = 0;
    body_.reset();
    body_offset_ = 0;
    if (phase_ == Phase::kBody) return read();  // 100 Continue
    if (phase_ == Phase::kStreaming) {
        stream_->sent();
        if (stream_ending_) {
            end_stream();
            return on_sent();
        }
        return pump_stream();
    }
    on_sent();
}

void HttpConnection::on_sent() {
    note_done();
    if (out_.capacity() > 4 * kJoinBody) out_ = std::string();
    if (keep_alive_ && !core_->stopping)
        begin_request();
    else
        linger();
}

void HttpConnection::note_done() {
    if (!core_->hooks.on_done) return;
    const ServerHooks::Done done{request(), status_, bytes_sent_, Clock::now() - started_};
    guarded(*core_, "on_done", [&] { core_->hooks.on_done(done); });
}

// Closing at once could destroy the answer on its way if the client is still sending: wait for its
// end.
void HttpConnection::linger() {
    phase_ = Phase::kLingering;
    deadline_ = Clock::now() + kLingerTime;
    request_.reset();
    in_.clear();
    const bool plain = !transport_.encrypted();
    transport_.shutdown([self = shared_from_this(), plain](error_code) {
        if (!plain) self->abort();  // TLS has waited for the other side's close_notify
    });
    if (plain) read();
}

void HttpConnection::abort() {
    if (phase_ == Phase::kClosed) return;
    const std::shared_ptr<HttpConnection> keep = shared_from_this();
    phase_ = Phase::kClosed;
    ++number_;
    transport_.close();
    if (stream_) end_stream();
    leave();
    slot_.reset();
}

// --- streams -------------------------------------------------------------------------------------

void HttpConnection::begin_stream(std::uint64_t number, Response head,
                                  std::shared_ptr<StreamCore> stream) {
    if (!current(number)) return stream->over();
    chunked_ = request_->version >= 11;
    if (!chunked_) keep_alive_ = false;
    Framing framing;
    framing.chunked = chunked_ && !bodyless(head.status);
    send_head(head, framing);
    if (bodyless(head.status) || request_->method == Method::kHead) {
        stream->over();
        phase_ = Phase::kWriting;
        return write();
    }
    phase_ = Phase::kStreaming;
    stream_ending_ = false;
    stream_ = std::move(stream);
    ++core_->streams;
    if (core_->stopping) stream_->close();
    write();
    read();
}

void HttpConnection::stream_changed(std::uint64_t number) {
    if (phase_ == Phase::kStreaming && number == number_) pump_stream();
}

void HttpConnection::pump_stream() {
    if (writing_ || stream_ending_) return;
    std::string data;
    StreamCore::Next next = StreamCore::Next::kSlow;
    if (!guarded(*core_, "stream", [&] { next = stream_->take(data); })) return abort();
    if (phase_ != Phase::kStreaming) return;
    switch (next) {
        case StreamCore::Next::kWait: return;
        case StreamCore::Next::kSlow: ++core_->slow_readers; return abort();
        case StreamCore::Next::kEnd:
            stream_ending_ = true;
            if (!chunked_) {
                end_stream();
                return on_sent();
            }
            out_ = "0\r\n\r\n";
            return write();
        case StreamCore::Next::kData: break;
    }
    if (chunked_) {
        static constexpr std::string_view kHex = "0123456789abcdef";
        std::string size;
        for (std::size_t n = data.size(); n > 0; n >>= 4) size.insert(size.begin(), kHex[n & 15]);
        out_ = size + "\r\n";
        out_ += data;
        out_ += "\r\n";
    } else {
        out_ = std::move(data);
    }
    write();
}

void HttpConnection::end_stream() {
    --core_->streams;
    const std::shared_ptr<StreamCore> stream = std::move(stream_);
    stream_.reset();
    guarded(*core_, "stream closed", [&] { stream->over(); });
}

// --- upgrade -------------------------------------------------------------------------------------

void HttpConnection::upgrade(std::uint64_t number, WebSocketEvents events,
                             std::string subprotocol) {
    if (!current(number)) return;
    if (core_->stopping) return send(core_->make_error(503, request()));
    Response head(101);
    if (!subprotocol.empty()) head.headers.add("Sec-WebSocket-Protocol", std::move(subprotocol));
    core_->decorate(request(), head);
    status_ = 101;
    note_done();
    phase_ = Phase::kClosed;
    ++number_;
    leave();
    WebSocketHome home{group_,
                       std::move(slot_),
                       core_,
                       &core_->websockets,
                       &core_->slow_readers,
                       core_->hooks.on_error};
    WebSocketSession::serve(std::move(transport_), std::move(request_), std::move(head),
                            std::move(events), core_->limits.websocket, std::move(home));
}

// --- time ----------------------------------------------------------------------------------------

void HttpConnection::on_tick(Clock::time_point now) {
    if (phase_ == Phase::kStreaming) {
        switch (stream_->tick(now)) {
            case StreamCore::Next::kSlow: ++core_->slow_readers; return abort();
            case StreamCore::Next::kData: return pump_stream();
            default: return;
        }
    }
    if (now < deadline_) return;
    switch (phase_) {
        case Phase::kHead:
        case Phase::kBody:
            ++core_->timeouts;
            if (writing_) return abort();
            keep_alive_ = false;
            return refuse(408);
        case Phase::kHandling:
            ++core_->timeouts;
            keep_alive_ = false;
            ++number_;  // a late answer finds nobody
            core_->report("no answer from the handler of " + request_->path);
            return send(core_->make_error(503, request()));
        case Phase::kLingering: return abort();
        default: ++core_->timeouts; return abort();
    }
}

void HttpConnection::on_stop() {
    keep_alive_ = false;
    switch (phase_) {
        case Phase::kHandshake:
        case Phase::kIdle: return abort();
        case Phase::kStreaming: return stream_->close();
        default: return;  // the request at hand is finished first
    }
}

}  // namespace rokada::net::detail
