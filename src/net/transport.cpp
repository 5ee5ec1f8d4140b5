// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/transport.hpp"

#include <boost/asio/ssl/host_name_verification.hpp>

namespace rokada::net::detail {

Transport::Transport(executor_type executor) : socket_(std::make_unique<Socket>(executor)) {}
Transport::Transport(Socket socket) : socket_(std::make_unique<Socket>(std::move(socket))) {}
Transport::~Transport() = default;
Transport::Transport(Transport&& other) noexcept = default;

void Transport::start_tls(std::shared_ptr<TlsContextHolder> context) {
    context_ = std::move(context);
    tls_ = std::make_unique<Tls>(*socket_, context_->context);
}

void Transport::accept_handshake(DoneHandler handler) {
    tls_->async_handshake(asio::ssl::stream_base::server, std::move(handler));
}

void Transport::connect_handshake(const std::string& host, DoneHandler handler) {
    SSL* native = tls_->native_handle();
    // Names only: SNI knows no addresses.
    error_code not_an_address;
    asio::ip::make_address(host, not_an_address);
    if (not_an_address) SSL_set_tlsext_host_name(native, host.c_str());
    if (SSL_get_verify_mode(native) != SSL_VERIFY_NONE)
        tls_->set_verify_callback(asio::ssl::host_name_verification(host));
    tls_->async_handshake(asio::ssl::stream_base::client, std::move(handler));
}

long Transport::verify_result() const {
    return SSL_get_verify_result(const_cast<Tls&>(*tls_).native_handle());
}

void Transport::shutdown(DoneHandler handler) {
    if (tls_) {
        tls_->async_shutdown(std::move(handler));
        return;
    }
    error_code error;
    socket_->shutdown(Socket::shutdown_send, error);
    asio::post(get_executor(), asio::append(std::move(handler), error));
}

void Transport::close() {
    error_code ignored;
    socket_->close(ignored);
}

void Transport::read_tls(asio::mutable_buffer buffer, IoHandler handler) {
    tls_->async_read_some(buffer, std::move(handler));
}

void Transport::write_tls(IoHandler handler) {
    tls_->async_write_some(asio::const_buffer(asio::buffer(flat_)), std::move(handler));
}

void Transport::write_front_tls(IoHandler handler) {
    asio::async_write(*tls_, asio::buffer(front_), std::move(handler));
}

void beast_close_socket(Transport& transport) { transport.close(); }

}  // namespace rokada::net::detail
