// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a NATS server says: lines, and messages with payloads, in pieces of any size. Used by
// NatsClient. Any bytes in: operations in order, or one complaint, after which nothing more is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rokada::net {

struct NatsMessage {
    std::string_view subject, reply, payload;
    std::uint64_t subscription = 0;
    int status = 0;  // 503: nobody listens there (instead of an answer)
};

class NatsParser {
  public:
    // What the views show is gone when the call returns.
    class Sink {
      public:
        virtual ~Sink() = default;
        virtual void on_info(std::string_view json) = 0;
        virtual void on_message(const NatsMessage& message) = 0;
        virtual void on_ping() = 0;
        virtual void on_pong() = 0;
        virtual void on_error(std::string_view text) = 0;
    };

    explicit NatsParser(std::size_t payload_limit = std::size_t{8} << 20)
        : payload_limit_(payload_limit) {}

    // A complaint ends the conversation: what follows cannot be told apart.
    std::optional<std::string> feed(std::string_view bytes, Sink& sink);

    static constexpr std::size_t kLineLimit = 64 * 1024;  // INFO names every server of a cluster

  private:
    struct Head {
        std::size_t line = 0;  // its length, with its end
        std::string_view subject, reply;
        std::uint64_t subscription = 0;
        std::size_t headers = 0, total = 0;
    };
    // The bytes used, 0 when more are needed.
    std::size_t step(std::string_view bytes, Sink& sink);
    std::size_t read_message(std::string_view bytes, const Head& head, Sink& sink);
    void read_line(std::string_view line, Sink& sink);
    std::optional<Head> read_head(std::string_view words, bool with_headers);
    void complain(std::string what) { complaint_ = std::move(what); }

    std::size_t payload_limit_;
    std::string kept_;         // the beginning of an operation whose end has not come
    std::size_t awaited_ = 0;  // bytes that must be there before it is worth looking again
    std::optional<std::string> complaint_;
};

}  // namespace rokada::net
