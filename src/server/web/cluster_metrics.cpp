// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/cluster_metrics.hpp"

namespace rokada::server {

void write_cluster_metrics(MetricsText& text, const ClusterNode& node, const NatsBus& bus,
                           const Relay& relay) {
    const auto count = [](auto value) { return static_cast<double>(value); };
    text.gauge("rokada_lease", "1 while this server's lease runs.", node.holds_lease() ? 1 : 0);
    text.gauge("rokada_aside", "1 while it is cut off from the others and left its games to them.",
               node.aside() ? 1 : 0);
    const net::NatsClient::Counters carried = bus.counters();
    text.gauge("rokada_bus_connected", "1 while NATS is there.", bus.connected() ? 1 : 0);
    text.counter("rokada_bus_connects_total", "Connections made to it.", count(carried.connects));
    text.counter("rokada_bus_sent_total", "Messages sent.", count(carried.sent));
    text.counter("rokada_bus_received_total", "Messages heard.", count(carried.received));
    text.counter("rokada_bus_dropped_total", "Not sent: it was away.", count(carried.dropped));
    const Relay::Counters& relayed = relay.counters();
    text.counter("rokada_relay_passed_on_total", "Asked of the server that runs the game.",
                 count(relayed.passed_on.load()));
    text.counter("rokada_relay_tried_again_total", "Of these, another time.",
                 count(relayed.tried_again.load()));
    text.counter("rokada_relay_given_up_total", "Of these, refused in the end.",
                 count(relayed.given_up.load()));
    text.counter("rokada_relay_answered_total", "Questions of other servers.",
                 count(relayed.answered.load()));
}

}  // namespace rokada::server
