// SPDX-License-Identifier: GPL-3.0-or-later
// rokada open: the site in the browser with one command. A server that runs already is used; otherwise one is started for
// this machine only, in the background, and the page's menu gets an Exit that stops it.
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "net/client.hpp"
#include "server/store/store.hpp"

namespace rokada::cli {
namespace {

struct OpenOptions {
    std::uint16_t port = 8080;
    std::string data;
    bool no_browser = false;
};

enum class Answer { Nobody, Rokada, Somebody };

// Who listens there: a Rokada server says so in the answer that every page asks for first.
Answer who_answers(net::HttpClient& client, const std::string& address) {
    net::ClientRequest request;
    request.url = address + "/api/v1/me";
    request.timeout = net::Milliseconds(1500);
    const auto response = client.fetch(std::move(request));
    if (!response)
        return response.error().kind == net::ClientError::Kind::kConnect ? Answer::Nobody
                                                                         : Answer::Somebody;
    const bool ours =
        response->status == 200 && response->body.find("\"registration\"") != std::string::npos;
    return ours ? Answer::Rokada : Answer::Somebody;
}

// Runs a program that outlives this one. The child of the child belongs to nobody, so nobody must wait for it.
bool run_detached(const std::vector<std::string>& words, const std::string& log) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::array<int, 2> report{};  // carries a byte when the program could not be started
    if (::pipe2(report.data(), O_CLOEXEC) != 0) return false;
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child == 0) {
        ::setsid();
        if (::fork() != 0) ::_exit(0);
        const int nothing = ::open("/dev/null", O_RDWR);
        const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
        ::dup2(out >= 0 ? out : nothing, STDERR_FILENO);
        ::execvp(arguments[0], arguments.data());
        [[maybe_unused]] const auto told = ::write(report[1], "x", 1);
        ::_exit(127);
    }
    ::close(report[1]);
    ::waitpid(child, nullptr, 0);
    char byte = 0;
    const bool failed = ::read(report[0], &byte, 1) == 1;
    ::close(report[0]);
    return !failed;
}

std::string own_program() {
    std::array<char, 4096> path{};
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : "rokada";
}

bool start_server(net::HttpClient& client, const OpenOptions& options, const std::string& address) {
    namespace fs = std::filesystem;
    const fs::path folder =
        options.data.empty() ? server::default_data_folder() : fs::path(options.data);
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    const std::string log = (folder / "open.log").string();
    if (!run_detached({own_program(), "serve", "--port", std::to_string(options.port), "--data",
                       folder.string(), "--exit-from-page"},
                      log))
        return false;
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (who_answers(client, address) == Answer::Rokada) return true;
    }
    fmt::print(stderr, "rokada open: the server did not start, see {}\n", log);
    return false;
}

bool open_browser(const std::string& address) {
    for (const char* opener : {"xdg-open", "open", "wslview", "sensible-browser"})
        if (run_detached({opener, address}, "/dev/null")) return true;
    return false;
}

int run(const OpenOptions& options) {
    const std::string address = fmt::format("http://localhost:{}", options.port);
    net::Loops loops(1);
    net::HttpClient client(loops);
    switch (who_answers(client, address)) {
        case Answer::Somebody:
            fmt::print(stderr, "rokada open: another program uses port {}; try --port {}\n",
                       options.port, options.port + 1);
            return 1;
        case Answer::Nobody:
            if (!start_server(client, options, address)) return 1;
            fmt::print("Rokada runs at {}; Exit in the page's menu stops it.\n", address);
            break;
        case Answer::Rokada: fmt::print("Rokada runs at {}\n", address); break;
    }
    if (!options.no_browser && !open_browser(address))
        fmt::print("No browser was found here; open the address yourself.\n");
    return 0;
}

}  // namespace

void add_open(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<OpenOptions>();
    CLI::App* command =
        app.add_subcommand("open", "Start a local server if none runs, open the browser");
    command->add_option("--port", options->port, "Port of the server")
        ->check(CLI::Range(1, 65535))
        ->envname("ROKADA_PORT");
    command->add_option("--data", options->data, "Folder of the data (made if missing)")
        ->envname("ROKADA_DATA");
    command->add_flag("--no-browser", options->no_browser, "Only start the server");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace rokada::cli
