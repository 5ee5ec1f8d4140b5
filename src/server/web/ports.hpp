// SPDX-License-Identifier: GPL-3.0-or-later
// The ports of a site, taken before its data is touched. Used by Site::start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/server.hpp"
#include "server/web/site.hpp"

namespace rokada::server {

struct Ports {
    std::vector<net::TakenPort> visitors;  // the same one on each of the hosts
    std::optional<net::TakenPort> admin;
};

// The reason is one clear line for the user and names a port that is free.
Result<Ports, std::string> take_ports(const SiteOptions& options);

}  // namespace rokada::server
