// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/conversation.hpp"

#include <sys/socket.h>

namespace rokada::net::detail {

namespace {

constexpr std::size_t kReadSize = 16 * 1024;

}  // namespace

Conversation::Conversation(std::shared_ptr<Group> group, std::shared_ptr<Transport> transport,
                           Retry retry, Idle idle)
    : group_(std::move(group)),
      transport_(std::move(transport)),
      retry_(std::move(retry)),
      idle_(std::move(idle)) {
    group_->add(*this);
}

void Conversation::run(std::shared_ptr<Job> job) {
    job_ = std::move(job);
    const bool lines = job_->lines != nullptr;
    parser_ =
        std::make_unique<ResponseParser>(job_->head, job_->body_limit,
                                         lines ? [this](std::string_view piece) { on_body(piece); }
                                               : std::function<void(std::string_view)>());
    in_.clear();
    line_.clear();
    written_ = 0;
    answer_began_ = false;
    deadline_ = job_->deadline;
    write();
}

bool Conversation::usable() {
    if (job_ || !transport_->is_open()) return false;
    char byte = 0;
    const ssize_t got =
        ::recv(transport_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);  // silence: still open, nothing unasked for
}

void Conversation::write() {
    transport_->async_write_some(asio::buffer(job_->bytes) + written_,
                                 [self = shared_from_this()](error_code error, std::size_t count) {
                                     if (!self->job_) return;
                                     self->written_ += count;
                                     // After an error the answer may be there all the same (413 and
                                     // the like).
                                     if (!error && self->written_ < self->job_->bytes.size())
                                         return self->write();
                                     self->read();
                                 });
}

void Conversation::read() {
    read_buffer_.resize(kReadSize);
    transport_->async_read_some(asio::buffer(read_buffer_),
                                [self = shared_from_this()](error_code error, std::size_t count) {
                                    if (self->job_) self->on_read(error, count);
                                });
}

void Conversation::on_read(error_code error, std::size_t count) {
    if (count > 0) {
        answer_began_ = true;
        if (job_->lines) deadline_ = Clock::now() + job_->idle;
        in_.append(read_buffer_, 0, count);
        return process();
    }
    if (!answer_began_ && reused_ && job_->repeatable) {
        const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
        const Retry retry = retry_;
        close();
        return retry(job);
    }
    if (error == asio::error::eof) {
        parser_->feed_end();
        if (parser_->state() == ResponseParser::State::kDone) return complete();
    }
    fail(ClientError::Kind::kClosed, "connection closed before the end of the answer");
}

void Conversation::process() {
    const bool was_head = parser_->state() == ResponseParser::State::kHead;
    in_.erase(0, parser_->feed(in_));
    if (!job_) return;  // cancelled by a callback
    switch (parser_->state()) {
        case ResponseParser::State::kFailed:
            return fail(ClientError::Kind::kProtocol, "not a valid HTTP answer");
        case ResponseParser::State::kTooBig:
            return fail(ClientError::Kind::kTooBig, "the answer is too big");
        case ResponseParser::State::kHead: return read();
        default: break;
    }
    if (was_head && job_->lines && job_->lines->on_head) {
        job_->lines->on_head(parser_->response());
        if (!job_) return;
    }
    if (parser_->state() == ResponseParser::State::kDone) return complete();
    if (was_head && !in_.empty()) return process();
    read();
}

void Conversation::on_body(std::string_view piece) {
    for (std::size_t end = piece.find('\n'); job_ && end != piece.npos; end = piece.find('\n')) {
        line_.append(piece.substr(0, end));
        piece.remove_prefix(end + 1);
        if (!line_.empty() && line_.back() == '\r') line_.pop_back();
        const std::string line = std::exchange(line_, {});
        if (job_->lines->on_line) job_->lines->on_line(line);
    }
    if (!job_) return;
    line_.append(piece);
    if (line_.size() > job_->body_limit) fail(ClientError::Kind::kTooBig, "a line is too long");
}

void Conversation::complete() {
    const std::shared_ptr<Conversation> keep = shared_from_this();
    const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
    const bool again = parser_->keep_alive() && in_.empty() && !job->lines;
    ClientResponse response = std::move(parser_->response());
    read_buffer_ = std::string();
    reused_ = true;
    if (again)
        idle_(keep);
    else
        close();
    if (!job->lines) return job->callback(std::move(response));
    if (!line_.empty() && job->lines->on_line) job->lines->on_line(std::exchange(line_, {}));
    if (job->lines->on_end) job->lines->on_end(std::nullopt);
}

void Conversation::fail(ClientError::Kind kind, const std::string& why) {
    const std::shared_ptr<Conversation> keep = shared_from_this();
    const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
    close();
    if (!job) return;
    ClientError error{kind, job->url.authority() + ": " + why, {}};
    if (!job->lines) return job->callback(Error{std::move(error)});
    if (job->lines->on_end) job->lines->on_end(std::move(error));
}

void Conversation::close() {
    transport_->close();
    leave();
    retry_ = nullptr;
    idle_ = nullptr;
}

void Conversation::cancel() { fail(ClientError::Kind::kClosed, "cancelled"); }

void Conversation::on_tick(Clock::time_point now) {
    if (job_ && now >= deadline_) fail(ClientError::Kind::kTimeout, "no answer in time");
}

}  // namespace rokada::net::detail
