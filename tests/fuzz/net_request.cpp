// SPDX-License-Identifier: GPL-3.0-or-later
// Requests from any bytes: however they are cut, the outcome is the same, and what is accepted is
// sound.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "net/detail/request_parser.hpp"
#include "net/url.hpp"

using namespace rokada::net;
using detail::RequestParser;

namespace {

struct Outcome {
    std::vector<std::string> requests;  // one line each
    int error = 0;
    bool operator==(const Outcome&) const = default;
};

void check(bool condition) {
    if (!condition) std::abort();
}

std::string describe(const Request& request) {
    check(request.path == "*" || request.path.starts_with('/'));
    check(valid_utf8(request.path));
    check(request.path.find("/../") == std::string::npos);
    check(request.path.find('\0') == std::string::npos);
    check(request.headers.count("Host") <= 1);
    check(!(request.headers.has("Content-Length") && request.headers.has("Transfer-Encoding")));
    std::string text = request.method_text + " " + request.path + " " + request.body;
    for (const auto& [name, value] : request.query) text += " " + name + "=" + value;
    for (const Header& field : request.headers) {
        check(field.name.find_first_of("\r\n :") == std::string::npos);
        check(field.value.find_first_of("\r\n") == std::string::npos);
        text += " " + field.name + ":" + field.value;
    }
    return text;
}

Outcome parse(std::string_view bytes, std::size_t piece) {
    Outcome outcome;
    std::string buffer;
    auto parser = std::make_unique<RequestParser>(detail::ParserLimits{1024, 16});
    bool head = true;
    Request request;
    while (true) {
        buffer.append(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        for (bool again = true; again;) {
            again = false;
            buffer.erase(0, parser->feed(buffer));
            const bool complete = parser->state() == RequestParser::State::kBody ||
                                  parser->state() == RequestParser::State::kDone;
            if (head && complete) {
                head = false;
                request = std::move(parser->request());
                parser->set_body_limit(512);
                again = parser->state() == RequestParser::State::kBody && !buffer.empty();
            }
            if (parser->state() == RequestParser::State::kFailed) {
                outcome.error = parser->error_status();
                check(outcome.error >= 400 && outcome.error <= 505);
                return outcome;
            }
            if (parser->state() == RequestParser::State::kDone) {
                request.body = std::move(parser->request().body);
                check(request.body.size() <= 512);
                outcome.requests.push_back(describe(request));
                parser = std::make_unique<RequestParser>(detail::ParserLimits{1024, 16});
                head = true;
                again = !buffer.empty();
            }
        }
        if (bytes.empty()) return outcome;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + data[0] % 40;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Outcome whole = parse(bytes, bytes.size() + 1);
    const Outcome cut = parse(bytes, piece);
    check(whole == cut);
    return 0;
}
