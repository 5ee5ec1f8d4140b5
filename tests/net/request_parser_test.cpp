// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/request_parser.hpp"

#include <gtest/gtest.h>

namespace rokada::net::detail {
namespace {

// Feeds the text in pieces of one size; gives the status the parser ends with (200: a request, 0:
// wants more).
int outcome(std::string_view text, std::size_t piece, Request* out = nullptr,
            std::size_t body_limit = 100, std::string* rest = nullptr) {
    RequestParser parser({.header_bytes = 512, .header_fields = 8});
    std::string buffer;
    Request request;
    bool head = true;
    while (true) {
        buffer.append(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
        for (bool again = true; again;) {
            const std::size_t used = parser.feed(buffer);
            buffer.erase(0, used);
            again = false;
            if (head && (parser.state() == RequestParser::State::kBody ||
                         parser.state() == RequestParser::State::kDone)) {
                head = false;
                request = std::move(parser.request());
                parser.set_body_limit(body_limit);
                again = parser.state() == RequestParser::State::kBody && !buffer.empty();
            }
        }
        if (parser.state() == RequestParser::State::kFailed) return parser.error_status();
        if (parser.state() == RequestParser::State::kDone) {
            request.body = std::move(parser.request().body);
            if (out) *out = std::move(request);
            if (rest) *rest = buffer + std::string(text);
            return 200;
        }
        if (text.empty()) return 0;
    }
}

int outcome_of(std::string_view text) {
    const int whole = outcome(text, text.size() + 1);
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 50u})
        EXPECT_EQ(outcome(text, piece), whole) << "in pieces of " << piece << ": " << text;
    return whole;
}

TEST(RequestParser, TakesARequestApart) {
    Request request;
    ASSERT_EQ(outcome("GET /a%20b?x=1&y=%C5%82 HTTP/1.1\r\nHost: h:80\r\nCookie: a=1; "
                      "b=2\r\nCookie: c=3\r\nX-Y:  v \r\n\r\n",
                      5, &request),
              200);
    EXPECT_EQ(request.method, Method::kGet);
    EXPECT_EQ(request.path, "/a b");
    EXPECT_EQ(request.query_value("y"), "\xC5\x82");
    EXPECT_EQ(request.cookie("c"), "3");
    EXPECT_EQ(request.header("x-y"), "v");
    EXPECT_EQ(request.host(), "h:80");
    EXPECT_EQ(request.version, 11);
}

TEST(RequestParser, ReadsBodiesByLengthAndByChunks) {
    Request request;
    EXPECT_EQ(outcome("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", 1, &request),
              200);
    EXPECT_EQ(request.body, "hello");
    EXPECT_EQ(outcome("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
                      "chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n",
                      1, &request),
              200);
    EXPECT_EQ(request.body, "abc0123456789");
    EXPECT_FALSE(request.headers.has("Trailer")) << "trailers must not pass for headers";
}

TEST(RequestParser, LeavesTheNextRequestAlone) {
    std::string rest;
    EXPECT_EQ(
        outcome("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nabGET /next HTTP/1.1\r\n",
                1000, nullptr, 100, &rest),
        200);
    EXPECT_EQ(rest, "GET /next HTTP/1.1\r\n");
    EXPECT_EQ(outcome("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /next", 1000, nullptr, 100, &rest),
              200);
    EXPECT_EQ(rest, "GET /next");
}

TEST(RequestParser, ToleratesOneEmptyLineBefore) {
    EXPECT_EQ(outcome_of("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"), 200);
}

TEST(RequestParser, RefusesEveryAmbiguityAboutTheLength) {
    const auto post = [](std::string_view fields) {
        return outcome_of("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(fields) +
                          "\r\n\r\nabcdef");
    };
    EXPECT_EQ(post("Content-Length: 5\r\nTransfer-Encoding: chunked"), 400);
    EXPECT_EQ(post("Transfer-Encoding: chunked\r\nContent-Length: 5"), 400);
    EXPECT_EQ(post("Content-Length: 5\r\nContent-Length: 5"), 400);
    EXPECT_EQ(post("Content-Length: 5\r\nContent-Length: 6"), 400);
    EXPECT_EQ(post("Content-Length: 5, 5"), 400);
    EXPECT_EQ(post("Content-Length: +5"), 400);
    EXPECT_EQ(post("Content-Length: 0x5"), 400);
    EXPECT_EQ(post("Content-Length: -1"), 400);
    EXPECT_EQ(post("Content-Length:"), 400);
    EXPECT_EQ(post("Content-Length: 99999999999999999999"), 400);
    EXPECT_EQ(post("Transfer-Encoding: gzip, chunked"), 501);
    EXPECT_EQ(post("Transfer-Encoding: chunked, gzip"), 501);
    EXPECT_EQ(post("Transfer-Encoding: identity"), 501);
    EXPECT_EQ(post("Transfer-Encoding: xchunked"), 501);
    EXPECT_EQ(post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), 400);
    EXPECT_EQ(post("Transfer-Encoding : chunked"), 400);
    EXPECT_EQ(post("Transfer-Encoding:\x0b"
                   "chunked"),
              400);
    EXPECT_EQ(outcome_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
    EXPECT_EQ(post("Content-Length: 5"), 200);
}

TEST(RequestParser, RefusesMalformedHeads) {
    for (const char* text : {
             "GET / HTTP/1.1\nHost: h\n\n",                      // bare LF
             "GET / HTTP/1.1\r\nHost: h\r\nA: b\nC: d\r\n\r\n",  // bare LF inside
             "GET / HTTP/1.1\r\nHost: h\r\nA: b\rC: d\r\n\r\n",  // bare CR
             "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",  // folded line
             "GET / HTTP/1.1\r\n Host: h\r\n\r\n",               // folded first field
             "GET / HTTP/1.1\r\nHost : h\r\n\r\n",               // space before the colon
             "GET / HTTP/1.1\r\nHost: h\r\nNoColon\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: h\r\n: v\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: h\r\nA: \x01\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: h\r\nA\x80: b\r\n\r\n",
             "GET / HTTP/1.1\r\n\r\n",  // no Host
             "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: <x>\r\n\r\n",
             "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET / http/1.1\r\nHost: h\r\n\r\n",
             "GET /\r\nHost: h\r\n\r\n",
             "GET\r\n\r\n",
             "\r\n\r\n\r\n",
             "GET /../x HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET /?%zz HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET /#x HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET x HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET * HTTP/1.1\r\nHost: h\r\n\r\n",
             "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
             "G\xc3\xa9T / HTTP/1.1\r\nHost: h\r\n\r\n",
             "GET /\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n",
             "\x16\x03\x01\x02",  // TLS to a plain port: at once, not after the deadline
         })
        EXPECT_EQ(outcome_of(text), 400) << text;
    EXPECT_EQ(outcome_of("GET / HTTP/2.0\r\nHost: h\r\n\r\n"), 505);
    EXPECT_EQ(outcome_of("GET / HTTP/1.2\r\nHost: h\r\n\r\n"), 505);
    EXPECT_EQ(outcome_of("POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n"), 417);
}

TEST(RequestParser, RefusesMalformedChunks) {
    for (const char* body :
         {"x\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "-1\r\n\r\n",
          " 3\r\nabc\r\n", "ffffffffffffffffff\r\n", "3;a\nb\r\nabc\r\n0\r\n\r\n",
          "3\rabc\r\n0\r\n\r\n", "0\r\nBad Trailer\r\n\r\n", "3\r\nabc0\r\n\r\n"})
        EXPECT_EQ(outcome_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" +
                             std::string(body)),
                  400)
            << body;
}

TEST(RequestParser, KeepsToItsLimits) {
    EXPECT_EQ(outcome_of("GET /" + std::string(600, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n"), 414);
    EXPECT_EQ(outcome_of("GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(600, 'a') + "\r\n\r\n"),
              431);
    std::string many = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 0; i < 8; ++i) many += "A: b\r\n";
    EXPECT_EQ(outcome_of(many + "\r\n"), 431);
    EXPECT_EQ(outcome_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n"), 413);
    EXPECT_EQ(
        outcome_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999999999\r\n\r\n"),
        413);
    EXPECT_EQ(
        outcome_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" +
                   std::string(64, 'x') + "\r\n40\r\n" + std::string(64, 'x') + "\r\n0\r\n\r\n"),
        413);
    EXPECT_EQ(outcome("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
                          std::string(9000, 'x'),
                      100),
              400);
}

TEST(RequestParser, TakesTheAbsoluteFormAtItsWord) {
    Request request;
    ASSERT_EQ(outcome("GET http://other:81/x?y=1 HTTP/1.1\r\nHost: h\r\n\r\n", 1000, &request),
              200);
    EXPECT_EQ(request.path, "/x");
    EXPECT_EQ(request.host(), "other:81");
    EXPECT_EQ(outcome_of("GET ftp://other/x HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
}

}  // namespace
}  // namespace rokada::net::detail
