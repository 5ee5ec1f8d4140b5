// SPDX-License-Identifier: GPL-3.0-or-later
// One connected byte stream, plain or TLS, with the same type for both: the HTTP and WebSocket code
// above it is compiled once. Models Asio's AsyncStream; used on its loop's thread only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/role.hpp>

#include "net/detail/loop.hpp"
#include "net/detail/tls_context.hpp"

namespace rokada::net::detail {

using boost::system::error_code;
using tcp = asio::ip::tcp;

class Transport {
  public:
    using executor_type = Loop::AsioExecutor;
    using Socket = asio::basic_stream_socket<tcp, executor_type>;
    using Tls = asio::ssl::stream<Socket&>;
    using IoHandler = asio::any_completion_handler<void(error_code, std::size_t)>;
    using DoneHandler = asio::any_completion_handler<void(error_code)>;

    explicit Transport(executor_type executor);
    explicit Transport(Socket socket);
    ~Transport();
    Transport(Transport&& other) noexcept;
    Transport& operator=(Transport&&) = delete;

    executor_type get_executor() { return socket_->get_executor(); }
    Socket& socket() { return *socket_; }
    bool is_open() const { return socket_->is_open(); }
    bool encrypted() const { return tls_ != nullptr; }

    // Before the first byte. The context must stay as it is; it is kept alive here.
    void start_tls(std::shared_ptr<TlsContextHolder> context);
    void accept_handshake(DoneHandler handler);
    // Sends the name (SNI) and, if the context verifies, checks the certificate for it.
    void connect_handshake(const std::string& host, DoneHandler handler);
    long verify_result() const;  // X509_V_OK, or what is wrong with the certificate
    // The polite end: close_notify for TLS, then end of sending. The socket stays open for reading.
    void shutdown(DoneHandler handler);
    void close();

    template <typename Buffers, typename Handler>
    void async_read_some(const Buffers& buffers, Handler&& handler) {
        if (!tls_) {
            socket_->async_read_some(buffers, std::forward<Handler>(handler));
            return;
        }
        asio::mutable_buffer first;
        for (auto it = asio::buffer_sequence_begin(buffers),
                  end = asio::buffer_sequence_end(buffers);
             it != end && first.size() == 0; ++it)
            first = *it;
        read_tls(first, IoHandler(std::forward<Handler>(handler)));
    }

    // What is put here goes out in front of the write that begins with, or contains, the buffer at
    // `payload`: several small messages cost one call of the system, and with TLS one record. Not
    // in front of any other write, which could be the rest of a control frame.
    std::string& put_before(const void* payload) {
        payload_ = payload;
        return front_;
    }

    template <typename Buffers, typename Handler>
    void async_write_some(const Buffers& buffers, Handler&& handler) {
        if (payload_ != nullptr && has_payload(buffers)) {
            payload_ = nullptr;
            const std::size_t size = asio::buffer_size(buffers), before = front_.size();
            front_.resize(before + size);
            asio::buffer_copy(asio::buffer(front_) + before, buffers);
            auto done = [this, size, handler = std::forward<Handler>(handler)](
                            const error_code& error, std::size_t) mutable {
                front_.clear();
                if (front_.capacity() > kKeptRoom) front_.shrink_to_fit();
                std::move(handler)(error, error ? 0 : size);
            };
            if (tls_)
                write_front_tls(IoHandler(std::move(done)));
            else
                asio::async_write(*socket_, asio::buffer(front_), std::move(done));
            return;
        }
        if (!tls_) {
            socket_->async_write_some(buffers, std::forward<Handler>(handler));
            return;
        }
        // One TLS record for a header and the beginning of its payload instead of one for each.
        flat_.resize(std::min(asio::buffer_size(buffers), kRecord));
        asio::buffer_copy(asio::buffer(flat_), buffers);
        write_tls(IoHandler(std::forward<Handler>(handler)));
    }

  private:
    static constexpr std::size_t kRecord = 16 * 1024;
    static constexpr std::size_t kKeptRoom = 1024;

    template <typename Buffers>
    bool has_payload(const Buffers& buffers) const {
        for (auto it = asio::buffer_sequence_begin(buffers),
                  end = asio::buffer_sequence_end(buffers);
             it != end; ++it)
            if (asio::const_buffer(*it).data() == payload_) return true;
        return false;
    }

    void read_tls(asio::mutable_buffer buffer, IoHandler handler);
    void write_tls(IoHandler handler);
    void write_front_tls(IoHandler handler);

    // Behind pointers: a Transport can move (into a WebSocket) while TLS keeps referring to the
    // socket.
    std::unique_ptr<Socket> socket_;
    std::shared_ptr<TlsContextHolder> context_;
    std::unique_ptr<Tls> tls_;
    std::string flat_;
    std::string front_;  // frames, and while they are written the payload behind them
    const void* payload_ = nullptr;
};

// What Beast's WebSocket needs to end a connection.
void beast_close_socket(Transport& transport);

template <typename Handler>
void async_teardown(boost::beast::role_type, Transport& transport, Handler&& handler) {
    transport.shutdown(Transport::DoneHandler(std::forward<Handler>(handler)));
}

}  // namespace rokada::net::detail
