// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/web/machine.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

namespace rokada::server {

std::size_t room_for_connections() {
    constexpr std::size_t kOwnFiles = 128;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<std::size_t>::max();
    const auto all = static_cast<std::size_t>(limit.rlim_cur);
    return all > 2 * kOwnFiles ? all - kOwnFiles : kOwnFiles;
}

std::string machine_name() {
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "server";
}

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace rokada::server
