// SPDX-License-Identifier: GPL-3.0-or-later
// Titles and descriptions of the pages of games and users, filled in by the server, so that links shared
// elsewhere say what they are before any script runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/asset.hpp"
#include "net/router.hpp"
#include "server/api/api.hpp"

namespace rokada::server {

// The page with this title and description in place of its own.
std::string with_head(std::string_view page, std::string_view title, std::string_view description);

void add_page_heads(net::Router& router, ApiServices& api,
                    const std::shared_ptr<const net::AssetStore>& assets);

}  // namespace rokada::server
