// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/dialer.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace rokada::net::detail {

void Dialer::dial(const std::shared_ptr<Group>& group, Url url,
                  std::shared_ptr<TlsContextHolder> tls, Clock::time_point deadline,
                  Dialled dialled) {
    const auto dialer = std::make_shared<Dialer>(group, std::move(url), std::move(tls), deadline,
                                                 std::move(dialled));
    group->add(*dialer);
    dialer->start();
}

Dialer::Dialer(std::shared_ptr<Group> group, Url url, std::shared_ptr<TlsContextHolder> tls,
               Clock::time_point deadline, Dialled dialled)
    : group_(std::move(group)),
      url_(std::move(url)),
      tls_(std::move(tls)),
      deadline_(deadline),
      dialled_(std::move(dialled)),
      resolver_(group_->executor().loop().asio_executor()),
      transport_(std::make_shared<Transport>(group_->executor().loop().asio_executor())) {}

void Dialer::start() {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(url_.host, error);
    if (!error) {
        endpoints_.emplace_back(address, url_.port);
        return connect();
    }
    resolver_.async_resolve(
        url_.host, std::to_string(url_.port),
        [self = shared_from_this()](error_code failure, const Resolver::results_type& results) {
            if (!self->dialled_) return;
            if (failure) return self->fail(ClientError::Kind::kResolve, failure.message());
            for (const auto& result : results) self->endpoints_.push_back(result.endpoint());
            self->connect();
        });
}

// Tries the addresses in turn.
void Dialer::connect() {
    const tcp::endpoint& endpoint = endpoints_[next_++];
    transport_->socket().async_connect(endpoint, [self = shared_from_this()](error_code error) {
        if (!self->dialled_) return;
        if (!error) return self->on_connected();
        self->transport_->close();
        if (self->next_ < self->endpoints_.size()) return self->connect();
        self->fail(ClientError::Kind::kConnect, error.message());
    });
}

void Dialer::on_connected() {
    error_code ignored;
    transport_->socket().set_option(tcp::no_delay(true), ignored);
    if (!url_.tls()) return finish(std::move(transport_));
    transport_->start_tls(tls_);
    transport_->connect_handshake(url_.host, [self = shared_from_this()](error_code error) {
        if (!self->dialled_) return;
        if (!error) return self->finish(std::move(self->transport_));
        const long verdict = self->transport_->verify_result();
        self->fail(ClientError::Kind::kTls,
                   verdict == X509_V_OK ? error.message() : X509_verify_cert_error_string(verdict));
    });
}

void Dialer::fail(ClientError::Kind kind, const std::string& why) {
    if (transport_) transport_->close();
    finish(Error{ClientError{kind, url_.authority() + ": " + why, {}}});
}

void Dialer::finish(Result<std::shared_ptr<Transport>, ClientError> result) {
    const std::shared_ptr<Dialer> keep = shared_from_this();
    leave();
    const Dialled dialled = std::exchange(dialled_, nullptr);
    if (dialled) dialled(std::move(result));
}

void Dialer::on_tick(Clock::time_point now) {
    if (now < deadline_) return;
    resolver_.cancel();
    fail(ClientError::Kind::kTimeout, "no connection in time");
}

void Dialer::on_cut() {
    resolver_.cancel();
    fail(ClientError::Kind::kClosed, "the client was closed");
}

}  // namespace rokada::net::detail
