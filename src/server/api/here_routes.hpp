// SPDX-License-Identifier: GPL-3.0-or-later
// Who is here, for people who look for an opponent. Used by the site.
#pragma once

#include "server/api/api.hpp"

namespace rokada::server {

void add_here_routes(net::Router& router, ApiServices& api);

}  // namespace rokada::server
