// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/wire.hpp"

#include <algorithm>

#include "net/json.hpp"
#include "net/url.hpp"

namespace rokada::net::detail {

namespace {

bool frames_message(std::string_view name) {
    return equal_ignoring_case(name, "Content-Length") ||
           equal_ignoring_case(name, "Transfer-Encoding") ||
           equal_ignoring_case(name, "Connection") || equal_ignoring_case(name, "Keep-Alive");
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

// "1.2.3.4", "1.2.3.4:5678", "::1", "[::1]", "[::1]:5678"
std::optional<Address> parse_forwarded_address(std::string_view text) {
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        return end == text.npos ? std::nullopt : Address::parse(text.substr(1, end - 1));
    }
    if (std::count(text.begin(), text.end(), ':') == 1) text = text.substr(0, text.find(':'));
    return Address::parse(text);
}

std::string code_for(int status) {
    switch (status) {
        case 400: return "bad_request";
        case 413: return "body_too_large";
        case 414: return "uri_too_long";
        case 431: return "header_too_large";
        case 500: return "internal_error";
        case 503: return "unavailable";
        default: {
            std::string code(reason_phrase(status));
            for (char& c : code)
                c = c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
            return code;
        }
    }
}

}  // namespace

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

bool is_field_value(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte != 0x7f) || c == '\t';
    });
}

bool bodyless(int status) { return status < 200 || status == 204 || status == 304; }

bool append_head(std::string& out, const Response& response, const Framing& framing) {
    bool clean = true;
    out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
    out.append(reason_phrase(response.status)).append("\r\n");
    for (const Header& field : response.headers) {
        if (frames_message(field.name)) continue;
        if (!is_token(field.name) || !is_field_value(field.value)) {
            clean = false;
            continue;
        }
        append_field(out, field.name, field.value);
    }
    if (framing.content_length)
        append_field(out, "Content-Length", std::to_string(*framing.content_length));
    if (framing.chunked) append_field(out, "Transfer-Encoding", "chunked");
    if (framing.close) append_field(out, "Connection", "close");
    if (framing.keep_alive) append_field(out, "Connection", "keep-alive");
    out.append("\r\n");
    return clean;
}

void apply_forwarded(Request& request, const std::vector<AddressRange>& trusted, bool encrypted) {
    request.remote = request.peer;
    request.tls = encrypted;
    request.proxied = contains(trusted, request.peer);
    if (!request.proxied) {
        for (const char* name :
             {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded"})
            request.headers.erase(name);
        return;
    }
    // Each proxy appends the address it saw, so the list is read from its end as long as we trust
    // the speaker.
    std::vector<std::string_view> hops;
    std::string_view scheme;
    for (const Header& field : request.headers) {
        if (equal_ignoring_case(field.name, "X-Forwarded-For"))
            for (const std::string_view hop : split_list(field.value)) hops.push_back(hop);
        if (equal_ignoring_case(field.name, "X-Forwarded-Proto"))
            for (const std::string_view value : split_list(field.value)) scheme = value;
    }
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
        const std::optional<Address> address = parse_forwarded_address(*hop);
        if (!address) break;
        request.remote = *address;
        if (!contains(trusted, *address)) break;
    }
    if (!scheme.empty())
        request.tls = equal_ignoring_case(scheme, "https") || equal_ignoring_case(scheme, "wss");
}

Response default_error(int status, std::string_view detail) {
    return problem(status, code_for(status), std::string(detail));
}

}  // namespace rokada::net::detail
