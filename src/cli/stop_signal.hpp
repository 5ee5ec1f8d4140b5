// SPDX-License-Identifier: GPL-3.0-or-later
// For commands that run until they are told to stop: SIGINT and SIGTERM are taken by the thread that waits
// for them. Made before any other thread, which inherits that it is left alone.
#pragma once

#include <signal.h>

namespace rokada::cli {

class StopSignal {
  public:
    StopSignal() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        signal(SIGPIPE, SIG_IGN);
    }
    void wait() const {
        int received = 0;
        sigwait(&signals_, &received);
    }

  private:
    sigset_t signals_{};
};

}  // namespace rokada::cli
