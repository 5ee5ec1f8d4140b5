// SPDX-License-Identifier: GPL-3.0-or-later
// A client of NATS core: publish, subscribe, ask and answer over one connection on one of our loops.
// Finds its way back by itself, to another server of the cluster if need be; subscriptions stay,
// what was said meanwhile is lost. Safe from any thread. Used by the server's event bus.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/result.hpp"
#include "net/loop.hpp"
#include "net/nats_parser.hpp"
#include "net/tls.hpp"

namespace rokada::net {

struct NatsServer {
    std::string host;  // without brackets
    std::uint16_t port = 4222;
    bool tls = false;  // asked for; a server that insists gets it in any case
};

struct NatsOptions {
    std::vector<NatsServer> servers;  // tried in turn; others of the cluster are learnt from them
    std::string user, password, token;
    std::string name = "rokada";  // shown in the server's list of connections
    TlsClientOptions tls;
    Milliseconds connect_timeout{2000};
    Milliseconds ping_interval{1000};  // silence of three ends the connection
    Milliseconds retry_min{50}, retry_max{1000};
    std::size_t most_unsent = std::size_t{16} << 20;  // bytes; more: the connection is given up
};

// "nats://user:password@host:4222,tls://host2": what is left out has its default. The error is one
// clear line.
Result<NatsOptions, std::string> parse_nats_urls(std::string_view text);

class NatsClient {
  public:
    // On the loop's thread; must be quick. Views last as long as the call.
    using Handler = std::function<void(const NatsMessage& message)>;
    // Connected, or not and why. Once for each change.
    using StateHook = std::function<void(bool connected, const std::string& why)>;
    // Nothing: no answer in time, nobody there, or not connected. Exactly once, on the loop's thread.
    using Answered = std::function<void(std::optional<std::string_view> answer)>;

    NatsClient(Executor executor, NatsOptions options, StateHook on_state = {});
    ~NatsClient();  // what is still unsaid is dropped; a handler may still be running
    NatsClient(const NatsClient&) = delete;
    NatsClient& operator=(const NatsClient&) = delete;

    bool connected() const;
    // Leaves at once after a quiet moment, else a millisecond later with whatever else is said by then.
    // False when not connected or too long for the server: then it is dropped. Subjects are tokens joined by dots, no spaces.
    bool publish(std::string_view subject, std::string_view payload, std::string_view reply = {}) {
        return publish({subject}, {payload}, reply);
    }
    // The same from pieces that follow each other without a gap, so that nobody need put them together.
    using Pieces = std::initializer_list<std::string_view>;
    bool publish(Pieces subject, Pieces payload, std::string_view reply = {});
    // Kept over reconnects until unsubscribe. After that call returns on the loop's thread the handler
    // is not called again; from elsewhere it may be running.
    std::uint64_t subscribe(std::string subject, Handler handler);
    void unsubscribe(std::uint64_t id);
    // A message to others is the answer as well if we hear it and its reply subject is that of the request.
    void request(std::string_view subject, std::string_view payload, Milliseconds patience,
                 Answered answered) {
        request({subject}, {payload}, patience, std::move(answered));
    }
    void request(Pieces subject, Pieces payload, Milliseconds patience, Answered answered);

    struct Counters {
        std::uint64_t connects = 0, sent = 0, received = 0, dropped = 0;
    };
    Counters counters() const;

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace rokada::net
