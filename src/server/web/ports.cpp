// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/ports.hpp"

#include <utility>

namespace rokada::server {

Result<Ports, std::string> take_ports(const SiteOptions& options) {
    const bool tls = !options.tls_certificate.empty();
    Ports ports;
    std::uint16_t wanted = options.port;
    for (const std::string& host : options.hosts) {
        auto taken = net::TakenPort::take({host, wanted, tls});
        if (!taken && taken.error().kind == net::ListenError::Kind::kInUse) {
            const auto free = net::next_free_port(host, static_cast<std::uint16_t>(wanted + 1));
            return Error{"port " + std::to_string(wanted) + " is in use" +
                         (free ? "; --port " + std::to_string(*free) + " is free" : "")};
        }
        if (!taken) return Error{taken.error().message};
        wanted = taken->port();
        ports.visitors.push_back(std::move(*taken));
    }
    if (options.admin_port) {
        auto taken = net::TakenPort::take({"localhost", *options.admin_port, false});
        if (!taken) return Error{"--admin-port: " + taken.error().message};
        ports.admin = std::move(*taken);
    }
    return ports;
}

}  // namespace rokada::server
