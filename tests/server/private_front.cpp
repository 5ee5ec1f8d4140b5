// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/private_front.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/server/eventually.hpp"
#include "tests/server/loopback.hpp"

namespace rokada::server::test {
namespace {

constexpr const char* kProgram = "/usr/sbin/haproxy";

}  // namespace

bool PrivateFront::installed() { return std::filesystem::exists(kProgram); }

PrivateFront::PrivateFront(const std::vector<std::uint16_t>& servers) : port_(free_port()) {
    std::vector<std::pair<std::string, std::string>> changes{
        {"bind :8080", "bind 127.0.0.1:" + std::to_string(port_)},
        {"balance source", "balance roundrobin"},
        {"hash-type consistent\n", "\n"},
        {"maxconn 100000", "maxconn 4000"}};
    for (std::size_t i = 0; i < servers.size(); ++i)
        changes.emplace_back("10.0.0." + std::to_string(i + 1) + ":8080",
                             "127.0.0.1:" + std::to_string(servers[i]));
    const std::string file = (folder_.path() / "haproxy.cfg").string();
    std::ofstream(file) << example("haproxy.cfg", changes);
    process_ =
        std::make_unique<ForeignProgram>(std::vector<std::string>{kProgram, "-db", "-f", file});
    if (!eventually([this] { return takes_connections(port_); }))
        throw std::runtime_error("haproxy does not start");
}

}  // namespace rokada::server::test
