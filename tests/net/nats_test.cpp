// SPDX-License-Identifier: GPL-3.0-or-later
// The client of NATS: its parser against any bytes, its addresses, and servers that are slow, broken
// or gone. How it gets on with the real server is tested with the event bus.
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/nats_client.hpp"
#include "tests/net/nats_heard.hpp"
#include "tests/net/support.hpp"
#include "tests/server/private_nats.hpp"

namespace rokada::net::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kConversation =
    "INFO {\"a\":1}\r\nPING\r\nMSG a.b 7 5\r\nhe\r\no\r\nmsg c 8 _I.1 0\r\n\r\npong\r\n+OK\r\n"
    "HMSG d 9 16 16\r\nNATS/1.0 503\r\n\r\n\r\nHMSG e 10 r 14 17\r\nNATS/1.0\r\nA:\r\nxyz\r\n"
    "-ERR 'Stale Connection'\r\n";
const std::vector<std::string> kWords{
    "info {\"a\":1}", "ping",      "7 a.b  0 he\r\no", "8 c _I.1 0 ",
    "pong",           "9 d  503 ", "10 e r 0 xyz",     "error Stale Connection"};

TEST(NatsParser, ReadsTheSameInPiecesOfAnySize) {
    for (std::size_t size = 1; size <= kConversation.size(); ++size) {
        NatsParser parser;
        Heard heard;
        for (std::size_t at = 0; at < kConversation.size(); at += size)
            ASSERT_EQ(parser.feed(std::string_view(kConversation).substr(at, size), heard),
                      std::nullopt);
        EXPECT_EQ(heard.words, kWords) << size;
    }
}

TEST(NatsParser, ComplainsOnceAndReadsNoFurther) {
    const std::string broken[] = {
        "HELLO\r\n",
        "MSG a 1\r\n",
        "MSG a b 1\r\n",
        "MSG a 1 r 5 6\r\n",
        "MSG a 1 -1\r\n",
        "MSG a 1 99999999999999999999\r\n",
        "MSG a 1 9000000000\r\n",
        "HMSG a 1 9 8\r\n",
        "MSG a 1 1\r\nxy\r\n",
        std::string(NatsParser::kLineLimit, 'A'),
        std::string("\0\0\n", 3),
    };
    for (const std::string& bytes : broken) {
        NatsParser parser;
        Heard heard;
        const auto complaint = parser.feed(bytes, heard);
        ASSERT_TRUE(complaint) << bytes.substr(0, 40);
        EXPECT_EQ(parser.feed("PING\r\n", heard), complaint);
        EXPECT_TRUE(heard.words.empty());
    }
}

TEST(NatsParser, SurvivesConversationsDamagedAnywhere) {
    std::mt19937 random(3);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = kConversation;
        for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
        NatsParser parser(1024);
        Heard heard;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t size = 1 + random() % 40;
            if (parser.feed(std::string_view(bytes).substr(at, size), heard)) break;
            at += size;
        }
        EXPECT_LE(heard.words.size(), 200u);
    }
}

TEST(NatsUrl, ReadsListsOfServers) {
    const auto one = parse_nats_urls("nats://localhost");
    ASSERT_TRUE(one);
    EXPECT_EQ(one->servers.front().host, "localhost");
    EXPECT_EQ(one->servers.front().port, 4222);
    const auto three = parse_nats_urls("nats://me:p%40ss@a:1, tls://[::1]:2,10.0.0.1:3/");
    ASSERT_TRUE(three) << three.error();
    ASSERT_EQ(three->servers.size(), 3u);
    EXPECT_EQ(three->user, "me");
    EXPECT_EQ(three->password, "p@ss");
    EXPECT_EQ(three->servers[1].host, "::1");
    EXPECT_TRUE(three->servers[1].tls);
    EXPECT_FALSE(three->servers[2].tls);
    EXPECT_EQ(three->servers[2].port, 3);
    EXPECT_EQ(parse_nats_urls("nats://secret@h")->token, "secret");
    for (const char* wrong : {"", " , ", "http://h", "nats://", "nats://h:0", "nats://h:70000",
                              "h:x", "nats://[::1", "nats://a b", "nats://%zz@h", "nats://:x@h"})
        EXPECT_FALSE(parse_nats_urls(wrong)) << wrong;
}

TEST(NatsUrl, ErrorsDoNotShowPasswords) {
    const auto wrong = parse_nats_urls("nats://me:secret@h:port");
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error(), ::testing::Not(HasSubstr("secret")));
}

// A listening socket on which the test plays the server.
class FakeServer {
  public:
    FakeServer() {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port = ntohs(address.sin_port);
        const timeval patience{5, 0};
        ::setsockopt(listener_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    ~FakeServer() { ::close(listener_); }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    RawSocket accept() const { return RawSocket(::accept(listener_, nullptr, nullptr)); }
    // Up to the client's first PING, answered.
    RawSocket accept_client(std::string* said = nullptr) const {
        RawSocket socket = accept();
        socket.send("INFO {\"server_id\":\"x\"}\r\n");
        const std::string heard = socket.receive_until("PING\r\n");
        if (said != nullptr) *said = heard;
        socket.send("PONG\r\n");
        return socket;
    }
    NatsOptions options() const {
        NatsOptions result;
        result.servers.push_back({"127.0.0.1", port});
        result.ping_interval = 100ms;
        result.connect_timeout = 500ms;
        result.retry_min = 10ms;
        result.retry_max = 50ms;
        return result;
    }
    std::uint16_t port = 0;

  private:
    int listener_ = -1;
};

struct States {
    void add(bool connected, const std::string& why) {
        const std::lock_guard lock(mutex);
        all.push_back((connected ? "+" : "-") + why);
    }
    std::vector<std::string> get() {
        const std::lock_guard lock(mutex);
        return all;
    }
    NatsClient::StateHook hook() {
        return [this](bool connected, const std::string& why) { add(connected, why); };
    }
    std::mutex mutex;
    std::vector<std::string> all;
};

TEST(NatsClient, IntroducesItselfSubscribesAndIsNotConnectedBeforeTheAnswer) {
    FakeServer server;
    Loops loops(1);
    NatsOptions options = server.options();
    options.user = "me";
    options.password = "\"quoted\"";
    NatsClient client(loops.executor(0), options);
    client.subscribe("a.b", [](const NatsMessage&) {});
    EXPECT_FALSE(client.publish("a", "lost"));
    std::string said;
    const RawSocket socket = server.accept_client(&said);
    EXPECT_THAT(said, HasSubstr("CONNECT {"));
    EXPECT_THAT(said, HasSubstr(R"("echo":false)"));
    EXPECT_THAT(said, HasSubstr(R"("pass":"\"quoted\"")"));
    EXPECT_THAT(said, HasSubstr("SUB a.b 2\r\n"));
    EXPECT_TRUE(eventually([&] { return client.connected(); }));
}

TEST(NatsClient, ComesBackAfterEveryKindOfBadServer) {
    FakeServer server;
    Loops loops(1);
    States states;
    NatsClient client(loops.executor(0), server.options(), states.hook());
    server.accept().close();                           // hangs up at once
    server.accept().send("HTTP/1.1 400 Bad\r\n\r\n");  // something else
    server.accept().send("INFO nonsense\r\n");
    {
        const RawSocket silent = server.accept();  // says nothing at all
        EXPECT_TRUE(silent.open());
    }
    {
        RawSocket refusing = server.accept();
        refusing.send("INFO {}\r\n");
        refusing.receive_until("PING\r\n");
        refusing.send("-ERR 'Authorization Violation'\r\n");
    }
    {
        RawSocket leaving = server.accept_client();
        EXPECT_TRUE(eventually([&] { return client.connected(); }));
        leaving.send("INFO {\"ldm\":true}\r\n");
        EXPECT_TRUE(leaving.closed_within(2s));
    }
    {
        const RawSocket mute = server.accept_client();  // never answers again
        EXPECT_TRUE(eventually([&] { return client.counters().connects == 2; }));
        EXPECT_TRUE(eventually([&] { return !client.connected(); }));
    }
    const RawSocket good = server.accept_client();
    EXPECT_TRUE(eventually([&] { return client.counters().connects == 3; }));
    const auto told = states.get();
    ASSERT_GE(told.size(), 6u);
    EXPECT_EQ(told.front().front(), '-');
    for (std::size_t i = 1; i < told.size(); ++i)
        EXPECT_NE(told[i].front(), told[i - 1].front()) << "each change is told once";
    EXPECT_THAT(told, ::testing::Contains("-the server is going down"));
    EXPECT_THAT(told, ::testing::Contains("-the server is silent"));
}

TEST(NatsClient, AnswersReachTheirQuestionAndEveryQuestionEndsOnce) {
    FakeServer server;
    Loops loops(1);
    NatsClient client(loops.executor(0), server.options());
    RawSocket socket = server.accept_client();
    ASSERT_TRUE(eventually([&] { return client.connected(); }));
    std::mutex mutex;
    std::vector<std::string> answers;
    const auto ask = [&](const std::string& name, Milliseconds patience) {
        client.request("q", name, patience, [&, name](std::optional<std::string_view> answer) {
            const std::lock_guard lock(mutex);
            answers.push_back(name + "=" + (answer ? std::string(*answer) : "none"));
        });
        const std::string said = socket.receive_until(name + "\r\n");
        const std::size_t begin = said.find("_INBOX");
        return said.substr(begin, said.find(' ', begin) - begin);
    };
    const auto count = [&] {
        const std::lock_guard lock(mutex);
        return answers.size();
    };
    const std::string first = ask("first", 5s);
    const std::string second = ask("second", 5s);
    const std::string third = ask("third", 5s);
    socket.send("MSG " + second + " 1 3\r\nyes\r\n");
    socket.send("HMSG " + first + " 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n");
    socket.send("MSG " + second + " 1 5\r\nagain\r\nMSG " + first + "x 1 1\r\n?\r\n");
    EXPECT_TRUE(eventually([&] { return count() == 2; }));
    ask("fourth", 30ms);
    EXPECT_TRUE(eventually([&] { return count() == 3; }));
    socket.close();  // nobody will answer the third one now
    EXPECT_TRUE(eventually([&] { return count() == 4; }));
    client.request("q", "x", 5s, [&](std::optional<std::string_view> answer) {
        const std::lock_guard lock(mutex);
        answers.push_back(answer ? "heard" : "cut off");
    });
    EXPECT_TRUE(eventually([&] { return count() == 5; }));
    EXPECT_THAT(answers,
                ElementsAre("second=yes", "first=none", "fourth=none", "third=none", "cut off"));
    EXPECT_FALSE(third.empty());
}

TEST(NatsClient, AnswersMayComeInAnyOrderAndAfterTheirTimeAreNone) {
    FakeServer server;
    Loops loops(1);
    NatsClient client(loops.executor(0), server.options());
    RawSocket socket = server.accept_client();
    ASSERT_TRUE(eventually([&] { return client.connected(); }));
    constexpr int kQuestions = 100;
    std::mutex mutex;
    std::vector<int> answered(kQuestions + 1, 0);
    std::vector<std::string> inboxes;
    for (int i = 0; i <= kQuestions; ++i) {
        const std::string name = std::to_string(i);
        // The first one waits for longer than all others, the last one not at all.
        client.request("q", name, i == kQuestions ? 1ms : 60s,
                       [&, i, name](std::optional<std::string_view> answer) {
                           const std::lock_guard lock(mutex);
                           if ((i == kQuestions) == !answer && answer.value_or(name) == name)
                               ++answered[static_cast<std::size_t>(i)];
                       });
        const std::string said = socket.receive_until("\r\n" + name + "\r\n");
        const std::size_t begin = said.find("_INBOX");
        inboxes.push_back(said.substr(begin, said.find(' ', begin) - begin));
    }
    const auto count = [&] {
        const std::lock_guard lock(mutex);
        return std::accumulate(answered.begin(), answered.end(), 0);
    };
    EXPECT_TRUE(eventually([&] { return count() == 1; }));
    for (int i = kQuestions; i >= 0; --i) {
        const std::string name = std::to_string(i);
        const std::string answer = "MSG " + inboxes[static_cast<std::size_t>(i)] + " 1 " +
                                   std::to_string(name.size()) + "\r\n" + name + "\r\n";
        socket.send(answer + answer);
    }
    EXPECT_TRUE(eventually([&] { return count() == kQuestions + 1; }));
    const std::lock_guard lock(mutex);
    EXPECT_THAT(answered, ::testing::Each(1)) << "each its own answer, once";
}

TEST(NatsClient, WhatIsToldToOthersMayAnswerAQuestionToo) {
    FakeServer server;
    Loops loops(1);
    NatsClient client(loops.executor(0), server.options());
    std::mutex mutex;
    std::vector<std::string> heard;
    const auto add = [&](const std::string& what) {
        const std::lock_guard lock(mutex);
        heard.push_back(what);
    };
    client.subscribe("event",
                     [&](const NatsMessage& m) { add("event " + std::string(m.payload)); });
    RawSocket socket = server.accept_client();
    ASSERT_TRUE(eventually([&] { return client.connected(); }));
    client.request("q", "?", 5s, [&](std::optional<std::string_view> answer) {
        add("answer " + std::string(answer.value_or("none")));
    });
    const std::string said = socket.receive_until("?\r\n");
    const std::size_t begin = said.find("_INBOX");
    const std::string inbox = said.substr(begin, said.find(' ', begin) - begin);
    socket.send("MSG event 2 _INBOX.somebodyelse.1 1\r\na\r\nMSG event 2 " + inbox +
                " 1\r\nb\r\nMSG event 2 " + inbox + " 1\r\nc\r\n");
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return heard.size() == 4;
    }));
    const std::lock_guard lock(mutex);
    EXPECT_THAT(heard, ElementsAre("event a", "answer b", "event b", "event c"));
}

TEST(NatsClient, WhatIsGatheredLeavesSoonWholeAndInOrder) {
    FakeServer server;
    Loops loops(1);
    NatsOptions options = server.options();
    options.ping_interval = 10s;
    NatsClient client(loops.executor(0), options);
    RawSocket socket = server.accept_client();
    ASSERT_TRUE(eventually([&] { return client.connected(); }));
    for (int round = 0; round < 50; ++round) {
        std::string expected;
        for (int i = 0; i < 20; ++i) {
            const std::string text = std::to_string(round * 100 + i);
            ASSERT_TRUE(client.publish("a", text));
            expected += "PUB a " + std::to_string(text.size()) + "\r\n" + text + "\r\n";
        }
        // The last one of each burst, too, although nothing follows it.
        const std::string last = "\r\n" + std::to_string(round * 100 + 19) + "\r\n";
        ASSERT_EQ(socket.receive_until(last), expected);
    }
}

TEST(NatsClient, AServerThatDoesNotReadIsGivenUp) {
    FakeServer server;
    Loops loops(1);
    NatsOptions options = server.options();
    options.most_unsent = 1 << 20;
    options.ping_interval = 10s;
    NatsClient client(loops.executor(0), options);
    const RawSocket socket = server.accept_client();
    ASSERT_TRUE(eventually([&] { return client.connected(); }));
    const std::string big(64 * 1024, 'x');
    std::size_t sent = 0;
    while (client.publish("a", big) && sent < 100'000'000) sent += big.size();
    EXPECT_LT(sent, 100'000'000u);
    EXPECT_FALSE(client.connected());
    const RawSocket again = server.accept_client();
    EXPECT_TRUE(eventually([&] { return client.connected(); }));
}

TEST(NatsClient, SpeaksTlsWithAServerThatAsksForItAndChecksWhoItIs) {
    if (!server::test::PrivateNats::installed()) GTEST_SKIP() << "nats-server is not installed";
    const TestCertificate certificate;
    const server::test::PrivateNats nats(
        1, {"--tls", "--tlscert", certificate.certificate(), "--tlskey", certificate.key()});
    Loops loops(1);
    NatsOptions options = *parse_nats_urls(nats.url());
    States states;
    const NatsClient distrustful(loops.executor(0), options, states.hook());
    options.tls.ca_file = certificate.certificate();
    NatsClient speaker(loops.executor(0), options), listener(loops.executor(0), options);
    std::mutex mutex;
    std::string heard;
    listener.subscribe("a", [&](const NatsMessage& message) {
        const std::lock_guard lock(mutex);
        heard = message.payload;
    });
    ASSERT_TRUE(eventually([&] { return speaker.connected() && listener.connected(); }));
    const std::string big(100'000, 'x');
    EXPECT_TRUE(speaker.publish("a", big));
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return heard == big;
    }));
    EXPECT_TRUE(eventually([&] { return !states.get().empty(); }));
    EXPECT_THAT(states.get().front(), HasSubstr("TLS"));
    EXPECT_FALSE(distrustful.connected());
}

}  // namespace
}  // namespace rokada::net::test
