// SPDX-License-Identifier: GPL-3.0-or-later
// The API description as a page for people, made from the description itself: GET /api.
#pragma once

#include <string>
#include <string_view>

#include "net/router.hpp"

namespace rokada::server {

// Plain HTML without scripts; text of the description is escaped.
std::string api_page(std::string_view openapi_json);
void add_api_page(net::Router& router, std::string_view openapi_json);

// For element content and attribute values.
std::string html_escaped(std::string_view text);

}  // namespace rokada::server
