// SPDX-License-Identifier: GPL-3.0-or-later
// A program that is not ours, started for the time of a test and never left behind, with a configuration
// that docs/examples shows.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rokada::server::test {

class ForeignProgram {
  public:
    // What it says goes to that file, or nowhere.
    explicit ForeignProgram(std::vector<std::string> words,
                            const std::string& output = "/dev/null") {
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        process_ = ::fork();
        if (process_ != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int nowhere = ::open("/dev/null", O_RDONLY);
        const int said = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(nowhere, 0);
        for (const int handle : {1, 2}) ::dup2(said, handle);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ~ForeignProgram() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    ForeignProgram(const ForeignProgram&) = delete;
    ForeignProgram& operator=(const ForeignProgram&) = delete;

    // Asks it to end (0: does not ask), and its exit code.
    int end(int signal = 0) {
        if (signal != 0) ::kill(process_, signal);
        int status = 0;
        ::waitpid(std::exchange(process_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    pid_t process_ = -1;
};

// A file of docs/examples, with these pieces of it replaced wherever they stand; each must be there.
inline std::string example(const std::string& name,
                           const std::vector<std::pair<std::string, std::string>>& changes) {
    std::ifstream file(std::string(ROKADA_SOURCE_DIR) + "/docs/examples/" + name);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const auto& [from, to] : changes) {
        std::size_t at = text.find(from);
        if (at == std::string::npos)
            throw std::runtime_error("docs/examples/" + name + " has no " + from);
        for (; at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace rokada::server::test
