// SPDX-License-Identifier: GPL-3.0-or-later
// Some NATS servers of our own, joined to one cluster, for the time of a test: to be killed, stopped
// and started again. Tests that need them are skipped where nats-server is not installed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace rokada::server::test {

class PrivateNats {
  public:
    static bool installed();

    explicit PrivateNats(int servers = 1, std::vector<std::string> more = {});
    ~PrivateNats();
    PrivateNats(const PrivateNats&) = delete;
    PrivateNats& operator=(const PrivateNats&) = delete;

    std::string url() const;  // all of them
    std::string url(std::size_t server) const;
    std::size_t size() const { return servers_.size(); }
    void start(std::size_t server);  // returns when it takes connections
    void kill(std::size_t server);   // -9
    void pause(std::size_t server);
    void resume(std::size_t server);

  private:
    struct Server {
        std::uint16_t port = 0, cluster_port = 0;
        pid_t process = -1;
    };
    void signal(std::size_t server, int number) const;

    std::vector<Server> servers_;
    std::vector<std::string> more_;
};

}  // namespace rokada::server::test
