// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/response_parser.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace rokada::net::detail {

namespace http = boost::beast::http;
using boost::system::error_code;
using BeastView = boost::beast::string_view;

namespace {

constexpr std::uint32_t kHeaderBytes = 32 * 1024;
constexpr std::size_t kChunkOverhead = 8 * 1024;

}  // namespace

class ResponseParser::Sink final : public http::basic_parser<false> {
  public:
    explicit Sink(ResponseParser& parser) : parser_(parser) {
        basic_parser::body_limit(boost::none);
        header_limit(kHeaderBytes);
        if (parser.answer_to_head_) skip(true);
    }

    bool too_big() const { return too_big_; }
    // Beast takes for granted that the last chunk is never seen in less than its five bytes, "0"
    // CRLF CRLF. Between chunks nothing shorter can be complete, so it is not shown anything
    // shorter.
    bool wants_more_than(std::size_t available) const {
        return chunked() && is_header_done() && chunk_left_ == 0 && available < 5;
    }

  private:
    void on_request_impl(http::verb, BeastView, BeastView, int, error_code&) override {}
    void on_response_impl(int status, BeastView, int, error_code&) override {
        parser_.response_.status = status;
    }
    void on_field_impl(http::field, BeastView name, BeastView value, error_code&) override {
        if (!in_trailer_) parser_.response_.headers.add(std::string(name), std::string(value));
    }
    void on_header_impl(error_code&) override { in_trailer_ = true; }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(BeastView bytes, error_code& error) override {
        return append(bytes, error);
    }
    void on_chunk_header_impl(std::uint64_t size, BeastView, error_code&) override {
        chunk_left_ = size;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, error_code& error) override {
        const std::size_t used = append(bytes, error);
        chunk_left_ -= used;
        return used;
    }
    void on_finish_impl(error_code&) override {}

    std::size_t append(BeastView bytes, error_code& error) {
        const std::string_view piece(bytes.data(), bytes.size());
        if (parser_.on_body_) {
            parser_.on_body_(piece);
        } else if (piece.size() > parser_.body_limit_ - parser_.response_.body.size()) {
            too_big_ = true;
            error = http::error::body_limit;
            return 0;
        } else {
            parser_.response_.body.append(piece);
        }
        return piece.size();
    }

    ResponseParser& parser_;
    bool in_trailer_ = false;
    bool too_big_ = false;
    std::uint64_t chunk_left_ = 0;
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
