// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/server_process.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rokada::server::test {
namespace {

// The first of several servers may be of another version: ROKADA_OTHER_PROGRAM names it.
std::string program_for(const std::vector<std::string>& words) {
    const char* other = std::getenv("ROKADA_OTHER_PROGRAM");
    const bool first = std::find(words.begin(), words.end(), "one") != words.end();
    return other != nullptr && first ? other : ROKADA_BINARY;
}

}  // namespace

ServerProcess::ServerProcess(const std::filesystem::path& data, std::vector<std::string> more) {
    std::vector<std::string> words{program_for(more), "serve", "--data", data.string()};
    if (std::find(more.begin(), more.end(), "--port") == more.end())
        more.insert(more.end(), {"--port", "0"});
    words.insert(words.end(), more.begin(), more.end());
    const bool tls = std::find(more.begin(), more.end(), "--tls-cert") != more.end();
    origin_ = start(std::move(words), tls ? "https://" : "http://");
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& words) {
    std::vector<std::string> all{ROKADA_BINARY, "worker"};
    all.insert(all.end(), words.begin(), words.end());
    start(std::move(all), "Rokada works");
}

std::string ServerProcess::start(std::vector<std::string> words, const std::string& awaited) {
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(pipe_ends[1], STDOUT_FILENO);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(pipe_ends[1]);
    std::string output, line;
    for (;;) {
        pollfd wait{pipe_ends[0], POLLIN, 0};
        char buffer[512];
        const ssize_t size =
            ::poll(&wait, 1, 30'000) > 0 ? ::read(pipe_ends[0], buffer, sizeof buffer) : 0;
        if (size <= 0) break;
        output.append(buffer, static_cast<std::size_t>(size));
        const std::size_t at = output.find(awaited);
        const std::size_t end = output.find('\n', at);
        if (at == std::string::npos || end == std::string::npos) continue;
        line = output.substr(at, end - at);
        break;
    }
    ::close(pipe_ends[0]);
    if (line.empty()) {
        kill();
        throw std::runtime_error("the program did not start: " + output);
    }
    return line;
}

ServerProcess::~ServerProcess() { kill(); }

void ServerProcess::kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

int ServerProcess::stop() {
    if (pid_ <= 0) return -1;
    ::kill(pid_, SIGTERM);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace rokada::server::test
