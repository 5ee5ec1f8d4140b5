// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/server.hpp"

#include <utility>

#include <boost/asio/ip/v6_only.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/detail/http_connection.hpp"
#include "net/detail/server_core.hpp"
#include "net/detail/transport.hpp"

namespace rokada::net {

using detail::error_code;
using detail::tcp;
using detail::Transport;

namespace {

using Acceptor = asio::basic_socket_acceptor<tcp, Loop::AsioExecutor>;

constexpr int kBacklog = 1024;
constexpr Milliseconds kAcceptPause{100};  // when the process is out of descriptors
constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 5\r\nConnection: "
    "close\r\n\r\n";

std::string describe(const std::string& host, std::uint16_t port) {
    const bool six = host.find(':') != host.npos;
    std::string text = six ? "[" : "";
    return text.append(host).append(six ? "]:" : ":").append(std::to_string(port));
}

ListenError listen_error(const error_code& error, const std::string& host, std::uint16_t port) {
    const std::string where = describe(host, port);
    if (error == asio::error::address_in_use)
        return {ListenError::Kind::kInUse, where + " is in use by another program"};
    if (error == asio::error::access_denied)
        return {ListenError::Kind::kDenied,
                "not allowed to listen on " + where + " (ports below 1024 need privileges)"};
    if (error == boost::system::errc::address_not_available)
        return {ListenError::Kind::kBadAddress, "this machine has no address " + host};
    return {ListenError::Kind::kOther, "cannot listen on " + where + ": " + error.message()};
}

// Opens, binds and listens; on failure the acceptor is closed.
error_code open_acceptor(Acceptor& acceptor, const tcp::endpoint& endpoint) {
    error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
    // An IPv6 socket must not take the IPv4 port with it: both are asked for by name.
    if (!error && endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(kBacklog, error);
    error_code ignored;
    if (error) acceptor.close(ignored);
    return error;
}

}  // namespace

class Server::Impl : public std::enable_shared_from_this<Impl> {
  public:
    Impl(Loops& loops, Router router, ServerOptions options)
        : core_(
              std::make_shared<detail::ServerCore>(loops, std::move(router), std::move(options))) {}

    // The descriptor is ours from now on.
    std::optional<ListenError> accept_on(int descriptor, bool six, bool tls);
    void adopt(int descriptor, bool tls);
    void stop(Milliseconds deadline);

    const std::shared_ptr<detail::ServerCore>& core() const { return core_; }

  private:
    struct Listener {
        explicit Listener(Executor on)
            : executor(std::move(on)), acceptor(executor.loop().asio_executor()), pause(executor) {}
        Executor executor;
        Acceptor acceptor;
        Timer pause;
        bool tls = false;
    };

    static void close_listener(const std::shared_ptr<Listener>& listener);
    void accept(const std::shared_ptr<Listener>& listener);
    void on_accept(const std::shared_ptr<Listener>& listener, std::size_t index, error_code error,
                   Transport::Socket socket);
    void serve(std::size_t index, Transport::Socket socket, bool tls);
    void on_every_loop(void (detail::Member::*action)());

    std::shared_ptr<detail::ServerCore> core_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::vector<std::shared_ptr<Listener>> listeners_;
};

// On its own thread, where an accept may be under way.
void Server::Impl::close_listener(const std::shared_ptr<Listener>& listener) {
    listener->executor.dispatch([listener] {
        error_code ignored;
        listener->acceptor.close(ignored);
        listener->pause.cancel();
    });
}

std::optional<ListenError> Server::Impl::accept_on(int descriptor, bool six, bool tls) {
    const auto listener = std::make_shared<Listener>(core_->loops.executor(0));
    listener->tls = tls;
    error_code error;
    listener->acceptor.assign(six ? tcp::v6() : tcp::v4(), descriptor, error);
    if (error) {
        ::close(descriptor);
        return ListenError{ListenError::Kind::kOther, "cannot listen: " + error.message()};
    }
    {
        const std::lock_guard lock(mutex_);
        listeners_.push_back(listener);
    }
    listener->executor.post([self = shared_from_this(), listener] { self->accept(listener); });
    return std::nullopt;
}

void Server::Impl::accept(const std::shared_ptr<Listener>& listener) {
    if (!listener->acceptor.is_open()) return;
    // Round robin: each connection stays on one loop for life.
    const std::size_t index = next_++ % core_->loops.size();
    listener->acceptor.async_accept(
        core_->loops.executor(index).loop().asio_executor(),
        [self = shared_from_this(), listener, index](error_code error, Transport::Socket socket) {
            self->on_accept(listener, index, error, std::move(socket));
        });
}

void Server::Impl::on_accept(const std::shared_ptr<Listener>& listener, std::size_t index,
                             error_code error, Transport::Socket socket) {
    if (!listener->acceptor.is_open()) return;
    if (!error) {
        serve(index, std::move(socket), listener->tls);
        return accept(listener);
    }
    // A client that has gone again is nothing special; a lack of descriptors would come back at
    // once.
    if (error == asio::error::connection_aborted) return accept(listener);
    core_->report("accept: " + error.message());
    listener->pause.start(kAcceptPause,
                          [self = shared_from_this(), listener] { self->accept(listener); });
}

void Server::Impl::serve(std::size_t index, Transport::Socket socket, bool tls) {
    ++core_->accepted;
    std::shared_ptr<void> slot = core_->take_slot(detail::peer_address(socket));
    if (!slot || core_->stopping) {
        ++core_->refused;
        // One try, without waiting: a polite client learns why.
        if (!tls)
            ::send(socket.native_handle(), kFull.data(), kFull.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        return;
    }
    const std::shared_ptr<detail::Group>& group = core_->groups[index];
    const auto connection = std::make_shared<detail::HttpConnection>(
        core_, group, Transport(std::move(socket)), std::move(slot));
    group->executor().dispatch([connection, tls] { connection->start(tls); });
}

void Server::Impl::adopt(int descriptor, bool tls) {
    const std::size_t index = next_++ % core_->loops.size();
    const Executor executor = core_->loops.executor(index);
    executor.dispatch([self = shared_from_this(), index, executor, descriptor, tls] {
        Transport::Socket socket(executor.loop().asio_executor());
        error_code error;
        socket.assign(tcp::v4(), descriptor, error);
        if (error) return self->core_->report("adopt: " + error.message());
        self->serve(index, std::move(socket), tls);
    });
}

void Server::Impl::on_every_loop(void (detail::Member::*action)()) {
    for (const auto& group : core_->groups)
        group->executor().post([group, action] {
            group->for_each([action](detail::Member& member) { (member.*action)(); });
        });
}

void Server::Impl::stop(Milliseconds deadline) {
    const Clock::time_point end = Clock::now() + deadline;
    core_->stopping = true;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& listener : listeners_) close_listener(listener);
        listeners_.clear();
    }
    on_every_loop(&detail::Member::on_stop);
    if (core_->wait_until_empty(end)) return;
    on_every_loop(&detail::Member::on_cut);
    core_->wait_until_empty(Clock::now() + Milliseconds(2'000));
}

Server::Server(Loops& loops, Router router, ServerOptions options)
    : impl_(std::make_shared<Impl>(loops, std::move(router), std::move(options))) {}

Server::~Server() { stop(Milliseconds(0)); }

Result<std::uint16_t, ListenError> Server::listen(const ListenAddress& address) {
    auto port = TakenPort::take(address);
    if (!port) return Error{port.error()};
    return serve(std::move(*port));
}

Result<std::uint16_t, ListenError> Server::serve(TakenPort port) {
    if (port.tls_ && !impl_->core()->tls())
        return Error{ListenError{ListenError::Kind::kOther, "TLS needs a certificate and a key"}};
    if (stopping()) return Error{ListenError{ListenError::Kind::kOther, "the server is stopping"}};
    for (TakenPort::Socket& socket : port.sockets_)
        if (const auto error =
                impl_->accept_on(std::exchange(socket.descriptor, -1), socket.six, port.tls_))
            return Error{*error};
    return port.port_;
}

// ---- ports without a server

std::optional<ListenError> TakenPort::add(const std::string& host) {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (error) return ListenError{ListenError::Kind::kBadAddress, "not an address: " + host};
    asio::io_context context;
    Acceptor acceptor(context);
    error = open_acceptor(acceptor, tcp::endpoint(address, port_));
    if (error) return listen_error(error, host, port_);
    port_ = acceptor.local_endpoint(error).port();
    const int descriptor = acceptor.release();
    // A program that we start must not keep the port when we are gone.
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    sockets_.push_back({descriptor, address.is_v6()});
    return std::nullopt;
}

Result<TakenPort, ListenError> TakenPort::take(const ListenAddress& address) {
    // A machine without IPv6 is fine; somebody else on the same port of ::1 would answer half of
    // our visitors. Where any port will do, another pair is tried.
    for (int tries = address.port == 0 ? 10 : 1;; --tries) {
        TakenPort taken;
        taken.port_ = address.port;
        taken.tls_ = address.tls;
        const bool both = address.host == "localhost";
        if (const auto error = taken.add(both ? "127.0.0.1" : address.host)) return Error{*error};
        const auto six = both ? taken.add("::1") : std::nullopt;
        if (!six || six->kind != ListenError::Kind::kInUse) return taken;
        if (tries == 1) return Error{*six};
    }
}

TakenPort::TakenPort(TakenPort&& other) noexcept
    : port_(other.port_), tls_(other.tls_), sockets_(std::exchange(other.sockets_, {})) {}

TakenPort& TakenPort::operator=(TakenPort&& other) noexcept {
    std::swap(port_, other.port_);
    std::swap(tls_, other.tls_);
    std::swap(sockets_, other.sockets_);
    return *this;
}

TakenPort::~TakenPort() {
    for (const Socket& socket : sockets_)
        if (socket.descriptor >= 0) ::close(socket.descriptor);
}

void Server::adopt(int socket_descriptor, bool tls) { impl_->adopt(socket_descriptor, tls); }

void Server::stop(Milliseconds deadline) { impl_->stop(deadline); }

bool Server::stopping() const { return impl_->core()->stopping; }

void Server::set_tls(TlsServerContext context) { impl_->core()->set_tls(context.holder()); }

const Router& Server::router() const { return impl_->core()->router; }

ServerStats Server::stats() const {
    const detail::ServerCore& core = *impl_->core();
    ServerStats stats;
    stats.connections = core.connections();
    stats.websockets = core.websockets;
    stats.streams = core.streams;
    stats.accepted = core.accepted;
    stats.refused = core.refused;
    stats.requests = core.requests;
    stats.bad_requests = core.bad_requests;
    stats.timeouts = core.timeouts;
    stats.slow_readers = core.slow_readers;
    return stats;
}

std::optional<std::uint16_t> next_free_port(const std::string& host, std::uint16_t port) {
    error_code error;
    const asio::ip::address address =
        asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
    if (error) return {};
    asio::io_context context;
    for (std::uint32_t candidate = port;
         candidate != 0 && candidate <= 65535 && candidate < port + 100u; ++candidate) {
        Acceptor acceptor(context);
        if (!open_acceptor(acceptor, tcp::endpoint(address, static_cast<std::uint16_t>(candidate))))
            return static_cast<std::uint16_t>(candidate);
    }
    return {};
}

}  // namespace rokada::net
