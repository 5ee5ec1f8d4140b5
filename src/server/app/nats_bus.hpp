// SPDX-License-Identifier: GPL-3.0-or-later
// The event bus of several servers on one database: what is said here is heard here at once and, over
// NATS, on every other node. While NATS is away the nodes are deaf to each other, nothing more; when
// it is back every listener is told of a gap, also those of the others. Used in place of LocalBus with --bus.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/nats_client.hpp"
#include "server/app/event_bus.hpp"

namespace rokada::server {

struct NatsBusOptions {
    net::NatsOptions nats;
    std::string realm;  // the same for all nodes of one site, another for another site
    std::function<void(bool connected, const std::string& why)> on_state;
};

class NatsBus final : public EventBus {
  public:
    NatsBus(net::Executor executor, NatsBusOptions options);
    ~NatsBus() override;

    // Of others it is not known, and then said to be so, unless somebody keeps account of them.
    bool wanted(const std::string& topic) const override;
    void publish(const std::string& topic, const BusMessage& message) override;
    std::unique_ptr<Subscription> subscribe(const std::string& topic, Listener listener) override;
    std::unique_ptr<Subscription> serve(const std::string& topic, Clerk clerk) override;
    void ask(const std::string& topic, std::string_view question, Millis patience,
             Answered answered) override;
    void lose_track() override;

    // Keeps account of who listens on other nodes. Once, before anybody subscribes to what is counted.
    struct Account {
        // The first listener of a topic came to this node, or the last one left it.
        std::function<void(const std::string& topic, bool listens)> here;
        std::function<bool(const std::string& topic)> elsewhere;
    };
    void keep(Account account);

    bool connected() const;
    net::NatsClient::Counters counters() const;

  private:
    struct Shared;
    class Ear;
    class Desk;
    std::shared_ptr<Shared> shared_;
};

// As it travels; for tests. Nothing when the bytes are none of ours.
std::string encode_bus_message(const BusMessage& message);
std::optional<BusMessage> decode_bus_message(std::string_view bytes);
// What `ask` answers may be such a message (BusMessage::answers): its text. Nothing: it is none.
std::optional<std::string_view> event_in_answer(std::string_view answer);

}  // namespace rokada::server
