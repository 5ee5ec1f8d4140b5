// SPDX-License-Identifier: GPL-3.0-or-later
// The second door, for machines that watch over the server: metrics, details of health, version. Listens on
// loopback only and changes nothing.
#pragma once

#include <functional>
#include <string>

#include "net/router.hpp"

namespace rokada::server {

struct AdminView {
    std::function<std::string()> metrics;  // text format of Prometheus
    std::function<std::string()> details;  // one JSON object
    std::function<bool()> ready;
    std::string version;
};

net::Router make_admin_router(AdminView view);

}  // namespace rokada::server
