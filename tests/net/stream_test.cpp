// SPDX-License-Identifier: GPL-3.0-or-later
// Streamed answers: server-sent events, NDJSON, exports.
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "tests/net/support.hpp"

namespace rokada::net::test {
namespace {

// A route /stream whose streams the test holds in its hands.
struct StreamServer {
    explicit StreamServer(ServerOptions options = {})
        : server(
              [this](Router& router) {
                  add_simple_routes(router);
                  add_echo_socket(router);
                  router.get("/stream", [this](const RequestPtr&, Responder responder) {
                      Response head(200);
                      head.headers.set("Content-Type", "application/x-ndjson");
                      Stream stream = responder.stream(std::move(head));
                      stream.on_closed([this] { ++closed; });
                      const std::lock_guard lock(mutex);
                      streams.push_back(std::move(stream));
                  });
              },
              std::move(options)) {}

    Stream stream(std::size_t index) {
        EXPECT_TRUE(eventually([&] {
            const std::lock_guard lock(mutex);
            return streams.size() > index;
        }));
        const std::lock_guard lock(mutex);
        return streams.size() > index ? streams[index] : Stream();
    }
    void drop_all() {
        const std::lock_guard lock(mutex);
        streams.clear();
    }

    std::mutex mutex;
    std::vector<Stream> streams;
    std::atomic<int> closed{0};
    TestServer server;
};

TEST(Streams, ArrivePieceByPieceAndTheConnectionGoesOn) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    const std::string head = socket.receive_until("\r\n\r\n");
    EXPECT_EQ(header_of(head, "Transfer-Encoding"), "chunked");
    EXPECT_EQ(header_of(head, "Content-Length"), "");
    const Stream stream = test.stream(0);
    EXPECT_TRUE(stream.write("{\"a\":1}\n"));
    EXPECT_EQ(socket.receive_until("\n\r\n"), "8\r\n{\"a\":1}\n\r\n");
    std::thread other([stream] { stream.write("{\"b\":2}\n"); });
    other.join();
    EXPECT_EQ(socket.receive_until("\n\r\n"), "8\r\n{\"b\":2}\n\r\n");
    stream.close();
    EXPECT_EQ(socket.receive_until("0\r\n\r\n"), "0\r\n\r\n");
    EXPECT_FALSE(stream.write("more"));
    EXPECT_EQ(body_of(socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), "hello");
    EXPECT_EQ(test.closed, 1);
}

TEST(Streams, EndWhenTheLastCopyIsDropped) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    test.stream(0).write("x");
    test.drop_all();
    const std::string answer = socket.receive_all();
    EXPECT_EQ(body_of(answer), "1\r\nx\r\n0\r\n\r\n");
    EXPECT_EQ(test.closed, 1);
}

TEST(Streams, LastUntilTheConnectionEndsForOldClients) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.0\r\n\r\n");
    test.stream(0).write("plain ");
    test.stream(0).write("text");
    test.stream(0).close();
    EXPECT_EQ(body_of(socket.receive_all()), "plain text");
}

TEST(Streams, TellWhenTheClientHasGone) {
    StreamServer test;
    {
        RawSocket socket = test.server.connect();
        socket.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
        socket.receive_until("\r\n\r\n");
        EXPECT_EQ(test.closed, 0);
        EXPECT_EQ(test.server.server.stats().streams, 1u);
    }
    EXPECT_TRUE(eventually([&] { return test.closed == 1; }));
    EXPECT_FALSE(test.stream(0).open());
    EXPECT_FALSE(test.stream(0).write("x"));
    EXPECT_EQ(test.server.server.stats().streams, 0u);
    std::atomic<bool> told{false};
    test.stream(0).on_closed([&] { told = true; });
    EXPECT_TRUE(told) << "asking after the end is answered too";
}

TEST(Streams, DropASlowReaderWhileOthersGoOn) {
    ServerOptions options;
    options.limits.stream_queue_bytes = 100'000;
    StreamServer test(options);
    RawSocket slow = test.server.connect(4096);
    RawSocket quick = test.server.connect();
    slow.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    slow.receive_until("\r\n\r\n");
    const Stream to_slow = test.stream(0);
    quick.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    quick.receive_until("\r\n\r\n");
    const Stream to_quick = test.stream(1);

    std::atomic<bool> done{false};
    std::thread reader([&] {
        std::string tail;
        while (!done) {
            const std::string more = quick.receive_some(100ms);
            tail += more;
            if (tail.size() > 100) tail.erase(0, tail.size() - 100);
            if (tail.find("finish") != tail.npos) done = true;
        }
    });
    const SharedText piece = share(std::string(10'000, 'x'));
    EXPECT_TRUE(eventually(
        [&] {
            to_slow.write(piece);
            if (to_quick.queued_bytes() < 50'000) to_quick.write(piece);
            return !to_slow.open();
        },
        20s));
    EXPECT_TRUE(eventually([&] { return test.closed == 1; }));
    EXPECT_TRUE(eventually([&] { return to_quick.queued_bytes() == 0; }));
    EXPECT_TRUE(to_quick.write("finish"));
    EXPECT_TRUE(eventually([&] { return done.load(); }));
    done = true;
    reader.join();
    EXPECT_EQ(test.server.server.stats().slow_readers, 1u);
}

TEST(Streams, DropAReaderThatStopsReading) {
    ServerOptions options;
    options.limits.stream_queue_age = 500ms;
    StreamServer test(options);
    RawSocket socket = test.server.connect(4096);
    socket.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    test.stream(0).write(std::string(8'000'000, 'x'));  // one write may be of any size
    EXPECT_TRUE(eventually([&] { return test.closed == 1; }));
}

TEST(Streams, FeedBigExportsAsTheyDrain) {
    constexpr int kPortions = 200;
    TestServer server([](Router& router) {
        router.get("/export", [](const RequestPtr&, Responder responder) {
            const Stream stream = responder.stream(Response(200));
            const auto sent = std::make_shared<int>(0);
            stream.on_drained([stream, sent] {
                if (*sent == kPortions) return stream.close();
                stream.write(std::string(50'000, static_cast<char>('a' + *sent % 26)));
                ++*sent;
            });
        });
    });
    HttpClient client(server.loops);
    const ClientResult result = client.fetch({.url = server.url("/export")});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->body.size(), std::size_t{kPortions} * 50'000);
    EXPECT_EQ(server.server.stats().streams, 0u);
}

TEST(Streams, KeepQuietConnectionsAlive) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    socket.receive_until("\r\n\r\n");
    test.stream(0).keep_alive(300ms, ":\n\n");
    EXPECT_EQ(socket.receive_until("\n\r\n", 2s), "3\r\n:\n\n\r\n");
    EXPECT_EQ(socket.receive_until("\n\r\n", 2s), "3\r\n:\n\n\r\n");
}

TEST(Streams, GiveHeadRequestsTheHeadAlone) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(status_of(socket.receive_until("\r\n\r\n")), 200);
    EXPECT_TRUE(eventually([&] { return test.closed == 1; }));
    EXPECT_EQ(body_of(socket.ask("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")), "hello");
}

TEST(Streams, DoNotLetAWatchingReadSlipIntoAWebSocket) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    socket.receive_until("\r\n\r\n");
    socket.send(upgrade_request());  // pipelined behind a stream that goes on
    test.stream(0).write("x");
    socket.receive_until("x\r\n");
    test.drop_all();
    const std::string rest = socket.receive_until("\r\n\r\n") + socket.receive_until("\r\n\r\n");
    EXPECT_EQ(rest.find("101"), rest.npos) << rest;
    EXPECT_NE(rest.find("HTTP/1.1 400"), rest.npos) << rest;
}

TEST(Streams, SurviveManyWritersAtOnce) {
    StreamServer test;
    RawSocket socket = test.server.connect();
    socket.send("GET /stream HTTP/1.0\r\n\r\n");
    const Stream stream = test.stream(0);
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i)
        writers.emplace_back([stream, i] {
            for (int k = 0; k < 1000; ++k) stream.write("line " + std::to_string(i) + "\n");
        });
    for (std::thread& writer : writers) writer.join();
    stream.close();
    const std::string body = body_of(socket.receive_all());
    EXPECT_EQ(std::count(body.begin(), body.end(), '\n'), 4000);
    EXPECT_EQ(body.size(), 4000u * 7);
}

TEST(Streams, ReachLineReaders) {
    StreamServer test;
    HttpClient client(test.server.loops);
    std::mutex mutex;
    std::vector<std::string> lines;
    std::promise<std::optional<ClientError>> ended;
    LineEvents events;
    events.on_head = [](const ClientResponse& head) { EXPECT_EQ(head.status, 200); };
    events.on_line = [&](std::string_view line) {
        const std::lock_guard lock(mutex);
        lines.emplace_back(line);
    };
    events.on_end = [&](std::optional<ClientError> error) { ended.set_value(std::move(error)); };
    const auto handle = client.stream_lines({.url = test.server.url("/stream")}, events);
    const Stream stream = test.stream(0);
    stream.write("one\ntwo\r\n\nthr");
    stream.write("ee\nfour");
    stream.close();
    EXPECT_FALSE(ended.get_future().get().has_value());
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "", "three", "four"}));
}

TEST(Streams, CanBeCancelledByTheReader) {
    StreamServer test;
    HttpClient client(test.server.loops);
    std::promise<std::optional<ClientError>> ended;
    LineEvents events;
    events.on_end = [&](std::optional<ClientError> error) { ended.set_value(std::move(error)); };
    auto handle = client.stream_lines({.url = test.server.url("/stream")}, events);
    test.stream(0).write("x\n");
    handle.reset();
    const std::optional<ClientError> error = ended.get_future().get();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind, ClientError::Kind::kClosed);
    EXPECT_TRUE(eventually([&] { return test.closed == 1; }));
}

}  // namespace
}  // namespace rokada::net::test
