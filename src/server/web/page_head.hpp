// SPDX-License-Identifier: GPL-3.0-or-later
// Title, description and picture of the pages of games and users, filled in by the server, so that links shared
// elsewhere say what they are before any script runs. The picture of a game is its position: GET /game/ID/picture.png.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/asset.hpp"
#include "net/router.hpp"
#include "server/api/api.hpp"

namespace rokada::server {

struct PageHead {
    std::string title;
    std::string description;
    std::string picture;  // an address with scheme and host, as those who show previews want it
};

// The page with this title and description in place of its own, and once more in the words of previews (Open Graph).
std::string with_head(std::string_view page, const PageHead& head);

void add_page_heads(net::Router& router, ApiServices& api,
                    const std::shared_ptr<const net::AssetStore>& assets);

}  // namespace rokada::server
