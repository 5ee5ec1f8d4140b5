// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/net/support.hpp"

#include <cstdlib>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/url.hpp"

namespace rokada::net::test {

RawSocket::RawSocket(std::uint16_t port, int receive_buffer) {
    descriptor_ = ::socket(AF_INET, SOCK_STREAM, 0);
    if (receive_buffer > 0)
        ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        close();
}

RawSocket::~RawSocket() { close(); }

RawSocket::RawSocket(RawSocket&& other) noexcept
    : pending_(std::move(other.pending_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

RawSocket& RawSocket::operator=(RawSocket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(pending_, other.pending_);
    return *this;
}

void RawSocket::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void RawSocket::finish_sending() { ::shutdown(descriptor_, SHUT_WR); }

bool RawSocket::send(std::string_view bytes) {
    while (!bytes.empty()) {
        pollfd wait{descriptor_, POLLOUT, 0};
        if (::poll(&wait, 1, 5000) != 1) return false;
        const ssize_t sent =
            ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void RawSocket::send_slowly(std::string_view bytes, std::chrono::microseconds pause) {
    for (const char c : bytes) {
        if (!send(std::string_view(&c, 1))) return;
        std::this_thread::sleep_for(pause);
    }
}

std::string RawSocket::receive_some(std::chrono::milliseconds timeout) {
    if (!pending_.empty()) return std::exchange(pending_, {});
    pollfd wait{descriptor_, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(timeout.count())) != 1) return {};
    std::string bytes(64 * 1024, '\0');
    const ssize_t got = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
}

std::string RawSocket::receive_until(std::string_view mark, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    std::string bytes;
    while (bytes.find(mark) == bytes.npos && std::chrono::steady_clock::now() < end) {
        const std::string more = receive_some(timeout);
        if (more.empty()) break;
        bytes += more;
    }
    const std::size_t found = bytes.find(mark);
    if (found != bytes.npos) {
        pending_ = bytes.substr(found + mark.size());
        bytes.resize(found + mark.size());
    }
    return bytes;
}

std::string RawSocket::receive_all(std::chrono::milliseconds timeout) {
    std::string bytes;
    for (std::string more = receive_some(timeout); !more.empty(); more = receive_some(timeout))
        bytes += more;
    return bytes;
}

bool RawSocket::closed_within(std::chrono::milliseconds timeout) {
    pending_.clear();
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (std::chrono::steady_clock::now() < end) {
        pollfd wait{descriptor_, POLLIN, 0};
        if (::poll(&wait, 1, 50) != 1) continue;
        char bytes[4096];
        if (::recv(descriptor_, bytes, sizeof bytes, 0) <= 0) return true;
    }
    return false;
}

std::string RawSocket::receive_answer(bool head_only) {
    std::string answer = receive_until("\r\n\r\n");
    const std::string length = header_of(answer, "Content-Length");
    if (head_only || length.empty()) return answer;
    const std::size_t whole = answer.size() + std::stoul(length);
    while (answer.size() < whole) {
        const std::string more = receive_some();
        if (more.empty()) break;
        answer += more;
    }
    if (answer.size() > whole) {
        pending_ = answer.substr(whole);
        answer.resize(whole);
    }
    return answer;
}

int status_of(const std::string& answer) {
    return answer.size() > 12 && answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.c_str() + 9)
                                                                 : 0;
}

std::string body_of(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return end == answer.npos ? std::string() : answer.substr(end + 4);
}

std::string header_of(const std::string& answer, std::string_view name) {
    std::string_view rest(answer);
    rest = rest.substr(0, rest.find("\r\n\r\n"));
    while (!rest.empty()) {
        const std::size_t end = rest.find("\r\n");
        const std::string_view line = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view() : rest.substr(end + 2);
        const std::size_t colon = line.find(':');
        if (colon != line.npos && equal_ignoring_case(line.substr(0, colon), name))
            return std::string(trim(line.substr(colon + 1)));
    }
    return {};
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

Router TestServer::make_router(const std::function<void(Router&)>& fill) {
    Router router;
    fill(router);
    return router;
}

TestServer::TestServer(const std::function<void(Router&)>& fill, ServerOptions options,
                       unsigned threads, bool tls)
    : loops(threads), server(loops, make_router(fill), std::move(options)) {
    const Result<std::uint16_t, ListenError> bound = server.listen({"127.0.0.1", 0, tls});
    EXPECT_TRUE(bound.ok());
    port = bound.ok() ? *bound : 0;
}

std::string TestServer::url(std::string_view path, std::string_view scheme) const {
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port) + std::string(path);
}

void add_simple_routes(Router& router) {
    router.get("/hello", [](const RequestPtr&, Responder responder) {
        responder.send(Response::text(200, "hello"));
    });
    router.post("/echo", [](const RequestPtr& request, Responder responder) {
        responder.send(Response::text(200, request->body));
    });
    router.get("/greet/{name}", [](const RequestPtr& request, Responder responder) {
        responder.send(Response::text(200, std::string(request->param("name"))));
    });
}

void add_echo_socket(Router& router) {
    router.websocket("/ws", [](const RequestPtr&, Upgrader upgrader) {
        WebSocketEvents events;
        events.on_message = [](const WebSocketPtr& socket, std::string_view text) {
            socket->send(std::string(text));
        };
        upgrader.accept(std::move(events));
    });
}

std::string upgrade_request(std::string_view path, std::string_view extra) {
    return "GET " + std::string(path) +
           " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
           std::string(extra) + "\r\n";
}

std::string frame(unsigned opcode, std::string_view payload, bool final) {
    std::string bytes;
    bytes += static_cast<char>((final ? 0x80u : 0u) | opcode);
    if (payload.size() < 126) {
        bytes += static_cast<char>(0x80u | payload.size());
    } else if (payload.size() < 65536) {
        bytes += static_cast<char>(0x80u | 126u);
        bytes += static_cast<char>(payload.size() >> 8);
        bytes += static_cast<char>(payload.size() & 0xff);
    } else {
        bytes += static_cast<char>(0x80u | 127u);
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes += static_cast<char>(payload.size() >> shift & 0xff);
    }
    const std::string_view mask = "\x12\x34\x56\x78";
    bytes += mask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
    return bytes;
}

std::optional<Frame> receive_frame(RawSocket& socket, std::string& pending) {
    const auto need = [&](std::size_t size) {
        while (pending.size() < size) {
            const std::string more = socket.receive_some();
            if (more.empty()) return false;
            pending += more;
        }
        return true;
    };
    if (!need(2)) return {};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(pending[i]); };
    std::size_t length = byte(1) & 0x7fu;
    std::size_t head = 2;
    if (length >= 126) {
        const std::size_t extra = length == 126 ? 2 : 8;
        if (!need(2 + extra)) return {};
        length = 0;
        for (std::size_t i = 0; i < extra; ++i) length = length << 8 | byte(2 + i);
        head += extra;
    }
    if (!need(head + length)) return {};
    Frame result{byte(0) & 0x0fu, pending.substr(head, length)};
    pending.erase(0, head + length);
    return result;
}

}  // namespace rokada::net::test
