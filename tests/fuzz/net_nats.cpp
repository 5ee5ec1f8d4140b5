// SPDX-License-Identifier: GPL-3.0-or-later
// What a NATS server might say, from any bytes: however they are cut, the outcome is the same. And
// addresses, and messages of the event bus on their way.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "net/nats_client.hpp"
#include "server/app/nats_bus.hpp"
#include "tests/net/nats_heard.hpp"

using namespace rokada::net;
using rokada::net::test::Heard;

namespace {

void check(bool condition) {
    if (!condition) std::abort();
}

Heard hear(std::string_view bytes, std::size_t piece) {
    NatsParser parser(4096);
    Heard heard;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        if (const auto complaint = parser.feed(bytes.substr(at, piece), heard)) {
            heard.words.push_back("complaint " + *complaint);
            break;
        }
    return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::vector<std::string> whole = hear(bytes, bytes.size() + 1).words;
    check(hear(bytes, 1).words == whole);
    check(hear(bytes, 7).words == whole);
    if (const auto options = parse_nats_urls(bytes)) {
        check(!options->servers.empty());
        for (const NatsServer& server : options->servers)
            check(!server.host.empty() && server.port != 0);
    }
    if (const auto message = rokada::server::decode_bus_message(bytes)) {
        const auto again =
            rokada::server::decode_bus_message(rokada::server::encode_bus_message(*message));
        check(again && again->version == message->version && again->gap == message->gap &&
              again->status == message->status && again->game == message->game &&
              again->players == message->players && *again->text == *message->text);
    }
    return 0;
}
