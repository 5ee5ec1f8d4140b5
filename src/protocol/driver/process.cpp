// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/driver/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rokada::protocol {

namespace {

struct Pipe {
    int read = -1, write = -1;
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
    ~Pipe() {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
    static int take(int& end) { return std::exchange(end, -1); }
};

void make_nonblocking(int descriptor) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

// Runs between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const char* directory, const cpu_set_t* cpus,
                         pid_t parent, const Pipe& in, const Pipe& out, const Pipe& err,
                         int report) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    ::dup2(in.read, STDIN_FILENO);
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    std::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (cpus != nullptr) ::sched_setaffinity(0, sizeof *cpus, cpus);
    if (directory[0] == '\0' || ::chdir(directory) == 0) ::execvp(arguments[0], arguments);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = ::write(report, &reason, sizeof reason);
    ::_exit(127);
}

}  // namespace

Result<std::unique_ptr<ChildProcess>, std::string> ChildProcess::start(const Settings& settings) {
    if (settings.arguments.empty()) return Error{std::string("no program given")};
    std::signal(SIGPIPE, SIG_IGN);  // a child that is gone is no reason to go as well
    Pipe in, out, err, report;
    if (!in.open() || !out.open() || !err.open() || !report.open())
        return Error{std::string("no pipe: ") + std::strerror(errno)};
    std::vector<char*> arguments;
    std::vector<std::string> copies = settings.arguments;
    arguments.reserve(copies.size() + 1);
    for (std::string& argument : copies) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (const int cpu : settings.cpus) CPU_SET(static_cast<unsigned>(cpu), &cpus);

    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) return Error{std::string("no new process: ") + std::strerror(errno)};
    if (pid == 0)
        become(arguments.data(), settings.directory.c_str(),
               settings.cpus.empty() ? nullptr : &cpus, parent, in, out, err, report.write);

    ::close(Pipe::take(report.write));
    int reason = 0;
    ssize_t size = 0;
    do size = ::read(report.read, &reason, sizeof reason);
    while (size < 0 && errno == EINTR);
    if (size == static_cast<ssize_t>(sizeof reason)) {
        ::waitpid(pid, nullptr, 0);
        return Error{"cannot start '" + settings.arguments.front() + "': " + std::strerror(reason)};
    }
    std::unique_ptr<ChildProcess> child(new ChildProcess);
    child->pid_ = pid;
    child->input_ = Pipe::take(in.write);
    child->output_ = Pipe::take(out.read);
    child->errors_ = Pipe::take(err.read);
    for (const int descriptor : {child->input_, child->output_, child->errors_})
        make_nonblocking(descriptor);
    return child;
}

ChildProcess::~ChildProcess() {
    // The whole group: a wrapper script may have left its engine behind.
    ::kill(-pid_, SIGKILL);
    if (!reaped_) ::waitpid(pid_, &status_, 0);
    for (const int descriptor : {input_, output_, errors_})
        if (descriptor >= 0) ::close(descriptor);
}

void ChildProcess::close_input() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
}

bool ChildProcess::running() {
    if (reaped_) return false;
    reaped_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
    return !reaped_;
}

std::string ChildProcess::ending() {
    if (running()) return {};
    if (WIFSIGNALED(status_))
        return "was killed by signal " + std::to_string(WTERMSIG(status_)) + " (" +
               ::strsignal(WTERMSIG(status_)) + ")";
    return "exited with code " + std::to_string(WEXITSTATUS(status_));
}

void ChildProcess::end(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (running() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (running()) {
        ::kill(-pid_, SIGKILL);
        reaped_ = ::waitpid(pid_, &status_, 0) == pid_;
    }
}

Result<std::vector<std::string>, std::string> split_command(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'') {
            if (++i == text.size()) return Error{std::string("a backslash ends the text")};
            word += text[i];
            inside = true;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            inside = true;
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            if (inside) words.push_back(std::exchange(word, {}));
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quote != 0) return Error{std::string("a quote is not closed")};
    if (inside) words.push_back(std::move(word));
    return words;
}

}  // namespace rokada::protocol
