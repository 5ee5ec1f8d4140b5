// SPDX-License-Identifier: GPL-3.0-or-later
// The checks every request passes and the headers every response carries: unknown hosts (DNS
// rebinding), requests forged by other sites, content policy, isolation, caching.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/http.hpp"

namespace rokada::server {

class Security {
  public:
    // Names under which this server may be reached, besides addresses and localhost.
    explicit Security(std::vector<std::string> host_names);

    // The refusal, if the request must not go on.
    std::optional<net::Response> check(const net::Request& request) const;
    bool same_origin(const net::Request& request) const;
    // For the live socket: a foreign origin never, none only without a cookie.
    bool may_upgrade(const net::Request& request) const;
    // request is null when there was none that could be read.
    void add_headers(const net::Request* request, net::Response& response) const;

    bool known_host(std::string_view host) const;

  private:
    std::vector<std::string> host_names_;
};

// This machine's own names: its host name, alone and with ".local".
std::vector<std::string> own_host_names();

}  // namespace rokada::server
