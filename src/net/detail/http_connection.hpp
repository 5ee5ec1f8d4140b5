// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP connection of the server, from the first byte to the last: reads requests one at a time,
// hands them to their handlers, writes the answers. Everything happens on its loop's thread; each
// phase has a deadline.
#pragma once

#include <optional>

#include "net/detail/exchange.hpp"
#include "net/detail/request_parser.hpp"
#include "net/detail/server_core.hpp"
#include "net/detail/transport.hpp"
#include "net/detail/wire.hpp"

namespace rokada::net::detail {

class HttpConnection final : public Exchange,
                             public Member,
                             public std::enable_shared_from_this<HttpConnection> {
  public:
    HttpConnection(std::shared_ptr<ServerCore> core, std::shared_ptr<Group> group,
                   Transport transport, std::shared_ptr<void> slot);
    ~HttpConnection() override;

    void start(bool tls);

    // Exchange
    Executor executor() const override { return group_->executor(); }
    void answer(std::uint64_t number, Response response) override;
    void answer_error(std::uint64_t number, int status) override;
    void begin_stream(std::uint64_t number, Response head,
                      std::shared_ptr<StreamCore> stream) override;
    void upgrade(std::uint64_t number, WebSocketEvents events, std::string subprotocol) override;
    void stream_changed(std::uint64_t number) override;

    // Member
    void on_tick(Clock::time_point now) override;
    void on_stop() override;
    void on_cut() override { abort(); }

  private:
    enum class Phase {
        kHandshake,  // TLS
        kIdle,       // waiting for the first byte of a request
        kHead,
        kBody,
        kHandling,  // a handler has it
        kWriting,
        kStreaming,
        kLingering,  // all is sent; waiting for the client to close
        kClosed,
    };

    void begin_request();
    void read();
    void on_read(error_code error, std::size_t count);
    void process_input();
    void on_head();
    void route();
    void dispatch();
    void refuse(int status, std::string_view detail = {});
    void refuse(Response response);
    bool upgrade_is_sound(const Request& request);

    void send(Response response);
    void send_head(Response& response, Framing framing);
    void write();
    void on_write(error_code error, std::size_t count);
    void on_sent();
    void pump_stream();
    void end_stream();
    void linger();
    void abort();
    void note_done();
    bool current(std::uint64_t number) const {
        return phase_ == Phase::kHandling && number == number_;
    }
    const Request* request() const { return request_.get(); }

    std::shared_ptr<ServerCore> core_;
    std::shared_ptr<Group> group_;
    std::shared_ptr<void> slot_;
    Transport transport_;
    Phase phase_ = Phase::kIdle;
    Clock::time_point deadline_;
    Address peer_;
    Address local_;
    std::uint16_t local_port_ = 0;

    std::string in_;  // received and not yet used
    std::string read_buffer_;
    bool reading_ = false;
    bool first_request_ = true;
    std::unique_ptr<RequestParser> parser_;
    Router::Match match_;
    std::shared_ptr<Request> request_;
    std::uint64_t number_ = 0;  // of the request at hand
    Clock::time_point started_;

    bool keep_alive_ = false;
    bool writing_ = false;
    bool chunked_ = false;
    bool stream_ending_ = false;
    int status_ = 0;
    std::size_t bytes_sent_ = 0;
    std::size_t lingered_ = 0;
    std::string out_;
    std::size_t out_offset_ = 0;
    SharedText body_;
    std::size_t body_offset_ = 0;
    std::shared_ptr<StreamCore> stream_;
};

// Unknown for sockets that are not IP (socket pairs).
Address peer_address(Transport::Socket& socket);

}  // namespace rokada::net::detail
