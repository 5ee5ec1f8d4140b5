// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/private_nats.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/loopback.hpp"

namespace rokada::server::test {
namespace {

const char* found_program() {
    for (const char* path : {"/usr/sbin/nats-server", "/usr/bin/nats-server"})
        if (std::filesystem::exists(path)) return path;
    return nullptr;
}

}  // namespace

bool PrivateNats::installed() { return found_program() != nullptr; }
std::string PrivateNats::program() { return found_program(); }

PrivateNats::PrivateNats(int servers, std::vector<std::string> more)
    : servers_(static_cast<std::size_t>(servers)), more_(std::move(more)) {
    for (Server& server : servers_) {
        server.port = free_port();
        server.cluster_port = free_port();
    }
    for (std::size_t i = 0; i < servers_.size(); ++i)
        for (std::size_t j = i + 1; j < servers_.size(); ++j)
            cables_[{i, j}] = std::make_unique<Cable>(servers_[j].cluster_port);
    for (std::size_t i = 0; i < servers_.size(); ++i) start(i);
}

PrivateNats::~PrivateNats() {
    for (std::size_t i = 0; i < servers_.size(); ++i) kill(i);
}

std::string PrivateNats::url(std::size_t server) const {
    return "nats://127.0.0.1:" + std::to_string(servers_[server].port);
}

std::string PrivateNats::url() const {
    std::string all;
    for (std::size_t i = 0; i < servers_.size(); ++i) all += (i == 0 ? "" : ",") + url(i);
    return all;
}

void PrivateNats::start(std::size_t server) {
    Server& it = servers_[server];
    if (it.process > 0) return;
    std::vector<std::string> words{program(), "-a", "127.0.0.1", "-p", std::to_string(it.port)};
    if (servers_.size() > 1) {
        std::string routes;
        for (const auto& [ends, cable] : cables_)
            if (ends.first == server)
                routes += (routes.empty() ? "" : ",") + std::string("nats://127.0.0.1:") +
                          std::to_string(cable->port());
        const std::string own = "nats://127.0.0.1:" + std::to_string(it.cluster_port);
        // Neither servers nor visitors are told of ways around the cables.
        for (const std::string& word :
             {std::string("--cluster_name"), std::string("test"), std::string("--cluster"), own,
              std::string("--cluster_advertise"), std::string("127.0.0.1:1"),
              std::string("--no_advertise")})
            words.push_back(word);
        if (!routes.empty()) words.insert(words.end(), {"--routes", routes});
    }
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // never left behind
        const int nowhere = ::open("/dev/null", O_RDWR);
        for (const int handle : {0, 1, 2}) ::dup2(nowhere, handle);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    it.process = child;
    for (int i = 0; i < 500 && !takes_connections(it.port); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!takes_connections(it.port)) throw std::runtime_error("nats-server does not start");
}

void PrivateNats::signal(std::size_t server, int number) const {
    if (servers_[server].process > 0) ::kill(servers_[server].process, number);
}

void PrivateNats::kill(std::size_t server) {
    signal(server, SIGKILL);
    if (servers_[server].process > 0) ::waitpid(servers_[server].process, nullptr, 0);
    servers_[server].process = -1;
}

void PrivateNats::for_cables_of(std::size_t server, void (Cable::*act)()) const {
    for (const auto& [ends, cable] : cables_)
        if (ends.first == server || ends.second == server) (cable.get()->*act)();
}

void PrivateNats::pause(std::size_t server) { signal(server, SIGSTOP); }
void PrivateNats::resume(std::size_t server) { signal(server, SIGCONT); }

}  // namespace rokada::server::test
