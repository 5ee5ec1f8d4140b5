// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/response_parser.hpp"

#include "net/detail/message_sink.hpp"

namespace rokada::net::detail {

namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::uint32_t kHeaderBytes = 32 * 1024;
constexpr std::size_t kChunkOverhead = 8 * 1024;

}  // namespace

class ResponseParser::Sink final : public MessageSink<false> {
  public:
    explicit Sink(ResponseParser& parser) : parser_(parser) {
        header_limit(kHeaderBytes);
        if (parser.answer_to_head_) skip(true);
    }

  private:
    void on_response_impl(int status, BeastView, int, error_code&) override {
        parser_.response_.status = status;
    }
    void add_header(BeastView name, BeastView value) override {
        parser_.response_.headers.add(std::string(name), std::string(value));
    }
    bool add_body(BeastView bytes) override {
        const std::string_view piece(bytes.data(), bytes.size());
        if (parser_.on_body_) {
            parser_.on_body_(piece);
            return true;
        }
        if (piece.size() > parser_.body_limit_ - parser_.response_.body.size()) return false;
        parser_.response_.body.append(piece);
        return true;
    }

    ResponseParser& parser_;
};

ResponseParser::ResponseParser(bool answer_to_head, std::size_t body_limit,
                               std::function<void(std::string_view)> on_body)
    : answer_to_head_(answer_to_head), body_limit_(body_limit), on_body_(std::move(on_body)) {
    renew();
}

ResponseParser::~ResponseParser() = default;

void ResponseParser::renew() {
    response_ = {};
    sink_ = std::make_unique<Sink>(*this);
}

std::size_t ResponseParser::feed(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && (state_ == State::kHead || state_ == State::kBody)) {
        if (sink_->wants_more_than(bytes.size() - used)) return used;
        error_code error;
        used += sink_->put({bytes.data() + used, bytes.size() - used}, error);
        if (error == http::error::need_more) {
            if (state_ == State::kBody && bytes.size() - used > kChunkOverhead)
                state_ = State::kFailed;
            return used;
        }
        if (error) {
            state_ = sink_->too_big() ? State::kTooBig : State::kFailed;
            return used;
        }
        if (!sink_->is_header_done()) continue;
        if (response_.status / 100 == 1 && response_.status != 101) {
            renew();
            continue;
        }
        const bool was_head = state_ == State::kHead;
        state_ = sink_->is_done() ? State::kDone : State::kBody;
        if (was_head) return used;
    }
    return used;
}

void ResponseParser::feed_end() {
    if (state_ != State::kBody) {
        if (state_ == State::kHead) state_ = State::kFailed;
        return;
    }
    error_code error;
    sink_->put_eof(error);
    state_ = error ? State::kFailed : State::kDone;
}

bool ResponseParser::keep_alive() const { return state_ == State::kDone && sink_->keep_alive(); }

}  // namespace rokada::net::detail
