// SPDX-License-Identifier: GPL-3.0-or-later
// Lines to and from a child process. The links of one game are pumped together, so that an engine
// that talks while the other one thinks never blocks, and what it says to the error stream is
// drained.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/driver/process.hpp"
#include "protocol/input.hpp"

namespace rokada::protocol {

using SteadyTime = std::chrono::steady_clock::time_point;

class Link {
  public:
    struct Line {
        std::string text;
        SteadyTime received;
    };
    enum class Direction { In, Out, Error };
    using Log = std::function<void(Direction, std::string_view line)>;

    explicit Link(std::unique_ptr<ChildProcess> process) : process_(std::move(process)) {}

    void send(std::string_view line);
    std::optional<Line> take();  // the oldest line not yet taken
    bool closed() const { return closed_; }
    ChildProcess& process() { return *process_; }
    // Why it is gone: how the process ended and the last thing it said to the error stream.
    std::string last_words();
    void set_log(Log log) { log_ = std::move(log); }

  private:
    friend class LinkGroup;
    void read_output();
    void read_errors();
    void write_pending();
    bool crowded() const { return queued_bytes_ > (1 << 16); }

    std::unique_ptr<ChildProcess> process_;
    LineSplitter splitter_, error_splitter_;
    std::deque<Line> lines_;
    std::size_t queued_bytes_ = 0;
    std::string unsent_;
    std::string last_error_;
    bool closed_ = false, errors_closed_ = false;
    Log log_;
};

class LinkGroup {
  public:
    void add(Link& link) { links_.push_back(&link); }
    void remove(Link& link);
    // Moves bytes until something arrived anywhere, or the deadline, or nobody is left.
    void pump(SteadyTime deadline);
    // Waits for a line of this link; none when the deadline passes or the link is closed and empty.
    std::optional<Link::Line> wait(Link& link, SteadyTime deadline);
    // Makes every wait return early with nothing; for a stop from another thread.
    const std::atomic<bool>* cancelled = nullptr;

  private:
    std::vector<Link*> links_;
};

}  // namespace rokada::protocol
