// SPDX-License-Identifier: GPL-3.0-or-later
// From bytes to one Request, strictly: whatever proxies and servers could read in two ways is
// refused. Used by HttpConnection and by the fuzz target; knows no sockets and no clock. Any bytes
// give a request, an error status, or a wish for more.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "net/http.hpp"

namespace rokada::net::detail {

struct ParserLimits {
    std::size_t header_bytes = 8 * 1024;
    std::size_t header_fields = 64;
};

class RequestParser {
  public:
    explicit RequestParser(ParserLimits limits);
    ~RequestParser();

    enum class State { kHead, kBody, kDone, kFailed };

    // Looks at everything received and not yet consumed; gives how much of it is used up. In state
    // kHead that is nothing until the head is complete. After the head it stops, so that the caller
    // can set a body limit.
    std::size_t feed(std::string_view bytes);

    State state() const { return state_; }
    int error_status() const {
        return error_status_;
    }  // in kFailed: 400, 413, 414, 431, 501 or 505
    const char* error_reason() const { return error_reason_; }

    // After the head:
    Request& request() {
        return request_;
    }  // may be moved from; the body gathers here all the same
    bool keep_alive() const { return keep_alive_; }
    bool expects_continue() const { return expects_continue_; }
    bool has_body() const { return state_ == State::kBody; }
    std::optional<std::uint64_t> content_length() const;  // none: chunked
    void set_body_limit(std::size_t bytes);  // fails with 413 at once if the length is known
    std::size_t body_received() const { return request_.body.size(); }

  private:
    class Sink;

    std::size_t feed_head(std::string_view bytes);
    std::size_t feed_body(std::string_view bytes);
    bool scan_head(std::string_view bytes);
    void finish_head();
    bool read_target();
    bool check_framing();
    void fail(int status, const char* reason);

    ParserLimits limits_;
    State state_ = State::kHead;
    int error_status_ = 0;
    const char* error_reason_ = "";
    bool keep_alive_ = false;
    bool expects_continue_ = false;
    bool skipped_line_ = false;  // the empty line before a request, or the chance for it
    std::size_t scanned_ = 0;    // of the head, by scan_head
    std::size_t head_end_ = 0;   // just behind the empty line, once found
    std::size_t lines_ = 0;
    std::size_t line_start_ = 0;
    std::size_t body_limit_ = 0;
    Request request_;
    std::unique_ptr<Sink> sink_;
};

// A request that asks for a WebSocket, well formed or not.
bool wants_websocket(const Request& request);

}  // namespace rokada::net::detail
