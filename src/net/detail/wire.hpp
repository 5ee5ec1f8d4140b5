// SPDX-License-Identifier: GPL-3.0-or-later
// Small parts of speaking HTTP on the server's side: heads of responses, what proxies tell, default
// errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.hpp"
#include "net/http.hpp"

namespace rokada::net::detail {

struct Framing {
    std::optional<std::size_t> content_length;  // none: chunked, or until the end of the connection
    bool chunked = false;
    bool close = false;       // says "Connection: close"
    bool keep_alive = false;  // says "Connection: keep-alive", for HTTP/1.0
};

// Status line, fields, empty line. Fields that frame the message are ours: those the application
// set are left out. So are fields that would break the head apart (line breaks in a value); returns
// false if there were any.
bool append_head(std::string& out, const Response& response, const Framing& framing);

// True for answers that have no body by definition.
bool bodyless(int status);

// Sets remote, tls and proxied. Forwarding fields from anybody but a trusted proxy are removed.
void apply_forwarded(Request& request, const std::vector<AddressRange>& trusted, bool encrypted);

bool is_token(std::string_view text);        // RFC 9110 field names
bool is_field_value(std::string_view text);  // no control characters but tab

// A problem with a code such as "not_found"; the detail is optional.
Response default_error(int status, std::string_view detail = {});

}  // namespace rokada::net::detail
