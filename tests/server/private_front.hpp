// SPDX-License-Identifier: GPL-3.0-or-later
// A haproxy of our own in front of some servers, with the configuration that docs/examples shows, for
// the time of a test. Every request goes to whichever server is next.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/server/foreign_program.hpp"
#include "tests/server/temporary_folder.hpp"

namespace rokada::server::test {

class PrivateFront {
  public:
    static bool installed();

    explicit PrivateFront(const std::vector<std::uint16_t>& servers);
    std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

  private:
    TemporaryFolder folder_;
    std::uint16_t port_ = 0;
    std::unique_ptr<ForeignProgram> process_;
};

}  // namespace rokada::server::test
