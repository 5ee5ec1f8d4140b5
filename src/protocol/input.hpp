// SPDX-License-Identifier: GPL-3.0-or-later
// Reads lines from a file descriptor in a thread of its own and puts them into the queue of a
// session. Any bytes may come: line ends of any system, no line end at the close, lines far too
// long.
#pragma once

#include <string>
#include <thread>

#include "protocol/events.hpp"

namespace rokada::protocol {

// Cuts a stream of bytes into lines.
class LineSplitter {
  public:
    static constexpr std::size_t kMaxLine = 1 << 20;

    template <class OnLine, class OnOverlong>
    void feed(std::string_view bytes, OnLine on_line, OnOverlong on_overlong) {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const std::string_view part = bytes.substr(0, end);
            if (!overlong_) {
                if (pending_.size() + part.size() > kMaxLine) {
                    overlong_ = true;
                    pending_.clear();
                } else {
                    pending_ += part;
                }
            }
            if (end == std::string_view::npos) return;
            bytes.remove_prefix(end + 1);
            if (overlong_) {
                on_overlong();
            } else {
                if (!pending_.empty() && pending_.back() == '\r') pending_.pop_back();
                on_line(pending_);
            }
            pending_.clear();
            overlong_ = false;
        }
    }
    // What stands after the last line end.
    const std::string& pending() const { return pending_; }

  private:
    std::string pending_;
    bool overlong_ = false;
};

class LineReader {
  public:
    LineReader(int descriptor, EventQueue& queue);  // starts at once
    ~LineReader();                                  // ends even while waiting for input
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

  private:
    void read_lines();

    int descriptor_;
    int wake_[2] = {-1, -1};
    EventQueue& queue_;
    std::thread thread_;
};

}  // namespace rokada::protocol
