// SPDX-License-Identifier: GPL-3.0-or-later
// A cable between two programs of a test: a port of this machine whose connections lead to another one.
// While it is cut nothing gets through and nobody is told, as if it had been pulled out; what was sent
// meanwhile arrives when it is joined again, however late that is.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <string>
#include <thread>

namespace rokada::server::test {

class Cable {
  public:
    explicit Cable(std::uint16_t port);         // of this machine
    explicit Cable(const std::string& socket);  // in the file system
    ~Cable();
    Cable(const Cable&) = delete;
    Cable& operator=(const Cable&) = delete;

    std::uint16_t port() const { return port_; }  // the near end
    void cut() { set(true); }
    void join() { set(false); }

  private:
    struct End {
        int handle = -1;
        std::string coming;  // read from the other end, not yet written to this one
        bool ended = false;  // says nothing more
        bool told = false;   // that the other end says nothing more
    };
    struct Line {
        End near, far;
    };
    void begin();
    void set(bool cut);
    void run();
    void accept();
    int dial() const;
    static bool pull(End& from, End& to);  // false: broken
    static bool push(End& to, const End& from);

    const std::uint16_t target_ = 0;
    const std::string socket_;
    std::uint16_t port_ = 0;
    int listener_ = -1, wake_[2] = {-1, -1};
    std::atomic<bool> cut_{false}, stopping_{false};
    std::list<Line> lines_;  // of the thread
    std::thread thread_;
};

}  // namespace rokada::server::test
