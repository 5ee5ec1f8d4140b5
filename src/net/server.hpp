// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP and WebSocket server: listening, limits, graceful stop. Used by rokada serve and by
// tests. Whatever bytes a client sends, it gets a correct answer or is cut off; others never
// notice.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/result.hpp"
#include "net/address.hpp"
#include "net/http.hpp"
#include "net/loop.hpp"
#include "net/router.hpp"
#include "net/tls.hpp"
#include "net/websocket.hpp"

namespace rokada::net {

struct ServerLimits {
    std::size_t header_bytes =
        8 * 1024;  // request line and fields; more: 431 (414 for the line alone)
    std::size_t header_fields = 64;
    std::size_t connections = 20'000;  // more: closed at once, counted
    std::size_t connections_per_address =
        256;  // IPv6 by /64; trusted proxies and `uncapped` are exempt
    Milliseconds handshake_timeout{10'000};  // TLS
    Milliseconds header_timeout{10'000};     // whole header, from its first byte
    Milliseconds body_timeout{10'000};       // plus one second for each body_bytes_per_second
    std::size_t body_bytes_per_second = 8 * 1024;
    Milliseconds keep_alive_timeout{60'000};  // idle between requests
    Milliseconds write_timeout{30'000};       // without any progress
    Milliseconds handler_timeout{120'000};    // a handler that never answers: 503
    std::size_t stream_queue_bytes = 1024 * 1024;
    Milliseconds stream_queue_age{20'000};
    WebSocketLimits websocket;
};

// What the application adds to every request. All run on the connection's loop and must not block.
struct ServerHooks {
    // Sees each request when its header is complete, before the body is read or a handler is
    // called. A response refuses it (unknown Host, rate limit, CSRF). May lower the body limit.
    std::function<std::optional<Response>(const Request& request, std::size_t& body_limit)> gate;
    // Sees every response before it is sent, errors and stream heads included: security headers,
    // CORS. request is null when there was no readable request (400, 431).
    std::function<void(const Request* request, Response& response)> on_response;
    // After each request, for logs and metrics.
    struct Done {
        const Request* request = nullptr;  // null when it was unreadable
        int status = 0;
        std::size_t bytes_sent = 0;
        Clock::duration duration{};
    };
    std::function<void(const Done& done)> on_done;
    // Something that should not happen: an exception in a handler, an accept error.
    ErrorHook on_error;
    // The body of error answers the server itself makes (404, 405, 413 ...); default: problem
    // details.
    std::function<Response(int status, const Request* request)> make_error;
};

struct ListenAddress {
    std::string host = "127.0.0.1";  // an address, "::", "0.0.0.0" or "localhost" (both loopbacks)
    std::uint16_t port = 0;          // 0: any free port
    bool tls = false;
};

struct ListenError {
    enum class Kind { kInUse, kDenied, kBadAddress, kOther };
    Kind kind = Kind::kOther;
    std::string message;  // one line, names the address
};

struct ServerStats {
    std::size_t connections = 0;
    std::size_t websockets = 0;
    std::size_t streams = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  // over a connection cap
    std::uint64_t requests = 0;
    std::uint64_t bad_requests = 0;  // malformed or too big
    std::uint64_t timeouts = 0;
    std::uint64_t slow_readers = 0;  // websockets and streams dropped for that reason
};

struct ServerOptions {
    ServerLimits limits;
    ServerHooks hooks;
    std::vector<AddressRange> trusted_proxies;
    std::vector<AddressRange> uncapped;   // no limit of connections for one of these addresses
    std::optional<TlsServerContext> tls;  // needed if any address has tls
};

// A port that is ours while nobody is served yet: visitors are let in by the system and wait. For a
// program that has to know that it can listen before it does anything else. Given back when it is
// destroyed.
class TakenPort {
  public:
    // "localhost" means 127.0.0.1 and, where the machine has it, ::1 with the same port.
    static Result<TakenPort, ListenError> take(const ListenAddress& address);
    TakenPort(TakenPort&& other) noexcept;
    TakenPort& operator=(TakenPort&& other) noexcept;
    ~TakenPort();
    std::uint16_t port() const { return port_; }

  private:
    friend class Server;
    struct Socket {
        int descriptor = -1;
        bool six = false;
    };
    TakenPort() = default;
    std::optional<ListenError> add(const std::string& host);

    std::uint16_t port_ = 0;
    bool tls_ = false;
    std::vector<Socket> sockets_;
};

class Server {
  public:
    // The router is complete and is not changed any more.
    Server(Loops& loops, Router router, ServerOptions options = {});
    ~Server();  // stop(0)
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Starts listening; returns the port (as given or chosen). May be called several times.
    Result<std::uint16_t, ListenError> listen(const ListenAddress& address);
    // The same with a port that was taken before; those who wait there are served first.
    Result<std::uint16_t, ListenError> serve(TakenPort port);
    // Serves a connected stream socket (socket pairs in tests, inherited sockets).
    void adopt(int socket_descriptor, bool tls = false);

    // Graceful stop: no new connections, websockets closed with 1012, streams ended, running
    // requests finished; whatever is left after the deadline is cut. Blocks until done, so not for
    // a loop's thread; safe to call twice.
    void stop(Milliseconds deadline);
    bool stopping() const;  // for /readyz

    // New certificate for new connections (renewals without restart).
    void set_tls(TlsServerContext context);
    ServerStats stats() const;
    const Router& router() const;  // as long as the server lives

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

// The first port from `port` on that can be listened on at this host, for "port 8080 is busy, 8081
// is free".
std::optional<std::uint16_t> next_free_port(const std::string& host, std::uint16_t port);

}  // namespace rokada::net
