// SPDX-License-Identifier: GPL-3.0-or-later
// The small languages inside HTTP: URLs, percent encoding, query strings, cookies, header lists.
// Used by server and client. Every function accepts any bytes and never throws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.hpp"

namespace rokada::net {

bool equal_ignoring_case(std::string_view a, std::string_view b);  // ASCII
std::string_view trim(std::string_view text);                      // spaces and tabs

// Bytes outside RFC 3986 "unreserved" become %XX.
std::string percent_encode(std::string_view text);
// None if a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);

// The path of a request target, decoded: begins with '/', valid UTF-8, no NUL, no empty-named
// escapes, no
// "." or ".." segments, no encoded '/'. None otherwise: such targets are refused, never repaired.
std::optional<std::string> decode_path(std::string_view encoded);

// a=1&b=2; '+' is a space. None for broken escapes, invalid UTF-8 or more than max_pairs pairs.
std::optional<Pairs> parse_query(std::string_view text, std::size_t max_pairs = 64);
std::string build_query(const Pairs& pairs);

// name=value; name2=value2. Parts that are not cookies are left out; the first of a name wins.
Pairs parse_cookies(std::string_view header);

// Elements of a comma-separated header, trimmed, empty ones left out; commas inside quotes do not
// split.
std::vector<std::string_view> split_list(std::string_view header);
bool list_contains(std::string_view header, std::string_view token);  // ignoring case

// The quality a client gives to a coding or media type; nullopt: not acceptable (absent or q=0).
// For Accept-Encoding and Accept; wildcards are understood.
std::optional<double> quality(std::string_view header, std::string_view value);

// If-None-Match against one entity tag (weak comparison).
bool etag_matches(std::string_view header, std::string_view etag);

bool valid_utf8(std::string_view text);

struct Url {
    std::string scheme;  // http, https, ws, wss
    std::string host;    // without brackets
    std::uint16_t port = 0;
    std::string target;  // path and query, begins with '/'

    bool tls() const { return scheme == "https" || scheme == "wss"; }
    std::string authority() const;  // host[:port], port only if not the default
};
std::optional<Url> parse_url(std::string_view text);

}  // namespace rokada::net
