// SPDX-License-Identifier: GPL-3.0-or-later
// The plain vocabulary of HTTP: methods, headers, requests and responses. Used by the server and
// client pieces and by everything built on them. A Request that reaches a handler is complete and
// well formed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/address.hpp"

namespace rokada::net {

// Bytes that many answers and sockets may share; nobody changes them.
using SharedText = std::shared_ptr<const std::string>;
SharedText share(std::string text);

enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };
std::string_view to_string(Method method);
Method parse_method(std::string_view text);  // kOther for anything else; methods are case-sensitive

struct Header {
    std::string name;
    std::string value;
};

// Fields in the order they came; names compare without regard to case. Few entries, so a plain
// list.
class Headers {
  public:
    void add(std::string name, std::string value);  // keeps others of that name (Set-Cookie)
    void set(std::string name, std::string value);  // replaces all of that name
    void erase(std::string_view name);
    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::string_view get(std::string_view name) const;  // first value, or empty
    const std::string* find(std::string_view name) const;
    std::size_t count(std::string_view name) const;

    bool empty() const { return fields_.empty(); }
    std::size_t size() const { return fields_.size(); }
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }

  private:
    std::vector<Header> fields_;
};

// Names and values after decoding, in the order they came (query string, cookies, route
// parameters).
using Pairs = std::vector<std::pair<std::string, std::string>>;
const std::string* find(const Pairs& pairs, std::string_view name);

struct Request {
    Method method = Method::kGet;
    std::string method_text;  // as sent, for kOther
    std::string target;       // as sent: path and query still encoded
    std::string path;         // decoded; begins with '/'; free of NUL and of "." and ".." segments
    Pairs query;              // decoded
    Pairs cookies;
    Pairs params;  // from the route pattern: {id} -> "id"
    std::string_view
        route;  // the matched pattern, e.g. "/api/v1/games/{id}"; lives as long as the router
    Headers headers;
    std::string body;
    int version = 11;  // 10 or 11
    Address remote;    // who asks; behind a trusted proxy the address it names
    Address peer;      // who holds the TCP connection
    Address local;     // our end of the connection
    std::uint16_t local_port = 0;
    bool tls = false;      // encrypted to the visitor (directly or as told by a trusted proxy)
    bool proxied = false;  // came through a trusted proxy

    std::string_view header(std::string_view name) const { return headers.get(name); }
    std::optional<std::string_view> query_value(std::string_view name) const;
    std::optional<std::string_view> cookie(std::string_view name) const;
    std::string_view param(std::string_view name) const;  // empty if the pattern has no such name
    std::string_view host() const { return headers.get("Host"); }
};

// Handlers share the request, so that it can travel to another thread and back at no cost.
using RequestPtr = std::shared_ptr<const Request>;

struct Response {
    int status = 200;
    Headers headers;
    SharedText body;  // null means empty

    Response() = default;
    explicit Response(int code) : status(code) {}

    Response& with(std::string name, std::string value) & {
        headers.set(std::move(name), std::move(value));
        return *this;
    }
    Response&& with(std::string name, std::string value) && {
        headers.set(std::move(name), std::move(value));
        return std::move(*this);
    }

    static Response bytes(int status, std::string content_type, SharedText body);
    static Response bytes(int status, std::string content_type, std::string body);
    static Response text(int status, std::string body);  // text/plain; charset=utf-8
    static Response html(int status, std::string body);  // text/html; charset=utf-8
    static Response json_text(int status,
                              std::string body);  // application/json; already serialised
    static Response redirect(std::string location, int status = 303);
};

// "Not Found" and so on; "Status" for numbers without a name.
std::string_view reason_phrase(int status);

// "Sun, 06 Nov 1994 08:49:37 GMT", for Date, Last-Modified and Expires.
std::string http_date(std::chrono::system_clock::time_point time);

// Set-Cookie in one place. A value must be free of separators (tokens are base64url).
struct Cookie {
    std::string name{};
    std::string value{};
    std::string path = "/";
    std::optional<std::int64_t> max_age_seconds{};  // none: until the browser closes; 0: delete now
    bool secure = false;
    bool http_only = true;
    std::string same_site = "Lax";

    std::string header_value() const;
};

}  // namespace rokada::net
