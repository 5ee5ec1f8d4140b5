// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/http.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "net/url.hpp"

namespace rokada::net {

namespace {

constexpr std::array<std::string_view, 7> kMethodNames{"GET",   "HEAD",   "POST",   "PUT",
                                                       "PATCH", "DELETE", "OPTIONS"};

std::optional<std::string_view> find_view(const Pairs& pairs, std::string_view name) {
    const std::string* value = find(pairs, name);
    return value ? std::optional<std::string_view>(*value) : std::nullopt;
}

}  // namespace

SharedText share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

std::string_view to_string(Method method) {
    const auto index = static_cast<std::size_t>(method);
    return index < kMethodNames.size() ? kMethodNames[index] : "OTHER";
}

Method parse_method(std::string_view text) {
    const auto found = std::find(kMethodNames.begin(), kMethodNames.end(), text);
    return found == kMethodNames.end() ? Method::kOther
                                       : static_cast<Method>(found - kMethodNames.begin());
}

void Headers::add(std::string name, std::string value) {
    fields_.push_back({std::move(name), std::move(value)});
}

void Headers::set(std::string name, std::string value) {
    erase(name);
    add(std::move(name), std::move(value));
}

void Headers::erase(std::string_view name) {
    std::erase_if(fields_,
                  [&](const Header& field) { return equal_ignoring_case(field.name, name); });
}

std::string_view Headers::get(std::string_view name) const {
    const std::string* value = find(name);
    return value ? std::string_view(*value) : std::string_view();
}

const std::string* Headers::find(std::string_view name) const {
    for (const Header& field : fields_)
        if (equal_ignoring_case(field.name, name)) return &field.value;
    return nullptr;
}

std::size_t Headers::count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::count_if(fields_.begin(), fields_.end(),
                      [&](const Header& field) { return equal_ignoring_case(field.name, name); }));
}

const std::string* find(const Pairs& pairs, std::string_view name) {
    for (const auto& [key, value] : pairs)
        if (key == name) return &value;
    return nullptr;
}

std::optional<std::string_view> Request::query_value(std::string_view name) const {
    return find_view(query, name);
}
std::optional<std::string_view> Request::cookie(std::string_view name) const {
    return find_view(cookies, name);
}
std::string_view Request::param(std::string_view name) const {
    return find_view(params, name).value_or("");
}

Response Response::bytes(int status, std::string content_type, SharedText body) {
    Response response(status);
    response.headers.add("Content-Type", std::move(content_type));
    response.body = std::move(body);
    return response;
}

Response Response::bytes(int status, std::string content_type, std::string body) {
    return bytes(status, std::move(content_type), share(std::move(body)));
}

Response Response::text(int status, std::string body) {
    return bytes(status, "text/plain; charset=utf-8", std::move(body));
}

Response Response::html(int status, std::string body) {
    return bytes(status, "text/html; charset=utf-8", std::move(body));
}

Response Response::json_text(int status, std::string body) {
    return bytes(status, "application/json", std::move(body));
}

Response Response::redirect(std::string location, int status) {
    Response response(status);
    response.headers.add("Location", std::move(location));
    return response;
}

std::string_view reason_phrase(int status) {
    switch (status) {
        case 100: return "Continue";
        case 101: return "Switching Protocols";
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 206: return "Partial Content";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 406: return "Not Acceptable";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 411: return "Length Required";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 425: return "Too Early";
        case 426: return "Upgrade Required";
        case 428: return "Precondition Required";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        case 507: return "Insufficient Storage";
        default: return "Status";
    }
}

std::string Cookie::header_value() const {
    std::string text = name + "=" + value + "; Path=" + path;
    if (max_age_seconds) text += "; Max-Age=" + std::to_string(*max_age_seconds);
    if (secure) text += "; Secure";
    if (http_only) text += "; HttpOnly";
    if (!same_site.empty()) text += "; SameSite=" + same_site;
    return text;
}

std::string http_date(std::chrono::system_clock::time_point time) {
    // Names are written out: strftime would follow the locale.
    static constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed",
                                                      "Thu", "Fri", "Sat"};
    static constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    const auto two = [](int n) {
        return std::string{static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
    };
    return std::string(kDays[static_cast<std::size_t>(utc.tm_wday)]) + ", " + two(utc.tm_mday) +
           " " + kMonths[static_cast<std::size_t>(utc.tm_mon)] + " " +
           std::to_string(1900 + utc.tm_year) + " " + two(utc.tm_hour) + ":" + two(utc.tm_min) +
           ":" + two(utc.tm_sec) + " GMT";
}

}  // namespace rokada::net
