// SPDX-License-Identifier: GPL-3.0-or-later
// Clients that are broken, slow, greedy or hostile: each is answered or cut off, others never
// notice.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "tests/net/support.hpp"

namespace rokada::net::test {
namespace {

ServerOptions quick() {
    ServerOptions options;
    options.limits.header_timeout = 300ms;
    options.limits.body_timeout = 300ms;
    options.limits.keep_alive_timeout = 300ms;
    options.limits.write_timeout = 500ms;
    options.limits.handler_timeout = 400ms;
    return options;
}

TEST(Hostile, MalformedRequestsAreAnsweredAndTheConnectionEnds) {
    TestServer server(add_simple_routes);
    const std::pair<std::string, int> cases[] = {
        {"NONSENSE\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: h\n\n", 400},
        {std::string("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 28), 400},
        {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400},
        {"GET /hello HTTP/1.1\r\n\r\n", 400},
        {"GET /hello HTTP/3.0\r\nHost: h\r\n\r\n", 505},
        {"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: "
         "chunked\r\n\r\n0\r\n\r\n",
         400},
        {"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
         400},
        {"POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
        {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n", 414},
        {"GET /hello HTTP/1.1\r\nHost: h\r\nX: " + std::string(9000, 'a') + "\r\n\r\n", 431},
        {"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\n", 413},
        {"GET /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", 413},
    };
    for (const auto& [request, status] : cases) {
        RawSocket socket = server.connect();
        socket.send(request + "GET /hello HTTP/1.1\r\nHost: smuggled\r\n\r\n");
        const std::string answer = socket.receive_all();
        EXPECT_EQ(status_of(answer), status) << request.substr(0, 80);
        EXPECT_EQ(header_of(answer, "Connection"), "close");
        EXPECT_EQ(answer.find("hello"), answer.npos)
            << "nothing after a broken request may be served: " << request.substr(0, 80);
    }
    EXPECT_EQ(server.server.stats().bad_requests, std::size(cases));
    EXPECT_EQ(status_of(server.connect().ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200);
}

TEST(Hostile, AnOverlongBodyIsCutOffWhileItArrives) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "8000\r\n" + std::string(0x8000, 'x') + "\r\n";
    for (int i = 0; i < 4; ++i) socket.send(chunk);
    EXPECT_EQ(status_of(socket.receive_all()), 413);
}

TEST(Hostile, SlowHeadersAreTimedOut) {
    TestServer server(add_simple_routes, quick());
    RawSocket silent = server.connect();
    RawSocket slow = server.connect();
    slow.send("GET /hello HTTP/1.1\r\n");
    std::thread dripping([&] {
        for (int i = 0; i < 20; ++i) {
            if (!slow.send("X: y\r\n")) return;
            std::this_thread::sleep_for(50ms);
        }
    });
    const std::string answer = slow.receive_all(3s);
    EXPECT_EQ(status_of(answer), 408) << "each byte in time, the whole not";
    EXPECT_TRUE(silent.closed_within(3s));
    dripping.join();
    EXPECT_GE(server.server.stats().timeouts, 2u);
}

TEST(Hostile, SlowBodiesAreTimedOut) {
    TestServer server(add_simple_routes, quick());
    RawSocket socket = server.connect();
    socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
    EXPECT_EQ(status_of(socket.receive_all(3s)), 408);
}

TEST(Hostile, IdleConnectionsAreClosedInSilence) {
    TestServer server(add_simple_routes, quick());
    RawSocket socket = server.connect();
    ASSERT_EQ(status_of(socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200);
    EXPECT_EQ(socket.receive_all(3s), "");
    EXPECT_TRUE(eventually([&] { return server.server.stats().connections == 0; }));
}

TEST(Hostile, AHandlerThatNeverAnswersGetsA503) {
    std::vector<Responder> kept;
    ServerOptions options = quick();
    std::atomic<int> reported{0};
    options.hooks.on_error = [&](const std::string&) { ++reported; };
    TestServer server(
        [&](Router& router) {
            router.get("/never",
                       [&](const RequestPtr&, Responder responder) { kept.push_back(responder); });
        },
        options, 1);
    RawSocket socket = server.connect();
    socket.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(socket.receive_all(3s)), 503);
    EXPECT_EQ(reported, 1);
    kept[0].send(Response::text(200, "late"));
}

TEST(Hostile, AClientThatDoesNotReadItsAnswerIsDropped) {
    const auto big = share(std::string(20'000'000, 'x'));
    TestServer server(
        [&](Router& router) {
            router.get("/big", [big](const RequestPtr&, Responder responder) {
                responder.send(Response::bytes(200, "text/plain", big));
            });
        },
        quick());
    RawSocket socket = server.connect(4096);
    socket.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(eventually([&] { return server.server.stats().connections == 1; }));
    EXPECT_TRUE(eventually([&] { return server.server.stats().connections == 0; }, 5s));
}

TEST(Hostile, ConnectionsAreCappedInAll) {
    ServerOptions options;
    options.limits.connections = 5;
    TestServer server(add_simple_routes, options);
    std::vector<RawSocket> held;
    for (int i = 0; i < 5; ++i) {
        held.push_back(server.connect());
        ASSERT_EQ(status_of(held.back().ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200);
    }
    for (int i = 0; i < 20; ++i) {
        RawSocket extra = server.connect();
        EXPECT_EQ(status_of(extra.receive_all(2s)), 503);
    }
    EXPECT_EQ(status_of(held[0].ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200)
        << "those inside are not disturbed";
    EXPECT_EQ(server.server.stats().refused, 20u);
    held.pop_back();
    EXPECT_TRUE(eventually([&] {
        return status_of(server.connect().ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")) == 200;
    }));
}

TEST(Hostile, ConnectionsAreCappedByAddressExceptForProxiesAndExemptAddresses) {
    ServerOptions options;
    options.limits.connections_per_address = 3;
    const auto open_ten = [](TestServer& server) {
        int served = 0;
        std::vector<RawSocket> held;
        for (int i = 0; i < 10; ++i) {
            held.push_back(server.connect());
            if (status_of(held.back().ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")) == 200)
                ++served;
        }
        return served;
    };
    TestServer strict(add_simple_routes, options);
    EXPECT_EQ(open_ten(strict), 3);
    options.trusted_proxies = {*AddressRange::parse("127.0.0.0/8")};
    TestServer behind_proxy(add_simple_routes, options);
    EXPECT_EQ(open_ten(behind_proxy), 10);
    options.uncapped = std::move(options.trusted_proxies);
    options.trusted_proxies = {};
    TestServer own_machine(add_simple_routes, options);
    EXPECT_EQ(open_ten(own_machine), 10);
}

TEST(Hostile, ManyAbruptDisconnectsLeaveNothingBehind) {
    TestServer server([](Router& router) {
        add_simple_routes(router);
        add_echo_socket(router);
    });
    const std::string starts[] = {"",
                                  "G",
                                  "GET /hello HTTP/1.1\r\nHo",
                                  "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab",
                                  "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n",
                                  upgrade_request(),
                                  upgrade_request() + "\x81"};
    for (int i = 0; i < 210; ++i) {
        RawSocket socket = server.connect();
        socket.send(starts[static_cast<std::size_t>(i) % std::size(starts)]);
        if (i % 2 == 0) {
            const linger reset{1, 0};
            ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        }
    }
    EXPECT_TRUE(eventually([&] {
        return server.server.stats().connections == 0 && server.server.stats().websockets == 0;
    }));
}

TEST(Hostile, HalfCloseInTheMiddleOfARequestEndsIt) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
    socket.finish_sending();
    EXPECT_EQ(socket.receive_all(2s), "");
}

}  // namespace
}  // namespace rokada::net::test
