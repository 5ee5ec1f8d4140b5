// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "tests/net/support.hpp"

namespace rokada::net::test {
namespace {

unsigned close_code(const Frame& frame) {
    return frame.payload.size() < 2
               ? 0u
               : static_cast<unsigned>(static_cast<unsigned char>(frame.payload[0]) << 8 |
                                       static_cast<unsigned char>(frame.payload[1]));
}

// Peers in these tests often do not answer a close.
ServerOptions impatient() {
    ServerOptions options;
    options.limits.websocket.close_timeout = 300ms;
    return options;
}

// A route /ws that echoes and whose sockets the test can see.
struct SocketServer {
    explicit SocketServer(ServerOptions options = impatient(), unsigned threads = 2)
        : server(
              [this](Router& router) {
                  add_simple_routes(router);
                  router.websocket("/ws", [this](const RequestPtr& request, Upgrader upgrader) {
                      if (request->header("Origin") == "http://evil")
                          return upgrader.refuse(problem(403, "origin"));
                      WebSocketEvents events;
                      events.on_open = [this](const WebSocketPtr& socket) {
                          const std::lock_guard lock(mutex);
                          sockets.push_back(socket);
                      };
                      events.on_message = [](const WebSocketPtr& socket, std::string_view text) {
                          if (text == "throw") throw std::runtime_error("oops");
                          if (text == "bye")
                              return socket->close(CloseCode::kPolicy, "as you wish");
                          socket->send(std::string(text));
                      };
                      events.on_close = [this](const WebSocketPtr&, const WebSocketClosed& closed) {
                          const std::lock_guard lock(mutex);
                          closings.push_back(closed);
                      };
                      upgrader.accept(std::move(events));
                  });
              },
              std::move(options), threads) {}

    RawSocket open(int receive_buffer = 0) {
        RawSocket socket = server.connect(receive_buffer);
        const std::string answer = socket.ask(upgrade_request());
        EXPECT_EQ(status_of(answer), 101);
        return socket;
    }
    WebSocketPtr socket(std::size_t index) {
        eventually([&] {
            const std::lock_guard lock(mutex);
            return sockets.size() > index;
        });
        const std::lock_guard lock(mutex);
        return sockets.at(index);
    }
    std::size_t closed() {
        const std::lock_guard lock(mutex);
        return closings.size();
    }
    WebSocketClosed closing(std::size_t index) {
        EXPECT_TRUE(eventually([&] { return closed() > index; }));
        const std::lock_guard lock(mutex);
        return closings.at(index);
    }

    std::mutex mutex;
    std::vector<WebSocketPtr> sockets;
    std::vector<WebSocketClosed> closings;
    TestServer server;
};

TEST(WebSockets, OpenEchoAndClose) {
    SocketServer test;
    RawSocket socket = test.server.connect();
    const std::string answer = socket.ask(upgrade_request());
    EXPECT_EQ(status_of(answer), 101);
    EXPECT_EQ(header_of(answer, "Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    EXPECT_EQ(answer.find("Beast"), answer.npos) << "the library does not name itself";
    std::string pending;
    socket.send(frame(1, "hello") + frame(1, "wor", false) + frame(0, "ld"));
    EXPECT_EQ(receive_frame(socket, pending)->payload, "hello");
    EXPECT_EQ(receive_frame(socket, pending)->payload, "world");
    socket.send_slowly(frame(1, std::string(300, 'x')));
    EXPECT_EQ(receive_frame(socket, pending)->payload, std::string(300, 'x'));
    socket.send(frame(9, "ping"));
    const auto pong = receive_frame(socket, pending);
    EXPECT_EQ(pong->opcode, 10u);
    EXPECT_EQ(pong->payload, "ping");
    EXPECT_EQ(test.server.server.stats().websockets, 1u);
    socket.send(frame(8, std::string_view("\x03\xe8"
                                          "done",
                                          6)));
    EXPECT_EQ(close_code(*receive_frame(socket, pending)), 1000u);
    EXPECT_TRUE(socket.closed_within(2s));
    const WebSocketClosed closed = test.closing(0);
    EXPECT_EQ(closed.code, CloseCode::kNormal);
    EXPECT_EQ(closed.reason, "done");
    EXPECT_TRUE(closed.by_peer);
    EXPECT_TRUE(eventually([&] { return test.server.server.stats().connections == 0; }));
    EXPECT_EQ(test.server.server.stats().websockets, 0u);
    EXPECT_FALSE(test.socket(0)->open());
    EXPECT_FALSE(test.socket(0)->send("x"));
}

TEST(WebSockets, AreRefusedByTheHandlerOrForBadHandshakes) {
    SocketServer test;
    RawSocket socket = test.server.connect();
    EXPECT_EQ(status_of(socket.ask(upgrade_request("/ws", "Origin: http://evil\r\n"))), 403);
    EXPECT_EQ(status_of(socket.ask("GET /ws HTTP/1.1\r\nHost: h\r\n\r\n")), 426);
    const std::string old =
        "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: "
        "Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: "
        "8\r\n\r\n";
    const std::string answer = socket.ask(old);
    EXPECT_EQ(status_of(answer), 426);
    EXPECT_EQ(header_of(answer, "Sec-WebSocket-Version"), "13");
    EXPECT_EQ(
        status_of(socket.ask(
            "GET /hello HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")),
        200)
        << "an upgrade nobody offers is ignored";
    EXPECT_EQ(
        status_of(socket.ask("GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: "
                             "Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n")),
        400);
    EXPECT_EQ(status_of(test.server.connect().ask(upgrade_request() + frame(1, "too early"))), 400);
    EXPECT_EQ(test.server.server.stats().websockets, 0u);
}

TEST(WebSockets, CloseOnHostileFramesAndLeaveOthersAlone) {
    SocketServer test;
    RawSocket good = test.open();
    const std::pair<std::string, unsigned> cases[] = {
        {frame(1, "\xff\xfe"), 1007},                     // not UTF-8
        {frame(1, "\xc3", false) + frame(0, "("), 1007},  // broken across frames
        {frame(1, "\xed\xa0\x80"), 1007},                 // a surrogate
        {frame(2, "binary"), 1003},
        {frame(1, std::string(17 * 1024, 'x')), 1009},
        {frame(1, std::string(10 * 1024, 'x'), false) + frame(0, std::string(10 * 1024, 'x')),
         1009},
        {std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff"
                     "abcd",
                     14),
         1009},  // claims 2^63-1 bytes
        {std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                     "abcd",
                     14),
         1009},                                   // the top bit set
        {std::string("\x81\x05hello", 7), 1002},  // not masked
        {frame(3, "x"), 1002},                    // reserved opcode
        {frame(11, "x"), 1002},
        {std::string("\xf1\x81"
                     "abcdx",
                     7),
         1002},                 // reserved bits
        {frame(0, "x"), 1002},  // continues nothing
        {frame(1, "a", false) + frame(1, "b"), 1002},
        {frame(9, std::string(126, 'x')), 1002},                // control frames are short
        {frame(9, "x", false), 1002},                           // and whole
        {frame(8, "\x03"), 1002},                               // half a close code
        {frame(8, std::string_view("\x03\xed", 2)), 1002},      // 1005 is never sent
        {frame(8, std::string_view("\x03\xe8\xff", 3)), 1002},  // reason not UTF-8
        {frame(1, "bye"), 1008},
        {frame(1, "throw"), 1011},
    };
    std::size_t closings = 0;
    for (const auto& [bytes, code] : cases) {
        RawSocket socket = test.open();
        socket.send(bytes);
        std::string pending;
        const auto answer = receive_frame(socket, pending);
        ASSERT_TRUE(answer) << code;
        EXPECT_EQ(answer->opcode, 8u);
        if (code == 1002 || code == 1007)
            EXPECT_TRUE(close_code(*answer) == 1002 || close_code(*answer) == 1007)
                << close_code(*answer) << " for case " << closings;
        else
            EXPECT_EQ(close_code(*answer), code) << "case " << closings;
        EXPECT_TRUE(socket.closed_within(5s)) << "case " << closings;
        ++closings;
        EXPECT_TRUE(eventually([&] { return test.closed() == closings; }))
            << "on_close exactly once";
    }
    std::string pending;
    good.send(frame(1, "still here"));
    EXPECT_EQ(receive_frame(good, pending)->payload, "still here");
    EXPECT_EQ(test.closed(), closings);
}

TEST(WebSockets, DropASlowReaderWhileOthersGoOn) {
    ServerOptions options;
    options.limits.websocket.send_queue_bytes = 64 * 1024;
    SocketServer test(options);
    RawSocket slow = test.open(4096);
    const WebSocketPtr to_slow = test.socket(0);
    RawSocket quick = test.open();
    const WebSocketPtr to_quick = test.socket(1);
    const SharedText news = share(std::string(4000, 'n'));

    std::atomic<int> received{0};
    std::atomic<bool> stop{false};
    std::thread reader([&] {
        std::string pending;
        while (!stop) {
            const auto got = receive_frame(quick, pending);
            if (!got) return;
            ++received;
        }
    });
    int sent = 0;
    EXPECT_TRUE(eventually(
        [&] {
            if (to_quick->queued_bytes() < 30'000 && to_quick->send(news)) ++sent;
            return !to_slow->send(news);
        },
        30s));
    EXPECT_EQ(test.closing(0).code, CloseCode::kTryAgainLater);
    EXPECT_TRUE(eventually([&] { return received == sent; }));
    EXPECT_TRUE(to_quick->open());
    EXPECT_EQ(test.server.server.stats().slow_readers, 1u);
    stop = true;
    to_quick->send("last");
    reader.join();
}

TEST(WebSockets, DropAReaderThatStopsReading) {
    ServerOptions options;
    options.limits.websocket.send_queue_bytes = 100'000'000;
    options.limits.websocket.send_queue_age = 500ms;
    SocketServer test(options);
    RawSocket socket = test.open(4096);
    for (int i = 0; i < 2000; ++i) test.socket(0)->send(std::string(4000, 'x'));
    EXPECT_EQ(test.closing(0).code, CloseCode::kTryAgainLater);
}

TEST(WebSockets, ReplaceStaleNewsInTheQueue) {
    SocketServer test(impatient(), 1);
    RawSocket socket = test.open();
    const WebSocketPtr to_client = test.socket(0);
    // Queued while the loop is busy: only the latest clock is sent, in the place of the first.
    to_client->executor().post([&] {
        to_client->send(share("move"));
        for (int i = 0; i < 100; ++i) to_client->send(share("clock " + std::to_string(i)), 7);
        to_client->send(share("end"));
    });
    std::string pending;
    EXPECT_EQ(receive_frame(socket, pending)->payload, "move");
    EXPECT_EQ(receive_frame(socket, pending)->payload, "clock 99");
    EXPECT_EQ(receive_frame(socket, pending)->payload, "end");
}

TEST(WebSockets, SendEverythingQueuedBeforeTheClose) {
    SocketServer test;
    RawSocket socket = test.open();
    const WebSocketPtr to_client = test.socket(0);
    for (int i = 0; i < 100; ++i) to_client->send(std::to_string(i));
    to_client->close(CloseCode::kGoingAway,
                     std::string(100, 'r') +
                         "\xC5\x82\xC5\x82\xC5\x82\xC5\x82\xC5\x82\xC5\x82\xC5\x82\xC5\x82\xC5\x82"
                         "\xC5\x82\xC5\x82\xC5\x82\xC5\x82");
    EXPECT_FALSE(to_client->send("after"));
    std::string pending;
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(receive_frame(socket, pending)->payload, std::to_string(i));
    const auto closing = receive_frame(socket, pending);
    EXPECT_EQ(close_code(*closing), 1001u);
    EXPECT_EQ(closing->payload.size(), 2u + 122u) << "cut at a whole character";
    socket.send(frame(8, closing->payload.substr(0, 2)));
    EXPECT_EQ(test.closing(0).code, CloseCode::kGoingAway);
    EXPECT_FALSE(test.closing(0).by_peer);
}

TEST(WebSockets, SendMessagesOfAllSizesTogetherAndInOrder) {
    SocketServer test;
    RawSocket socket = test.open(4096);
    const WebSocketPtr to_client = test.socket(0);
    std::vector<std::string> texts;
    for (const std::size_t size :
         {0, 1, 125, 126, 127, 2047, 2048, 2049, 40'000, 3, 65'535, 4, 66'000, 5})
        texts.emplace_back(size, static_cast<char>('a' + size % 26));
    std::string pending;
    for (int round = 0; round < 5; ++round) {
        for (const std::string& text : texts) {
            to_client->send(text);
            // Answered in between, without harm to the messages.
            if (text.size() % 2 == 1) socket.send(frame(9, "still there?"));
        }
        for (std::size_t next = 0; next < texts.size();) {
            const auto received = receive_frame(socket, pending);
            ASSERT_TRUE(received);
            if (received->opcode == 10) {
                EXPECT_EQ(received->payload, "still there?");
                continue;
            }
            ASSERT_EQ(received->payload, texts[next++]);
        }
    }
}

TEST(WebSockets, AreCutWhenTheCloseIsNotAnswered) {
    SocketServer test;
    RawSocket socket = test.open();
    test.socket(0)->close(CloseCode::kNormal);
    EXPECT_EQ(test.closing(0).code, CloseCode::kNormal);
    EXPECT_TRUE(socket.closed_within(2s));
}

TEST(WebSockets, PingIdlePeersAndDropTheDead) {
    ServerOptions options;
    options.limits.websocket.idle_timeout = 1s;
    SocketServer test(options);
    RawSocket dead = test.open();
    RawSocket alive = test.open();
    std::string pending;
    for (int i = 0; i < 4; ++i) {
        const auto ping = receive_frame(alive, pending);
        ASSERT_TRUE(ping);
        ASSERT_EQ(ping->opcode, 9u);
        alive.send(frame(10, ping->payload));
    }
    EXPECT_EQ(test.closed(), 1u) << "the one that never answered";
    EXPECT_EQ(test.closing(0).code, CloseCode::kAbnormal);
    EXPECT_TRUE(test.socket(1)->open()) << "pongs are a sign of life";
    EXPECT_TRUE(test.socket(1)->round_trip().has_value());
    EXPECT_FALSE(test.socket(0)->round_trip().has_value());
}

TEST(WebSockets, MeasureTheRoundTrip) {
    SocketServer test;
    RawSocket socket = test.open();
    test.socket(0)->ping();
    std::string pending;
    const auto ping = receive_frame(socket, pending);
    std::this_thread::sleep_for(50ms);
    socket.send(frame(10, "unasked, ignored"));
    EXPECT_TRUE(eventually([&] { return test.socket(0)->round_trip().has_value(); }));
    EXPECT_GE(*test.socket(0)->round_trip(), 50ms);
    EXPECT_LT(*test.socket(0)->round_trip(), 3s);
}

TEST(WebSockets, MayBeUsedFromManyThreads) {
    SocketServer test;
    RawSocket socket = test.open();
    const WebSocketPtr to_client = test.socket(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([to_client] {
            for (int k = 0; k < 500; ++k) to_client->send("x" + std::to_string(k));
        });
    std::string pending;
    int received = 0;
    while (received < 2000 && receive_frame(socket, pending)) ++received;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(received, 2000);
    // Closing while others send must not end in anything but a close.
    std::thread sender([to_client] {
        while (to_client->send("y")) std::this_thread::yield();
    });
    to_client->close(CloseCode::kNormal);
    sender.join();
    EXPECT_EQ(test.closing(0).code, CloseCode::kNormal);
}

TEST(WebSockets, WorkBetweenOurClientAndOurServer) {
    SocketServer test;
    HttpClient client(test.server.loops);
    std::mutex mutex;
    std::vector<std::string> got;
    std::atomic<int> opened{0};
    std::atomic<int> closed{0};
    WebSocketEvents events;
    events.on_open = [&](const WebSocketPtr& socket) {
        ++opened;
        for (int i = 0; i < 10; ++i) socket->send("m" + std::to_string(i));
    };
    events.on_message = [&](const WebSocketPtr& socket, std::string_view text) {
        const std::lock_guard lock(mutex);
        got.emplace_back(text);
        if (got.size() == 10) socket->close(CloseCode::kNormal, "enough");
    };
    events.on_close = [&](const WebSocketPtr&, const WebSocketClosed& how) {
        EXPECT_EQ(how.code, CloseCode::kNormal);
        ++closed;
    };
    client.open_websocket(
        {.url = test.server.url("/ws", "ws")}, events,
        [&](Result<WebSocketPtr, ClientError> result) { EXPECT_TRUE(result.ok()); });
    EXPECT_TRUE(eventually([&] { return closed == 1; }));
    EXPECT_EQ(opened, 1);
    ASSERT_EQ(got.size(), 10u);
    EXPECT_EQ(got[9], "m9");
    EXPECT_EQ(test.closing(0).reason, "enough");
    EXPECT_TRUE(test.closing(0).by_peer);

    std::atomic<int> refused{0};
    ClientRequest evil{.url = test.server.url("/ws", "ws")};
    evil.headers.set("Origin", "http://evil");
    client.open_websocket(evil, events, [&](Result<WebSocketPtr, ClientError> result) {
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(result.error().kind, ClientError::Kind::kRefused);
        ASSERT_TRUE(result.error().response);
        EXPECT_EQ(result.error().response->status, 403);
        ++refused;
    });
    EXPECT_TRUE(eventually([&] { return refused == 1; }));
    EXPECT_EQ(opened, 1);
}

}  // namespace
}  // namespace rokada::net::test
