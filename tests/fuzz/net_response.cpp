// SPDX-License-Identifier: GPL-3.0-or-later
// Answers from any server: read the same however they are cut, never more than the limit.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/detail/response_parser.hpp"

using rokada::net::detail::ResponseParser;

namespace {

std::string parse(std::string_view bytes, std::size_t piece) {
    ResponseParser parser(false, 512);
    std::string buffer;
    while (!bytes.empty()) {
        buffer.append(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        for (std::size_t used = 1; used > 0 && !buffer.empty();) {
            used = parser.feed(buffer);
            buffer.erase(0, used);
        }
    }
    parser.feed_end();
    if (parser.state() != ResponseParser::State::kDone) return "no";
    if (parser.response().body.size() > 512) std::abort();
    return std::to_string(parser.response().status) + parser.response().body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (parse(bytes, bytes.size() + 1) != parse(bytes, 1 + data[0] % 40)) std::abort();
    return 0;
}
