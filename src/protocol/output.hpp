// SPDX-License-Identifier: GPL-3.0-or-later
// Where a protocol writes: whole lines, one at a time, from any thread, at once. Used by every
// session.
#pragma once

#include <atomic>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

namespace rokada::protocol {

class Output {
  public:
    virtual ~Output() = default;
    // The text holds no line break; one is added.
    void line(std::string_view text);
    // Text as it is (a prompt, a board), in one piece.
    void text(std::string_view text);
    // Nobody listens any more: the other end is closed.
    virtual bool broken() const { return false; }

    // Keeps a copy of the conversation in a file: `<<` what was read, `>>` what was written. An
    // empty path ends it. False if the file cannot be opened.
    bool log_to(const std::string& path);
    void log_input(std::string_view line);

  protected:
    virtual void write(std::string_view bytes) = 0;

  private:
    std::mutex mutex_;
    std::string buffer_;
    std::ofstream log_;
};

// Writes to a file descriptor, which stays the caller's. A closed pipe is remembered, not
// signalled.
class FileOutput : public Output {
  public:
    explicit FileOutput(int descriptor);
    bool broken() const override { return broken_; }

  protected:
    void write(std::string_view bytes) override;

  private:
    int descriptor_;
    std::atomic<bool> broken_{false};
};

}  // namespace rokada::protocol
