// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/server.hpp"

#include <boost/asio/ip/v6_only.hpp>
#include <sys/socket.h>

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

    Result<std::uint16_t, ListenError> listen(const ListenAddress& address);
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

    Result<std::uint16_t, ListenError> listen_one(const std::string& host, std::uint16_t port,
                                                  bool tls);
    void close_last_listener();
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

Result<std::uint16_t, ListenError> Server::Impl::listen(const ListenAddress& address) {
    if (address.tls && !core_->tls())
        return Error{ListenError{ListenError::Kind::kOther, "TLS needs a certificate and a key"}};
    if (core_->stopping)
        return Error{ListenError{ListenError::Kind::kOther, "the server is stopping"}};
    if (address.host != "localhost") return listen_one(address.host, address.port, address.tls);
    // A machine without IPv6 is fine; somebody else on the same port of ::1 would answer half of
    // our visitors. Where any port will do, another pair is tried.
    for (int tries = address.port == 0 ? 10 : 1;; --tries) {
        Result<std::uint16_t, ListenError> four =
            listen_one("127.0.0.1", address.port, address.tls);
        if (!four) return four;
        const Result<std::uint16_t, ListenError> six = listen_one("::1", *four, address.tls);
        if (six || six.error().kind != ListenError::Kind::kInUse) return four;
        close_last_listener();
        if (tries == 1) return Error{six.error()};
    }
}

void Server::Impl::close_last_listener() {
    const std::lock_guard lock(mutex_);
    close_listener(listeners_.back());
    listeners_.pop_back();
}

// On its own thread, where an accept may be under way.
void Server::Impl::close_listener(const std::shared_ptr<Listener>& listener) {
    listener->executor.dispatch([listener] {
        error_code ignored;
        listener->acceptor.close(ignored);
        listener->pause.cancel();
    });
}

Result<std::uint16_t, ListenError> Server::Impl::listen_one(const std::string& host,
                                                            std::uint16_t port, bool tls) {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (error) return Error{ListenError{ListenError::Kind::kBadAddress, "not an address: " + host}};
    const auto listener = std::make_shared<Listener>(core_->loops.executor(0));
    listener->tls = tls;
    error = open_acceptor(listener->acceptor, tcp::endpoint(address, port));
    if (error) return Error{listen_error(error, host, port)};
    const std::uint16_t bound = listener->acceptor.local_endpoint(error).port();
    {
        const std::lock_guard lock(mutex_);
        listeners_.push_back(listener);
    }
    listener->executor.post([self = shared_from_this(), listener] { self->accept(listener); });
    return bound;
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
    return impl_->listen(address);
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
