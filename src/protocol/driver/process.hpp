// SPDX-License-Identifier: GPL-3.0-or-later
// Another program as a child, spoken to through pipes: started by its argument list, never by a
// shell; in a process group of its own, gone for certain when the object goes, when the thread that
// started it ends, and when this program dies. Nothing here blocks except where it says so.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "chess/result.hpp"

namespace rokada::protocol {

class ChildProcess {
  public:
    struct Settings {
        std::vector<std::string> arguments;  // the first is the program, looked up in PATH
        std::string directory;               // where it runs; empty: here
        std::vector<int> cpus;               // the only processors it may use; empty: all
    };
    // The error is a sentence with the system's reason.
    static Result<std::unique_ptr<ChildProcess>, std::string> start(const Settings& settings);
    ~ChildProcess();  // kills what is left of it
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    int input() const { return input_; }    // we write; not blocking
    int output() const { return output_; }  // we read; not blocking
    int errors() const { return errors_; }  // we read; not blocking
    void close_input();
    bool running();
    // "exited with code 3", "was killed by signal 11 (Segmentation fault)"; empty while it runs.
    std::string ending();
    // Waits this long for it to leave by itself, then kills it.
    void end(std::chrono::milliseconds patience);

  private:
    ChildProcess() = default;

    pid_t pid_ = -1;
    int input_ = -1, output_ = -1, errors_ = -1;
    bool reaped_ = false;
    int status_ = 0;
};

// "a 'b c' \"d\"" into its words; quotes group, a backslash takes the next character as it is.
Result<std::vector<std::string>, std::string> split_command(std::string_view text);

}  // namespace rokada::protocol
