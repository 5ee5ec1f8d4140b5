// SPDX-License-Identifier: GPL-3.0-or-later
// The network layer alone, on loopback with one server thread: small JSON answers, WebSocket echo,
// and what an idle WebSocket costs in memory. The client is a bare socket, so that nearly all the
// work is the server's.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/json.hpp"
#include "net/server.hpp"

namespace rokada::net {
namespace {

constexpr std::string_view kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

struct Site {
    Site() : server(loops, routes(), limits()), port(*server.listen({"127.0.0.1", 0, false})) {}
    ~Site() { server.stop(std::chrono::milliseconds(100)); }

    static ServerOptions limits() {
        ServerOptions options;
        options.limits.connections_per_address = 100'000;
        return options;
    }
    static Router routes() {
        Router router;
        router.get("/hello", [](const RequestPtr&, Responder responder) {
            responder.send(json_response(200, {{"message", "hello"}, {"number", 42}}));
        });
        router.websocket("/ws", [](const RequestPtr&, Upgrader upgrader) {
            WebSocketEvents events;
            events.on_message = [](const WebSocketPtr& socket, std::string_view text) {
                socket->send(std::string(text));
            };
            upgrader.accept(std::move(events));
        });
        return router;
    }
    int connect() const {
        const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            std::perror("connect");
        return descriptor;
    }

    Loops loops{1};
    Server server;
    std::uint16_t port;
};

// Reads until so many copies of the mark have come.
void receive_marks(int descriptor, std::string_view mark, std::size_t count) {
    static std::string buffer(256 * 1024, '\0');
    std::string tail;
    while (count > 0) {
        const ssize_t got = ::recv(descriptor, buffer.data(), buffer.size(), 0);
        if (got <= 0) return;
        tail.append(buffer.data(), static_cast<std::size_t>(got));
        std::size_t from = 0;
        for (std::size_t at = 0; count > 0 && (at = tail.find(mark, from)) != tail.npos;
             from = at + mark.size())
            --count;
        tail.erase(0,
                   std::max(from, tail.size() < mark.size() ? 0 : tail.size() - mark.size() + 1));
    }
}

double seconds_of_process() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Bytes of memory that is really there.
double resident() {
    long pages = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void per_cpu_second(benchmark::State& state, double begin) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
    state.counters["per_cpu_second"] = static_cast<double>(state.iterations()) *
                                       static_cast<double>(state.range(0)) /
                                       (seconds_of_process() - begin);
}

// The argument is how many requests are on their way at once.
void hello(benchmark::State& state) {
    const Site site;
    const int descriptor = site.connect();
    std::string requests;
    for (int i = 0; i < state.range(0); ++i)
        requests +=
            "GET /hello HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n";
    const double begin = seconds_of_process();
    for (auto _ : state) {
        if (::send(descriptor, requests.data(), requests.size(), MSG_NOSIGNAL) < 0)
            state.SkipWithError("send");
        receive_marks(descriptor, "}", static_cast<std::size_t>(state.range(0)));
    }
    per_cpu_second(state, begin);
    ::close(descriptor);
}
BENCHMARK(hello)->Arg(1)->Arg(64)->UseRealTime();

void websocket_echo(benchmark::State& state) {
    const Site site;
    const int descriptor = site.connect();
    ::send(descriptor, kUpgrade.data(), kUpgrade.size(), MSG_NOSIGNAL);
    receive_marks(descriptor, "\r\n\r\n", 1);
    // Masked with zeros: the text stays as it is.
    const std::string text = R"({"t":"move","game":"abcdefgh","ply":12,"uci":"e2e4"})";
    const std::string frame =
        std::string("\x81") + static_cast<char>(0x80 + text.size()) + std::string(4, '\0') + text;
    std::string frames;
    for (int i = 0; i < state.range(0); ++i) frames += frame;
    const double begin = seconds_of_process();
    for (auto _ : state) {
        if (::send(descriptor, frames.data(), frames.size(), MSG_NOSIGNAL) < 0)
            state.SkipWithError("send");
        receive_marks(descriptor, "}", static_cast<std::size_t>(state.range(0)));
    }
    per_cpu_second(state, begin);
    ::close(descriptor);
}
BENCHMARK(websocket_echo)->Arg(1)->Arg(64)->UseRealTime();

// Resident memory of the server for each open socket; the client's ends are kernel memory only.
void idle_websocket(benchmark::State& state) {
    for (auto _ : state) {
        const Site site;
        std::vector<int> descriptors;
        const auto open = [&](int count) {
            for (int i = 0; i < count; ++i) {
                descriptors.push_back(site.connect());
                ::send(descriptors.back(), kUpgrade.data(), kUpgrade.size(), MSG_NOSIGNAL);
                receive_marks(descriptors.back(), "\r\n\r\n", 1);
            }
        };
        open(100);  // what the first ones cost once
        const double before = resident();
        const int count = static_cast<int>(state.range(0));
        open(count);
        state.counters["bytes_each"] = (resident() - before) / count;
        for (const int descriptor : descriptors) ::close(descriptor);
    }
}
BENCHMARK(idle_websocket)->Arg(400)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rokada::net

BENCHMARK_MAIN();
