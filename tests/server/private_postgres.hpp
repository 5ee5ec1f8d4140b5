// SPDX-License-Identifier: GPL-3.0-or-later
// A PostgreSQL of our own for the time of the test program, on a socket in a temporary folder. The
// contract tests run on it wherever PostgreSQL is installed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {

class PrivatePostgres {
  public:
    // Started at the first call; null when PostgreSQL is not installed or does not start.
    static PrivatePostgres* get();
    ~PrivatePostgres();

    std::string fresh_url();     // an empty schema
    std::string socket() const;  // where it listens
    // The same address by way of this port, which leads to the socket.
    std::string by_way_of(const std::string& url, std::uint16_t port) const;
    void restart(bool in_good_order = true);  // or as after a crash

  private:
    PrivatePostgres() = default;
    bool start();
    int run(const std::string& program, const std::string& arguments) const;

    TemporaryFolder folder_;
    std::string programs_;
    int schemas_ = 0;
    bool running_ = false;
};

}  // namespace rokada::server::test
