// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>

#include "net/nats_client.hpp"
#include "net/url.hpp"

namespace rokada::net {
namespace {

bool read_port(std::string_view text, std::uint16_t& port) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port != 0;
}

// host, host:port, [address]:port, address without brackets
bool read_host(std::string_view text, NatsServer& server) {
    std::string_view port;
    bool has_port = false;
    if (!text.empty() && text.front() == '[') {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return false;
        server.host = text.substr(1, end - 1);
        const std::string_view rest = text.substr(end + 1);
        if (!rest.empty() && rest.front() != ':') return false;
        has_port = !rest.empty();
        if (has_port) port = rest.substr(1);
    } else {
        const std::size_t colon = text.find(':');
        const bool bare = colon != std::string_view::npos && text.find(':', colon + 1) != text.npos;
        has_port = colon != std::string_view::npos && !bare;
        server.host = has_port ? text.substr(0, colon) : text;
        if (has_port) port = text.substr(colon + 1);
    }
    if (server.host.empty() || server.host.find_first_of(" \t\r\n/@") != std::string::npos)
        return false;
    return !has_port || read_port(port, server.port);
}

}  // namespace

Result<NatsOptions, std::string> parse_nats_urls(std::string_view text) {
    NatsOptions options;
    for (const std::string_view part : split_list(text)) {
        std::string_view rest = part;
        NatsServer server;
        if (const std::size_t colon = rest.find("://"); colon != std::string_view::npos) {
            const std::string_view scheme = rest.substr(0, colon);
            if (scheme != "nats" && scheme != "tls")
                return Error{"not an address of NATS (nats://host:4222): " + std::string(part)};
            server.tls = scheme == "tls";
            rest = rest.substr(colon + 3);
        }
        if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
        if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
            const std::string_view who = rest.substr(0, at);
            const std::size_t colon = who.find(':');
            const auto first = percent_decode(who.substr(0, colon));
            const auto second =
                percent_decode(colon == std::string_view::npos ? "" : who.substr(colon + 1));
            if (!first || !second || first->empty())
                return Error{std::string("user and password of NATS cannot be read")};
            if (colon == std::string_view::npos) {
                options.token = *first;
            } else {
                options.user = *first;
                options.password = *second;
            }
            rest = rest.substr(at + 1);
        }
        if (!read_host(rest, server))
            return Error{"not an address of NATS (nats://host:4222): " + std::string(rest)};
        options.servers.push_back(std::move(server));
    }
    if (options.servers.empty()) return Error{std::string("no address of NATS")};
    return options;
}

}  // namespace rokada::net
