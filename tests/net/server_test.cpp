// SPDX-License-Identifier: GPL-3.0-or-later
// What a well-behaved client may expect of the server.
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "tests/net/support.hpp"

namespace rokada::net::test {
namespace {

TEST(Server, AnswersAndKeepsTheConnection) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    for (int i = 0; i < 3; ++i) {
        const std::string answer = socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(answer,
                  "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                  "5\r\n\r\nhello")
            << "nothing is added that nobody asked for";
    }
    EXPECT_EQ(body_of(socket.ask("GET /greet/Ana%20Maria HTTP/1.1\r\nHost: h\r\n\r\n")),
              "Ana Maria");
    EXPECT_EQ(server.server.stats().accepted, 1u);
    EXPECT_EQ(server.server.stats().requests, 4u);
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    std::string requests;
    for (int i = 0; i < 50; ++i)
        requests += "GET /greet/" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
    requests += "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nend";
    ASSERT_TRUE(socket.send(requests));
    for (int i = 0; i < 50; ++i) ASSERT_EQ(body_of(socket.receive_answer()), std::to_string(i));
    EXPECT_EQ(body_of(socket.receive_answer()), "end");
}

TEST(Server, ReadsRequestsThatArriveByteByByte) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    socket.send_slowly(
        "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
        "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    EXPECT_EQ(body_of(socket.receive_answer()), "abcde");
}

TEST(Server, ClosesWhenAsked) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    const std::string answer =
        socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(header_of(answer, "Connection"), "close");
    EXPECT_TRUE(socket.closed_within(2s));

    RawSocket old = server.connect();
    EXPECT_EQ(status_of(old.ask("GET /hello HTTP/1.0\r\n\r\n")), 200);
    EXPECT_TRUE(old.closed_within(2s));

    RawSocket old_but_patient = server.connect();
    EXPECT_EQ(
        header_of(old_but_patient.ask("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
                  "Connection"),
        "keep-alive");
    EXPECT_EQ(
        status_of(old_but_patient.ask("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")),
        200);
}

TEST(Server, AnswersAClientThatHasFinishedSending) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    ASSERT_TRUE(socket.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"));
    socket.finish_sending();
    EXPECT_EQ(body_of(socket.receive_all()), "hello");
}

TEST(Server, KnowsItsMethods) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    socket.send("HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    const std::string head = socket.receive_answer(true);
    EXPECT_EQ(status_of(head), 200);
    EXPECT_EQ(header_of(head, "Content-Length"), "5");
    EXPECT_EQ(body_of(head), "");
    const std::string wrong = socket.ask("DELETE /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(wrong), 405);
    EXPECT_EQ(header_of(wrong, "Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(header_of(wrong, "Content-Type"), "application/problem+json");
    const std::string options = socket.ask("OPTIONS /echo HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(options), 204);
    EXPECT_EQ(header_of(options, "Allow"), "POST, OPTIONS");
    EXPECT_EQ(header_of(options, "Content-Length"), "");
    EXPECT_EQ(status_of(socket.ask("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")), 204);
    EXPECT_EQ(status_of(socket.ask("GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n")), 404);
    EXPECT_EQ(status_of(socket.ask("TRACE /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 501);
    EXPECT_EQ(status_of(socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200)
        << "the connection is still good";
}

TEST(Server, LetsHandlersAnswerLaterFromOtherThreads) {
    std::vector<std::thread> threads;
    std::mutex mutex;
    TestServer server([&](Router& router) {
        router.get("/later/{n}", [&](const RequestPtr& request, Responder responder) {
            const std::lock_guard lock(mutex);
            threads.emplace_back([request, responder] {
                std::this_thread::sleep_for(5ms);
                EXPECT_TRUE(responder.send(Response::text(200, std::string(request->param("n")))));
                EXPECT_FALSE(responder.send(Response::text(200, "twice"))) << "exactly once";
            });
        });
    });
    {
        HttpClient client(server.loops);
        std::atomic<int> right{0};
        for (int i = 0; i < 50; ++i)
            client.send({.url = server.url("/later/" + std::to_string(i))},
                        [&right, i](ClientResult result) {
                            if (result.ok() && result->body == std::to_string(i)) ++right;
                        });
        EXPECT_TRUE(eventually([&] { return right == 50; }));
    }
    for (std::thread& thread : threads) thread.join();
}

TEST(Server, TurnsFailuresOfHandlersInto500) {
    std::atomic<int> reported{0};
    ServerOptions options;
    options.hooks.on_error = [&](const std::string&) { ++reported; };
    TestServer server(
        [](Router& router) {
            router.get("/throws",
                       [](const RequestPtr&, Responder) { throw std::runtime_error("oops"); });
            router.get("/forgets", [](const RequestPtr&, Responder) {});
            router.get("/odd", [](const RequestPtr&, Responder) { throw 42; });
            router.get("/bad-header", [](const RequestPtr&, Responder responder) {
                responder.send(Response::text(200, "x")
                                   .with("X-Evil", "a\r\nInjected: yes")
                                   .with("Bad Name", "v"));
            });
        },
        options);
    RawSocket socket = server.connect();
    for (const char* path : {"/throws", "/forgets", "/odd"}) {
        const std::string answer =
            socket.ask("GET " + std::string(path) + " HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(status_of(answer), 500) << path;
        EXPECT_EQ(answer.find("oops"), answer.npos) << "details stay inside";
    }
    EXPECT_EQ(reported, 2);
    const std::string answer = socket.ask("GET /bad-header HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(answer), 200);
    EXPECT_EQ(header_of(answer, "Injected"), "");
    EXPECT_EQ(answer.find("Bad Name"), answer.npos);
    EXPECT_EQ(reported, 3);
}

TEST(Server, SendsLargeBodiesWhole) {
    const auto big = share(std::string(5'000'000, 'x') + "end");
    TestServer server([&](Router& router) {
        router.get("/big", [big](const RequestPtr&, Responder responder) {
            responder.send(Response::bytes(200, "text/plain", big));
        });
    });
    HttpClient client(server.loops);
    const ClientResult result = client.fetch({.url = server.url("/big")});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->body, *big);
}

TEST(Server, GatesRequestsBeforeTheirBody) {
    std::vector<int> statuses;
    std::mutex mutex;
    ServerOptions options;
    options.hooks.gate = [](const Request& request,
                            std::size_t& body_limit) -> std::optional<Response> {
        if (request.host() == "evil") return problem(421, "unknown_host");
        if (!request.cookie("session")) body_limit = std::min<std::size_t>(body_limit, 10);
        return {};
    };
    options.hooks.on_response = [](const Request* request, Response& response) {
        response.headers.set("X-Frame-Options", "DENY");
        if (request && request->tls) response.headers.set("Strict-Transport-Security", "max-age=1");
    };
    options.hooks.on_done = [&](const ServerHooks::Done& done) {
        const std::lock_guard lock(mutex);
        statuses.push_back(done.status);
    };
    TestServer server(add_simple_routes, options);
    RawSocket socket = server.connect();
    const std::string refused = socket.ask("GET /hello HTTP/1.1\r\nHost: evil\r\n\r\n");
    EXPECT_EQ(status_of(refused), 421);
    EXPECT_EQ(header_of(refused, "X-Frame-Options"), "DENY");
    EXPECT_EQ(header_of(socket.ask("GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n"), "X-Frame-Options"),
              "DENY");
    EXPECT_EQ(status_of(socket.ask("POST /echo HTTP/1.1\r\nHost: h\r\nCookie: "
                                   "session=1\r\nContent-Length: 11\r\n\r\n12345678901")),
              200);
    const std::string too_big =
        socket.ask("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n");
    EXPECT_EQ(status_of(too_big), 413);
    EXPECT_EQ(header_of(too_big, "Connection"), "close");
    EXPECT_TRUE(socket.closed_within(3s));
    RawSocket rude = server.connect();
    const std::string bad = rude.ask("BAD\r\n\r\n");
    EXPECT_EQ(status_of(bad), 400);
    EXPECT_EQ(header_of(bad, "X-Frame-Options"), "DENY")
        << "even when there was no request to speak of";
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return statuses == std::vector<int>{421, 404, 200, 413, 400};
    }));
}

TEST(Server, SaysContinueOnlyWhenTheBodyIsWanted) {
    TestServer server(add_simple_routes);
    RawSocket socket = server.connect();
    ASSERT_TRUE(socket.send(
        "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
    EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    EXPECT_EQ(body_of(socket.ask("ok")), "ok");
    ASSERT_TRUE(
        socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
                    "2000000\r\n\r\n"));
    EXPECT_EQ(status_of(socket.receive_answer()), 413);
}

TEST(Server, BelievesForwardedAddressesFromTrustedProxiesOnly) {
    const auto who = [](Router& router) {
        router.get("/who", [](const RequestPtr& request, Responder responder) {
            responder.send(Response::text(
                200, request->remote.text() + (request->tls ? " tls" : " plain") + " [" +
                         std::string(request->header("X-Forwarded-For")) + "]"));
        });
    };
    const std::string request =
        "GET /who HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 6.6.6.6, 203.0.113.9\r\nX-Forwarded-For: "
        "10.0.0.2:99\r\nX-Forwarded-Proto: https\r\n\r\n";
    TestServer naked(who);
    EXPECT_EQ(body_of(naked.connect().ask(request)), "127.0.0.1 plain []");
    ServerOptions options;
    options.trusted_proxies = {*AddressRange::parse("127.0.0.1"),
                               *AddressRange::parse("10.0.0.0/8")};
    TestServer behind(who, options);
    EXPECT_EQ(body_of(behind.connect().ask(request)), "203.0.113.9 tls [6.6.6.6, 203.0.113.9]")
        << "6.6.6.6 is the client's own claim";
    EXPECT_EQ(body_of(behind.connect().ask(
                  "GET /who HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: nonsense\r\n\r\n")),
              "127.0.0.1 plain [nonsense]");
}

TEST(Server, ReportsABusyPortAndTheNextFreeOne) {
    TestServer first(add_simple_routes);
    Loops loops(1);
    Server second(loops, Router());
    const auto result = second.listen({"127.0.0.1", first.port, false});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ListenError::Kind::kInUse);
    EXPECT_NE(result.error().message.find("127.0.0.1:" + std::to_string(first.port)),
              std::string::npos);
    const auto free = next_free_port("127.0.0.1", first.port);
    ASSERT_TRUE(free);
    EXPECT_GT(*free, first.port);
    EXPECT_TRUE(second.listen({"127.0.0.1", *free, false}).ok());
    EXPECT_EQ(second.listen({"no such host", 1, false}).error().kind,
              ListenError::Kind::kBadAddress);
    EXPECT_EQ(second.listen({"203.0.113.7", 0, false}).error().kind,
              ListenError::Kind::kBadAddress);
    EXPECT_FALSE(second.listen({"127.0.0.1", 0, true}).ok()) << "TLS without a certificate";
}

TEST(Server, ListensOnBothLoopbacks) {
    Loops loops(1);
    Router router;
    add_simple_routes(router);
    Server server(loops, std::move(router));
    const auto port = server.listen({"localhost", 0, false});
    ASSERT_TRUE(port.ok());
    HttpClient client(loops);
    EXPECT_TRUE(client.fetch({.url = "http://127.0.0.1:" + std::to_string(*port) + "/hello"}).ok());
    const std::vector<Address> addresses = interface_addresses();
    if (std::find(addresses.begin(), addresses.end(), *Address::parse("::1")) != addresses.end()) {
        EXPECT_TRUE(client.fetch({.url = "http://[::1]:" + std::to_string(*port) + "/hello"}).ok());
    }
    Server other(loops, Router());
    EXPECT_EQ(other.listen({"localhost", *port, false}).error().kind, ListenError::Kind::kInUse);
    server.stop(100ms);
}

TEST(Server, FallsBackWhereNoRouteMatches) {
    TestServer server([](Router& router) {
        add_simple_routes(router);
        router.fallback([](const RequestPtr& request, Responder responder) {
            responder.send(Response::html(200, request->path));
        });
    });
    RawSocket socket = server.connect();
    EXPECT_EQ(body_of(socket.ask("GET /some/page HTTP/1.1\r\nHost: h\r\n\r\n")), "/some/page");
    EXPECT_EQ(status_of(socket.ask("PUT /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")),
              405);
}

TEST(Server, SurvivesResponsesAfterTheConnectionIsGone) {
    std::vector<Responder> kept;
    std::mutex mutex;
    TestServer server([&](Router& router) {
        router.get("/wait", [&](const RequestPtr&, Responder responder) {
            const std::lock_guard lock(mutex);
            kept.push_back(std::move(responder));
        });
    });
    {
        RawSocket socket = server.connect();
        socket.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
        ASSERT_TRUE(eventually([&] {
            const std::lock_guard lock(mutex);
            return kept.size() == 1;
        }));
    }
    server.server.stop(0ms);
    EXPECT_EQ(server.server.stats().connections, 0u);
    kept[0].send(Response::text(200, "too late"));
    kept.clear();
}

}  // namespace
}  // namespace rokada::net::test
