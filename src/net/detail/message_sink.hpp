// SPDX-License-Identifier: GPL-3.0-or-later
// What the parsers of requests and of responses have in common: Beast takes a message apart, a sink stores the parts.
// This one keeps trailers apart from headers and knows where between two chunks it stands.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace rokada::net::detail {

using BeastView = boost::beast::string_view;

template <bool is_request>
class MessageSink : public boost::beast::http::basic_parser<is_request> {
  protected:
    using error_code = boost::system::error_code;

  public:
    MessageSink() { this->body_limit(boost::none); }  // each sink has a limit of its own

    bool too_big() const { return too_big_; }
    // Beast takes for granted that the last chunk is never seen in less than its five bytes, "0"
    // CRLF CRLF. Between chunks nothing shorter can be complete, so it is not shown anything
    // shorter.
    bool wants_more_than(std::size_t available) const {
        return this->chunked() && this->is_header_done() && chunk_left_ == 0 && available < 5;
    }

  protected:
    virtual void add_header(BeastView name, BeastView value) = 0;
    // False: that is more than there may be.
    virtual bool add_body(BeastView bytes) = 0;

    void on_request_impl(boost::beast::http::verb, BeastView, BeastView, int,
                         error_code&) override {}
    void on_response_impl(int, BeastView, int, error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

  private:
    void on_field_impl(boost::beast::http::field, BeastView name, BeastView value,
                       error_code&) final {
        // Trailers come after the body and must not pass for headers.
        if (!in_trailer_) add_header(name, value);
    }
    void on_header_impl(error_code&) final { in_trailer_ = true; }
    std::size_t on_body_impl(BeastView bytes, error_code& error) final {
        return append(bytes, error);
    }
    void on_chunk_header_impl(std::uint64_t size, BeastView, error_code&) final {
        chunk_left_ = size;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, error_code& error) final {
        const std::size_t used = append(bytes, error);
        chunk_left_ -= used;
        return used;
    }
    void on_finish_impl(error_code&) final {}

    std::size_t append(BeastView bytes, error_code& error) {
        if (add_body(bytes)) return bytes.size();
        too_big_ = true;
        error = boost::beast::http::error::body_limit;
        return 0;
    }

    bool in_trailer_ = false;
    bool too_big_ = false;
    std::uint64_t chunk_left_ = 0;
};

}  // namespace rokada::net::detail
