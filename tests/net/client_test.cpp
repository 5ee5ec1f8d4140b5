// SPDX-License-Identifier: GPL-3.0-or-later
// The client, TLS, and the graceful stop.
#include "net/client.hpp"

#include <atomic>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/detail/response_parser.hpp"
#include "tests/net/support.hpp"

namespace rokada::net::test {
namespace {

TEST(ResponseParser, ReadsAnswersHoweverTheyAreCut) {
    using detail::ResponseParser;
    const std::pair<std::string, std::string> cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
         "abc"},
        {"HTTP/1.0 200 OK\r\n\r\nto the end", "to the end"},
    };
    for (const auto& [text, body] : cases)
        for (const std::size_t piece : {1u, 3u, 1000u}) {
            ResponseParser parser(false, 100);
            std::string buffer;
            for (std::size_t i = 0; i < text.size(); i += piece) {
                buffer += text.substr(i, piece);
                for (std::size_t used = 1; used > 0 && !buffer.empty();) {
                    used = parser.feed(buffer);
                    buffer.erase(0, used);
                }
            }
            parser.feed_end();
            EXPECT_EQ(parser.state(), ResponseParser::State::kDone) << text;
            EXPECT_EQ(parser.response().body, body);
        }
    ResponseParser cut(false, 100);
    cut.feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    cut.feed("hel");
    cut.feed_end();
    EXPECT_EQ(cut.state(), ResponseParser::State::kFailed);
    ResponseParser big(false, 3);
    big.feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    big.feed("hello");
    EXPECT_EQ(big.state(), ResponseParser::State::kTooBig);
}

TEST(Client, FetchesAndReusesConnections) {
    TestServer server(add_simple_routes, {}, 1);
    HttpClient client(server.loops);
    for (int i = 0; i < 5; ++i) {
        const ClientResult result = client.fetch({.method = Method::kPost,
                                                  .url = server.url("/echo"),
                                                  .body = "body " + std::to_string(i)});
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->status, 200);
        EXPECT_EQ(result->body, "body " + std::to_string(i));
        EXPECT_EQ(result->headers.get("content-type"), "text/plain; charset=utf-8");
    }
    EXPECT_EQ(client.fetch({.url = server.url("/nothing")})->status, 404);
    const ClientResult head = client.fetch({.method = Method::kHead, .url = server.url("/hello")});
    ASSERT_TRUE(head.ok());
    EXPECT_EQ(head->body, "");
    EXPECT_EQ(server.server.stats().accepted, 1u);
}

TEST(Client, NoticesThatAReusedConnectionHasGone) {
    ServerOptions options;
    options.limits.keep_alive_timeout = 100ms;
    TestServer server(add_simple_routes, options, 1);
    HttpClient client(server.loops);
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(
            client.fetch({.method = Method::kPost, .url = server.url("/echo"), .body = "x"}).ok());
        ASSERT_TRUE(eventually([&] { return server.server.stats().connections == 0; }));
    }
    EXPECT_EQ(server.server.stats().accepted, 2u);
}

TEST(Client, SaysWhatWentWrong) {
    Loops loops(1);
    ClientOptions options;
    options.timeout = 400ms;
    options.body_limit = 1000;
    HttpClient client(loops, options);
    const auto kind = [&](const std::string& url) {
        const ClientResult result = client.fetch({.url = url});
        EXPECT_FALSE(result.ok()) << url;
        return result.ok() ? ClientError::Kind::kRefused : result.error().kind;
    };
    EXPECT_EQ(kind("nonsense"), ClientError::Kind::kBadUrl);
    EXPECT_EQ(kind("http://does-not-exist.invalid/"), ClientError::Kind::kResolve);

    // A socket that listens and never answers, then one that talks nonsense.
    TestServer server([](Router& router) {
        router.get("/slow", [](const RequestPtr&, Responder responder) {
            std::thread([responder] { std::this_thread::sleep_for(1500ms); }).detach();
        });
        router.get("/big", [](const RequestPtr&, Responder responder) {
            responder.send(Response::text(200, std::string(2000, 'x')));
        });
    });
    EXPECT_EQ(kind(server.url("/slow")), ClientError::Kind::kTimeout);
    EXPECT_EQ(kind(server.url("/big")), ClientError::Kind::kTooBig);
    EXPECT_EQ(kind(server.url("/big", "https")), ClientError::Kind::kTls);
    const std::uint16_t port = server.port;
    server.server.stop(0ms);
    EXPECT_EQ(kind("http://127.0.0.1:" + std::to_string(port) + "/"), ClientError::Kind::kConnect);
    ClientRequest evil{.url = "http://127.0.0.1:1/"};
    evil.headers.set("X", "a\r\nb: c");
    EXPECT_EQ(client.fetch(evil).error().kind, ClientError::Kind::kProtocol);
    std::this_thread::sleep_for(1200ms);  // the sleeping handler lets go of its responder
}

TEST(Client, EndsEverythingWhenItIsDestroyed) {
    std::vector<Responder> kept;
    std::mutex mutex;
    TestServer server([&](Router& router) {
        router.get("/wait", [&](const RequestPtr&, Responder responder) {
            const std::lock_guard lock(mutex);
            kept.push_back(responder);
        });
        add_echo_socket(router);
    });
    std::atomic<int> ended{0};
    std::atomic<int> opened{0};
    {
        HttpClient client(server.loops);
        for (int i = 0; i < 10; ++i)
            client.send({.url = server.url("/wait")}, [&](ClientResult result) {
                EXPECT_FALSE(result.ok());
                ++ended;
            });
        WebSocketEvents events;
        events.on_open = [&](const WebSocketPtr&) { ++opened; };
        events.on_close = [&](const WebSocketPtr&, const WebSocketClosed&) { ++ended; };
        client.open_websocket({.url = server.url("/ws", "ws")}, events);
        ASSERT_TRUE(eventually([&] {
            const std::lock_guard lock(mutex);
            return kept.size() == 10 && opened == 1;
        }));
    }
    EXPECT_EQ(ended, 11);
    const std::lock_guard lock(mutex);
    kept.clear();
}

struct TlsServer {
    static ServerOptions options(const TestCertificate& certificate) {
        ServerOptions result;
        const auto context = TlsServerContext::load(certificate.certificate(), certificate.key());
        EXPECT_TRUE(context.ok());
        if (context.ok()) result.tls = *context;
        return result;
    }
    TestCertificate certificate;
    TestServer server{[](Router& router) {
                          add_simple_routes(router);
                          add_echo_socket(router);
                          router.get("/secure", [](const RequestPtr& request, Responder responder) {
                              responder.send(Response::text(200, request->tls ? "tls" : "plain"));
                          });
                          router.get("/big", [](const RequestPtr&, Responder responder) {
                              responder.send(Response::text(200, std::string(1'000'000, 'x')));
                          });
                          router.get("/stream", [](const RequestPtr&, Responder responder) {
                              const Stream stream = responder.stream(Response(200));
                              stream.write("a\n");
                              stream.write("b\n");
                          });
                      },
                      options(certificate), 2, true};
};

TEST(Tls, ServesWithASelfMadeCertificate) {
    TlsServer test;
    ClientOptions options;
    options.tls.ca_file = test.certificate.certificate();
    HttpClient client(test.server.loops, options);
    for (int i = 0; i < 3; ++i) {
        const ClientResult result = client.fetch({.url = test.server.url("/secure", "https")});
        ASSERT_TRUE(result.ok()) << result.error().message;
        EXPECT_EQ(result->body, "tls");
    }
    EXPECT_EQ(client.fetch({.url = test.server.url("/big", "https")})->body.size(), 1'000'000u);
    EXPECT_EQ(client.fetch({.url = test.server.url("/stream", "https")})->body, "a\nb\n");
    EXPECT_EQ(
        client.fetch({.url = "https://localhost:" + std::to_string(test.server.port) + "/secure"})
            ->body,
        "tls");

    std::atomic<int> echoed{0};
    WebSocketEvents events;
    events.on_open = [](const WebSocketPtr& socket) {
        for (int i = 0; i < 20; ++i) socket->send(std::string(10'000, 'x'));
    };
    events.on_message = [&](const WebSocketPtr& socket, std::string_view text) {
        EXPECT_EQ(text.size(), 10'000u);
        if (++echoed == 20) socket->close(CloseCode::kNormal);
    };
    client.open_websocket({.url = test.server.url("/ws", "wss")}, events);
    EXPECT_TRUE(eventually([&] { return echoed == 20; }));
}

TEST(Tls, ClientsCheckTheCertificateAndTheName) {
    TlsServer test;
    HttpClient suspicious(test.server.loops);
    const ClientResult unknown = suspicious.fetch({.url = test.server.url("/secure", "https")});
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().kind, ClientError::Kind::kTls);
    EXPECT_NE(unknown.error().message.find("certificate"), std::string::npos)
        << unknown.error().message;

    const TestCertificate other("other.example");
    const auto context = TlsServerContext::load(other.certificate(), other.key());
    ASSERT_TRUE(context.ok());
    test.server.server.set_tls(*context);  // also shows that a renewal needs no restart
    ClientOptions trusting;
    trusting.tls.ca_file = other.certificate();
    HttpClient client(test.server.loops, trusting);
    EXPECT_EQ(client.fetch({.url = test.server.url("/secure", "https")}).error().kind,
              ClientError::Kind::kTls)
        << "right authority, wrong name";
    ClientOptions careless;
    careless.tls.verify = false;
    HttpClient blind(test.server.loops, careless);
    EXPECT_TRUE(blind.fetch({.url = test.server.url("/secure", "https")}).ok());
}

TEST(Tls, PlainAndBrokenClientsAreCutOff) {
    TlsServer test;
    RawSocket plain = test.server.connect();
    plain.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(plain.receive_all(3s).find("hello"), std::string::npos);
    RawSocket garbage = test.server.connect();
    garbage.send(std::string("\x16\x03\x01\xff\xff", 5) + std::string(70'000, '\0'));
    EXPECT_TRUE(garbage.closed_within(3s));
    EXPECT_TRUE(eventually([&] { return test.server.server.stats().connections == 0; }));
}

TEST(Tls, SlowHandshakesAreTimedOut) {
    const TestCertificate certificate;
    ServerOptions options = TlsServer::options(certificate);
    options.limits.handshake_timeout = 300ms;
    TestServer server(add_simple_routes, options, 1, true);
    EXPECT_TRUE(server.connect().closed_within(3s));
}

TEST(Tls, BadFilesGiveAClearLine) {
    const TestCertificate certificate;
    const TestCertificate other;
    EXPECT_NE(
        TlsServerContext::load("/no/such.pem", certificate.key()).error().find("/no/such.pem"),
        std::string::npos);
    EXPECT_NE(TlsServerContext::load(certificate.certificate(), "/no/key.pem")
                  .error()
                  .find("/no/key.pem"),
              std::string::npos);
    EXPECT_FALSE(TlsServerContext::load(certificate.certificate(), other.key()).ok());
    std::ofstream(certificate.folder() + "/broken.pem")
        << "-----BEGIN CERTIFICATE-----\nnonsense\n";
    EXPECT_FALSE(
        TlsServerContext::load(certificate.folder() + "/broken.pem", certificate.key()).ok());
}

TEST(Stop, FinishesRequestsAndSaysGoodbyeToSockets) {
    std::promise<Responder> handled;
    std::promise<Stream> streaming;
    TestServer server([&](Router& router) {
        add_simple_routes(router);
        add_echo_socket(router);
        router.get("/work",
                   [&](const RequestPtr&, Responder responder) { handled.set_value(responder); });
        router.get("/stream", [&](const RequestPtr&, Responder responder) {
            streaming.set_value(responder.stream(Response(200)));
        });
    });
    RawSocket idle = server.connect();
    ASSERT_EQ(status_of(idle.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), 200);
    RawSocket busy = server.connect();
    busy.send("GET /work HTTP/1.1\r\nHost: h\r\n\r\n");
    Responder responder = handled.get_future().get();
    RawSocket listening = server.connect();
    listening.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    const Stream stream = streaming.get_future().get();
    RawSocket socket = server.connect();
    ASSERT_EQ(status_of(socket.ask(upgrade_request())), 101);

    std::thread stopping([&] { server.server.stop(5s); });
    EXPECT_TRUE(eventually([&] { return server.server.stopping(); }));
    EXPECT_TRUE(idle.closed_within(2s));
    std::string pending;
    const auto goodbye = receive_frame(socket, pending);
    ASSERT_TRUE(goodbye);
    EXPECT_EQ(goodbye->payload.substr(0, 2), "\x03\xf4") << "1012, service restart";
    socket.send(frame(8, goodbye->payload.substr(0, 2)));
    const std::string streamed = listening.receive_until("0\r\n\r\n");
    EXPECT_NE(streamed.find("0\r\n\r\n"), streamed.npos) << "the stream is ended properly";
    listening.close();
    EXPECT_TRUE(eventually([&] {
        return !server.connect().open() || server.connect().closed_within(50ms);
    })) << "nobody new";
    responder.send(Response::text(200, "done"));
    const std::string answer = busy.receive_all();
    EXPECT_EQ(body_of(answer), "done");
    EXPECT_EQ(header_of(answer, "Connection"), "close");
    busy.close();
    const auto begin = std::chrono::steady_clock::now();
    stopping.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s)
        << "does not wait for the deadline when all is done";
    EXPECT_EQ(server.server.stats().connections, 0u);
}

TEST(Stop, CutsWhatIsLeftAtTheDeadline) {
    std::vector<Responder> kept;
    std::mutex mutex;
    TestServer server([&](Router& router) {
        add_echo_socket(router);
        router.get("/never", [&](const RequestPtr&, Responder responder) {
            const std::lock_guard lock(mutex);
            kept.push_back(responder);
        });
    });
    RawSocket busy = server.connect();
    busy.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
    RawSocket silent = server.connect();
    ASSERT_EQ(status_of(silent.ask(upgrade_request())), 101);
    ASSERT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return kept.size() == 1;
    }));
    const auto begin = std::chrono::steady_clock::now();
    server.server.stop(300ms);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took, 250ms);
    EXPECT_LT(took, 2s);
    EXPECT_EQ(server.server.stats().connections, 0u);
    EXPECT_TRUE(busy.closed_within(1s));
    EXPECT_TRUE(silent.closed_within(1s));
    server.server.stop(0ms);
}

TEST(Stop, WorksInAnyOrderOfDestruction) {
    for (int round = 0; round < 3; ++round) {
        auto loops = std::make_unique<Loops>(2);
        Router router;
        add_echo_socket(router);
        auto server = std::make_unique<Server>(*loops, std::move(router));
        const std::uint16_t port = *server->listen({"127.0.0.1", 0, false});
        auto client = std::make_unique<HttpClient>(*loops);
        std::atomic<bool> opened{false};
        WebSocketPtr kept;
        WebSocketEvents events;
        events.on_open = [&](const WebSocketPtr& socket) {
            kept = socket;
            opened = true;
        };
        client->open_websocket({.url = "ws://127.0.0.1:" + std::to_string(port) + "/ws"}, events);
        ASSERT_TRUE(eventually([&] { return opened.load(); }));
        if (round == 0) loops->stop();
        if (round == 1) client.reset();
        server->stop(50ms);
        kept->send("too late");
        client.reset();
        server.reset();
        loops.reset();
        kept->send("much too late");
        EXPECT_FALSE(round != 0 && kept->open());
    }
}

TEST(Server, ServesAdoptedSocketsWithoutThreads) {
    Loops loops(0);
    Router router;
    add_simple_routes(router);
    Server server(loops, std::move(router));
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    server.adopt(ends[0]);
    RawSocket socket(ends[1]);
    socket.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    for (int i = 0; i < 10; ++i) loops.poll();
    EXPECT_EQ(body_of(socket.receive_answer()), "hello");
    server.stop(100ms);
}

}  // namespace
}  // namespace rokada::net::test
