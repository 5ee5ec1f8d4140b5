// SPDX-License-Identifier: GPL-3.0-or-later
// One client connection: sends a request, reads the answer whole or as lines, and can be used
// again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/client.hpp"
#include "net/detail/group.hpp"
#include "net/detail/response_parser.hpp"
#include "net/detail/transport.hpp"

namespace rokada::net::detail {

// One request on its way. Exactly one of the two kinds of callbacks is set.
struct Job {
    Url url;
    std::string bytes;  // the request as sent
    bool head = false;  // method HEAD: the answer has no body
    bool repeatable = false;
    Clock::time_point deadline;
    std::size_t body_limit = 0;
    std::function<void(ClientResult)> callback;
    std::shared_ptr<const LineEvents> lines;
    Milliseconds idle{60'000};  // for lines
};

class Conversation final : public Member, public std::enable_shared_from_this<Conversation> {
  public:
    // retry: takes over a job whose reused connection turned out to be dead before an answer began.
    // idle: called after an answer when the connection may serve another request.
    using Retry = std::function<void(std::shared_ptr<Job>)>;
    using Idle = std::function<void(const std::shared_ptr<Conversation>&)>;

    Conversation(std::shared_ptr<Group> group, std::shared_ptr<Transport> transport, Retry retry,
                 Idle idle);

    void run(std::shared_ptr<Job> job);
    bool usable();  // idle, and the server has not closed it
    void cancel();
    const Executor& executor() const { return group_->executor(); }

    void on_tick(Clock::time_point now) override;
    void on_stop() override { cancel(); }
    void on_cut() override { cancel(); }

  private:
    void write();
    void read();
    void on_read(error_code error, std::size_t count);
    void process();
    void on_body(std::string_view piece);
    void complete();
    void fail(ClientError::Kind kind, const std::string& why);
    void close();

    std::shared_ptr<Group> group_;
    std::shared_ptr<Transport> transport_;
    Retry retry_;
    Idle idle_;
    std::shared_ptr<Job> job_;
    std::unique_ptr<ResponseParser> parser_;
    std::string in_;
    std::string read_buffer_;
    std::string line_;
    std::size_t written_ = 0;
    bool reused_ = false;
    bool answer_began_ = false;
    Clock::time_point deadline_;
};

}  // namespace rokada::net::detail
