// SPDX-License-Identifier: GPL-3.0-or-later
// As many open files as the system allows this process: each connection is one. Used by `rokada serve` and
// `rokada lab load`.
#pragma once

#include <sys/resource.h>

namespace rokada::cli {

inline void raise_file_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace rokada::cli
