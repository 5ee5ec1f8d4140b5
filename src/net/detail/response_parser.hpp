// SPDX-License-Identifier: GPL-3.0-or-later
// From bytes to one response, for the client; knows no sockets. Any bytes give a response, an
// error, or a wish for more. Interim answers (1xx) are passed over.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "net/client.hpp"

namespace rokada::net::detail {

class ResponseParser {
  public:
    // With on_body the body is handed over piece by piece instead of being kept.
    ResponseParser(bool answer_to_head, std::size_t body_limit,
                   std::function<void(std::string_view)> on_body = {});
    ~ResponseParser();

    enum class State { kHead, kBody, kDone, kFailed, kTooBig };

    // Gives how many bytes were used; stops once behind the head, so that the caller sees it first.
    std::size_t feed(std::string_view bytes);
    void feed_end();  // the connection has ended: the end of the message, or too early

    State state() const { return state_; }
    ClientResponse& response() { return response_; }
    bool keep_alive() const;

  private:
    class Sink;
    void renew();

    bool answer_to_head_;
    std::size_t body_limit_;
    std::function<void(std::string_view)> on_body_;
    State state_ = State::kHead;
    ClientResponse response_;
    std::unique_ptr<Sink> sink_;
};

}  // namespace rokada::net::detail
