// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of the network tests: a raw socket that sends exactly the bytes it is told, a server on a
// free port.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "net/client.hpp"
#include "net/json.hpp"
#include "net/server.hpp"
#include "tests/net/test_certificate.hpp"

namespace rokada::net::test {

using namespace std::chrono_literals;

// A blocking socket; every operation gives up after five seconds.
class RawSocket {
  public:
    RawSocket() = default;
    explicit RawSocket(std::uint16_t port, int receive_buffer = 0);
    explicit RawSocket(int descriptor) : descriptor_(descriptor) {}
    ~RawSocket();
    RawSocket(RawSocket&& other) noexcept;
    RawSocket& operator=(RawSocket&& other) noexcept;

    bool send(std::string_view bytes);
    void send_slowly(std::string_view bytes,
                     std::chrono::microseconds pause = 200us);  // byte by byte
    std::string receive_some(
        std::chrono::milliseconds timeout = 5s);  // empty: end, error or time over
    std::string receive_until(std::string_view mark, std::chrono::milliseconds timeout = 5s);
    std::string receive_all(
        std::chrono::milliseconds timeout = 5s);            // to the end of the connection
    bool closed_within(std::chrono::milliseconds timeout);  // by the other side
    void finish_sending();
    void close();
    bool open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    // One whole answer with Content-Length (or none), read exactly.
    std::string receive_answer(bool head_only = false);
    std::string ask(std::string_view request) {
        return send(request) ? receive_answer() : std::string();
    }

  private:
    std::string pending_;
    int descriptor_ = -1;
};

int status_of(const std::string& answer);
std::string body_of(const std::string& answer);
std::string header_of(const std::string& answer, std::string_view name);
bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout = 5s);

// A server with the routes a test gives it, listening on a loopback port.
class TestServer {
  public:
    explicit TestServer(const std::function<void(Router&)>& fill, ServerOptions options = {},
                        unsigned threads = 2, bool tls = false);
    ~TestServer() { server.stop(0ms); }

    std::string url(std::string_view path, std::string_view scheme = "http") const;
    RawSocket connect(int receive_buffer = 0) const { return RawSocket(port, receive_buffer); }

    Loops loops;
    Server server;
    std::uint16_t port = 0;

  private:
    static Router make_router(const std::function<void(Router&)>& fill);
};

// GET /hello -> "hello", POST /echo -> the body, GET /greet/{name} -> "name".
void add_simple_routes(Router& router);

// A text WebSocket at /ws that echoes.
void add_echo_socket(Router& router);
std::string upgrade_request(std::string_view path = "/ws", std::string_view extra = "");
// Client frames, masked with a fixed key.
std::string frame(unsigned opcode, std::string_view payload, bool final = true);
struct Frame {
    unsigned opcode = 0;
    std::string payload;
};
std::optional<Frame> receive_frame(RawSocket& socket, std::string& pending);

}  // namespace rokada::net::test
