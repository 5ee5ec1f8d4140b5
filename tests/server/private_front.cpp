// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/private_front.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "tests/server/eventually.hpp"
#include "tests/server/loopback.hpp"

namespace rokada::server::test {
namespace {

constexpr const char* kProgram = "/usr/sbin/haproxy";

void replace(std::string& text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos)
        throw std::runtime_error("docs/examples/haproxy.cfg has no " + what);
    text.replace(at, what.size(), with);
}

}  // namespace

bool PrivateFront::installed() { return std::filesystem::exists(kProgram); }

PrivateFront::PrivateFront(const std::vector<std::uint16_t>& servers) : port_(free_port()) {
    std::ifstream example(std::string(ROKADA_SOURCE_DIR) + "/docs/examples/haproxy.cfg");
    std::string settings{std::istreambuf_iterator<char>(example), {}};
    replace(settings, "bind :8080", "bind 127.0.0.1:" + std::to_string(port_));
    replace(settings, "balance source", "balance roundrobin");
    replace(settings, "hash-type consistent\n", "\n");
    replace(settings, "maxconn 100000", "maxconn 4000");
    for (std::size_t i = 0; i < servers.size(); ++i)
        replace(settings, "10.0.0." + std::to_string(i + 1) + ":8080",
                "127.0.0.1:" + std::to_string(servers[i]));
    const std::string file = (folder_.path() / "haproxy.cfg").string();
    std::ofstream(file) << settings;
    process_ = ::fork();
    if (process_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // never left behind
        const int nowhere = ::open("/dev/null", O_RDWR);
        for (const int handle : {0, 1, 2}) ::dup2(nowhere, handle);
        ::execl(kProgram, kProgram, "-db", "-f", file.c_str(), nullptr);
        ::_exit(127);
    }
    if (!eventually([this] { return takes_connections(port_); }))
        throw std::runtime_error("haproxy does not start");
}

PrivateFront::~PrivateFront() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

}  // namespace rokada::server::test
