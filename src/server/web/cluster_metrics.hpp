// SPDX-License-Identifier: GPL-3.0-or-later
// What one of several servers tells about the others and the way to them. Used by Site for /metrics.
#pragma once

#include "server/api/relay.hpp"
#include "server/app/cluster_node.hpp"
#include "server/app/metrics.hpp"
#include "server/app/nats_bus.hpp"

namespace rokada::server {

void write_cluster_metrics(MetricsText& text, const ClusterNode& node, const NatsBus& bus,
                           const Relay& relay);

}  // namespace rokada::server
