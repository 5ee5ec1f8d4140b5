// SPDX-License-Identifier: GPL-3.0-or-later
// Some NATS servers of our own, joined to one cluster, for the time of a test: to be killed, stopped,
// started again and cut off from each other. Tests that need them are skipped where nats-server is not
// installed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "tests/server/cable.hpp"

namespace rokada::server::test {

class PrivateNats {
  public:
    static bool installed();
    static std::string program();  // its path

    explicit PrivateNats(int servers = 1, std::vector<std::string> more = {});
    ~PrivateNats();
    PrivateNats(const PrivateNats&) = delete;
    PrivateNats& operator=(const PrivateNats&) = delete;

    std::string url() const;  // all of them
    std::uint16_t port(std::size_t server) const { return servers_[server].port; }
    std::string url(std::size_t server) const;
    std::size_t size() const { return servers_.size(); }
    void start(std::size_t server);  // returns when it takes connections
    void kill(std::size_t server);   // -9
    void pause(std::size_t server);
    void resume(std::size_t server);
    // From the other NATS servers; their visitors do not notice.
    void cut_off(std::size_t server) { for_cables_of(server, &Cable::cut); }
    void join_again(std::size_t server) { for_cables_of(server, &Cable::join); }

  private:
    struct Server {
        std::uint16_t port = 0, cluster_port = 0;
        pid_t process = -1;
    };
    void signal(std::size_t server, int number) const;
    void for_cables_of(std::size_t server, void (Cable::*act)()) const;

    std::vector<Server> servers_;
    // Each server dials those after it, and nobody knows another way.
    std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Cable>> cables_;
    std::vector<std::string> more_;
};

}  // namespace rokada::server::test
