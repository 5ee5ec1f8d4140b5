// SPDX-License-Identifier: GPL-3.0-or-later
// A whole server on a socket pair, fed with any bytes: it answers in HTTP or hangs up, and goes on
// serving. The first byte chooses how the bytes are cut and whether they follow a WebSocket
// upgrade.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/server.hpp"

using namespace rokada::net;

namespace {

void check(bool condition) {
    if (!condition) std::abort();
}

Router make_router() {
    Router router;
    router.get("/a", [](const RequestPtr&, Responder responder) {
        responder.send(Response::text(200, "a"));
    });
    router.post(
        "/echo",
        [](const RequestPtr& request, Responder responder) {
            responder.send(Response::text(200, request->body).with("X-Path", request->path));
        },
        {1024});
    router.get("/p/{x}/{y}", [](const RequestPtr& request, Responder responder) {
        responder.send(Response::redirect(std::string(request->param("x"))));
    });
    router.get("/stream", [](const RequestPtr&, Responder responder) {
        const Stream stream = responder.stream(Response(200));
        stream.write("one\n");
        stream.write("two\n");
    });
    router.get("/forgets", [](const RequestPtr&, Responder) {});
    router.websocket("/ws", [](const RequestPtr&, Upgrader upgrader) {
        WebSocketEvents events;
        events.on_message = [](const WebSocketPtr& socket, std::string_view text) {
            socket->send(std::string(text));
            if (text == "close") socket->close(CloseCode::kNormal, text);
        };
        upgrader.accept(std::move(events));
    });
    return router;
}

std::string receive(int descriptor) {
    std::string bytes;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT)) > 0;)
        bytes.append(buffer, static_cast<std::size_t>(got));
    return bytes;
}

constexpr std::string_view kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Loops loops(0);
    static Server server(loops, make_router(), [] {
        ServerOptions options;
        options.limits.websocket.read_message_max = 1024;
        options.hooks.on_response = [](const Request*, Response& response) {
            response.headers.set("X-Seen", "1");
        };
        return options;
    }());
    if (size == 0) return 0;
    const bool websocket = data[0] & 0x80;
    const std::size_t piece = 1 + (data[0] & 0x7f) * 3u;
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);

    int ends[2];
    check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    server.adopt(ends[0]);
    const auto run = [] {
        for (int i = 0; i < 20 && loops.poll() > 0; ++i) {
        }
    };
    run();
    std::string answer;
    if (websocket) {
        check(::send(ends[1], kUpgrade.data(), kUpgrade.size(), MSG_NOSIGNAL) > 0);
        run();
        answer = receive(ends[1]);
        check(answer.starts_with("HTTP/1.1 101 "));
    }
    while (!bytes.empty()) {
        const std::string_view now = bytes.substr(0, piece);
        bytes.remove_prefix(now.size());
        if (::send(ends[1], now.data(), now.size(), MSG_NOSIGNAL | MSG_DONTWAIT) <= 0) break;
        run();
        answer += receive(ends[1]);
    }
    check(answer.empty() || answer.starts_with("HTTP/1.1 "));
    if (!websocket && !answer.empty())
        check(answer.find("X-Seen: 1") != std::string::npos || answer.starts_with("HTTP/1.1 100 "));
    ::close(ends[1]);
    run();
    // A client that has gone leaves nothing behind; one that was just being told good-bye is given the
    // time of a close handshake.
    for (int i = 0; i < 5000 && server.stats().connections > 0; ++i)
        loops.poll_for(std::chrono::milliseconds(1));
    check(server.stats().connections == 0);
    check(server.stats().websockets == 0);
    check(server.stats().streams == 0);
    return 0;
}
