// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/request_parser.hpp"

#include <algorithm>

#include "net/detail/message_sink.hpp"
#include "net/url.hpp"

namespace rokada::net::detail {

namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

// More than this much of a chunk header or trailer at once is an attack.
constexpr std::size_t kChunkOverhead = 4096;

bool is_host_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~:[]%").find(c) != std::string_view::npos;
}

// A request line that is fine but for the version, "HTTP/" digit "." digit.
bool names_other_version(std::string_view head) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    if (std::count(line.begin(), line.end(), ' ') != 2) return false;
    const std::string_view version = line.substr(line.rfind(' ') + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return version.size() == 8 && version.starts_with("HTTP/") && is_digit(version[5]) &&
           version[6] == '.' && is_digit(version[7]);
}

}  // namespace

class RequestParser::Sink final : public MessageSink<true> {
  public:
    Sink(Request& request, std::size_t& body_limit) : request_(request), body_limit_(body_limit) {}

  private:
    void on_request_impl(http::verb, BeastView method, BeastView target, int version,
                         error_code&) override {
        request_.method_text = std::string(method);
        request_.method = net::parse_method(request_.method_text);
        request_.target = std::string(target);
        request_.version = version;
    }
    void add_header(BeastView name, BeastView value) override {
        request_.headers.add(std::string(name), std::string(value));
    }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
        if (length)
            request_.body.reserve(
                static_cast<std::size_t>(std::min<std::uint64_t>(*length, body_limit_)));
    }
    bool add_body(BeastView bytes) override {
        if (bytes.size() > body_limit_ - std::min(body_limit_, request_.body.size())) return false;
        request_.body.append(bytes.data(), bytes.size());
        return true;
    }

    Request& request_;
    std::size_t& body_limit_;  // depends on the route
};

RequestParser::RequestParser(ParserLimits limits)
    : limits_(limits), sink_(std::make_unique<Sink>(request_, body_limit_)) {
    sink_->header_limit(static_cast<std::uint32_t>(limits.header_bytes));
}

RequestParser::~RequestParser() = default;

void RequestParser::fail(int status, const char* reason) {
    state_ = State::kFailed;
    error_status_ = status;
    error_reason_ = reason;
}

std::size_t RequestParser::feed(std::string_view bytes) {
    switch (state_) {
        case State::kHead: return feed_head(bytes);
        case State::kBody: return feed_body(bytes);
        default: return 0;
    }
}

// Checks each byte of the head once, as it arrives. Line ends must be CRLF, lines must not be
// folded, and control characters have no place: everything two programs might disagree about.
// False: failed.
bool RequestParser::scan_head(std::string_view bytes) {
    for (; scanned_ < bytes.size(); ++scanned_) {
        const auto byte = static_cast<unsigned char>(bytes[scanned_]);
        if (scanned_ >= limits_.header_bytes) {
            fail(lines_ == 0 ? 414 : 431,
                 lines_ == 0 ? "request line too long" : "header too large");
            return false;
        }
        if (byte == '\n') {
            if (scanned_ == line_start_ || bytes[scanned_ - 1] != '\r') {
                fail(400, "line without CRLF");
                return false;
            }
            if (scanned_ - line_start_ == 1) {
                if (lines_ == 0) {
                    fail(400, "empty request");
                    return false;
                }
                head_end_ = ++scanned_;
                return true;
            }
            ++lines_;
            line_start_ = scanned_ + 1;
            if (lines_ > limits_.header_fields + 1) {
                fail(431, "too many header fields");
                return false;
            }
            continue;
        }
        if (scanned_ > line_start_ && bytes[scanned_ - 1] == '\r') {
            fail(400, "carriage return inside a line");
            return false;
        }
        if ((byte < 0x20 && byte != '\t' && byte != '\r') || byte == 0x7f ||
            (lines_ == 0 && byte >= 0x80)) {
            fail(400, "control character in the header");
            return false;
        }
        if (scanned_ == line_start_ && (byte == ' ' || byte == '\t')) {
            fail(400, "folded line");
            return false;
        }
    }
    return true;
}

std::size_t RequestParser::feed_head(std::string_view bytes) {
    // One empty line before the request is tolerated (RFC 9112 section 2.2).
    std::size_t skipped = 0;
    if (scanned_ == 0 && !skipped_line_) {
        if (bytes == "\r") return 0;
        if (bytes.starts_with("\r\n")) skipped = 2;
        skipped_line_ = !bytes.empty();
    }
    const std::string_view head = bytes.substr(skipped);
    if (!scan_head(head)) return 0;
    if (head_end_ == 0) {
        // Positions count from the start of the request, so the empty line must go at once.
        return skipped;
    }
    error_code error;
    std::size_t used = 0;
    // Not eager: Beast stops behind the head by itself, but may take start line and fields in two
    // steps.
    while (!error && !sink_->is_header_done() && used < head_end_)
        used += sink_->put({head.data() + used, head_end_ - used}, error);
    if (error == http::error::bad_version && names_other_version(head)) {
        fail(505, "HTTP version not supported");
    } else if (error || !sink_->is_header_done() || used != head_end_) {
        fail(400, "malformed request");
    } else {
        finish_head();
    }
    return skipped + used;
}

bool RequestParser::check_framing() {
    const Headers& headers = request_.headers;
    if (headers.count("Content-Length") > 1) {
        fail(400, "several Content-Length fields");
        return false;
    }
    const std::string_view length = headers.get("Content-Length");
    if (headers.has("Content-Length") && (length.empty() || length.size() > 18 ||
                                          length.find_first_not_of("0123456789") != length.npos)) {
        fail(400, "bad Content-Length");
        return false;
    }
    if (!headers.has("Transfer-Encoding")) return true;
    if (headers.has("Content-Length") || headers.count("Transfer-Encoding") > 1 ||
        request_.version < 11) {
        fail(400, "ambiguous message length");
        return false;
    }
    if (!equal_ignoring_case(headers.get("Transfer-Encoding"), "chunked")) {
        fail(501, "transfer coding not supported");
        return false;
    }
    return true;
}

bool RequestParser::read_target() {
    std::string_view target = request_.target;
    if (target == "*" && request_.method == Method::kOptions) {
        request_.path = "*";
        return true;
    }
    if (!target.starts_with('/')) {
        // Absolute form, as sent to proxies; its authority replaces Host (RFC 9112 section 3.2.2).
        const std::optional<Url> url = parse_url(target);
        if (!url || (url->scheme != "http" && url->scheme != "https") ||
            target.find('#') != target.npos) {
            fail(400, "bad request target");
            return false;
        }
        request_.headers.set("Host", url->authority());
        request_.target = url->target;
        target = request_.target;
    }
    const std::size_t question = target.find('?');
    std::optional<std::string> path = decode_path(target.substr(0, question));
    if (!path || target.find('#') != target.npos) {
        fail(400, "bad path");
        return false;
    }
    request_.path = std::move(*path);
    if (question != target.npos) {
        std::optional<Pairs> query = parse_query(target.substr(question + 1));
        if (!query) {
            fail(400, "bad query string");
            return false;
        }
        request_.query = std::move(*query);
    }
    return true;
}

void RequestParser::finish_head() {
    if (!check_framing()) return;
    const std::size_t hosts = request_.headers.count("Host");
    if (hosts > 1 || (hosts == 0 && request_.version >= 11))
        return fail(400, "one Host field is required");
    const std::string_view host = request_.host();
    if (!std::all_of(host.begin(), host.end(), is_host_char)) return fail(400, "bad Host");
    if (!read_target()) return;
    if (const std::string_view expect = request_.header("Expect");
        !expect.empty() && !equal_ignoring_case(expect, "100-continue"))
        return fail(417, "expectation not supported");

    for (const Header& field : request_.headers)
        if (equal_ignoring_case(field.name, "Cookie"))
            for (auto& cookie : parse_cookies(field.value))
                if (!find(request_.cookies, cookie.first))
                    request_.cookies.push_back(std::move(cookie));
    keep_alive_ = sink_->keep_alive();
    expects_continue_ = request_.version >= 11 && request_.headers.has("Expect");
    state_ = sink_->is_done() ? State::kDone : State::kBody;
}

std::optional<std::uint64_t> RequestParser::content_length() const {
    const auto length = sink_->content_length();
    return length ? std::optional<std::uint64_t>(*length) : std::nullopt;
}

void RequestParser::set_body_limit(std::size_t bytes) {
    body_limit_ = bytes;
    if (state_ != State::kBody) return;
    const std::optional<std::uint64_t> length = content_length();
    if (length && *length > bytes) fail(413, "body too large");
}

std::size_t RequestParser::feed_body(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && !sink_->is_done()) {
        if (sink_->wants_more_than(bytes.size() - used)) return used;
        error_code error;
        const std::size_t taken = sink_->put({bytes.data() + used, bytes.size() - used}, error);
        used += taken;
        if (error == http::error::need_more) {
            if (bytes.size() - used > kChunkOverhead) fail(400, "chunk header too large");
            return used;
        }
        if (error) {
            if (sink_->too_big())
                fail(413, "body too large");
            else
                fail(400, "malformed body");
            return used;
        }
    }
    if (sink_->is_done()) state_ = State::kDone;
    return used;
}

bool wants_websocket(const Request& request) {
    return request.method == Method::kGet && request.version >= 11 &&
           list_contains(request.header("Upgrade"), "websocket") &&
           list_contains(request.header("Connection"), "upgrade");
}

}  // namespace rokada::net::detail
