// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/private_postgres.hpp"

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include "server/store/postgres_session.hpp"

namespace rokada::server::test {
namespace fs = std::filesystem;

PrivatePostgres* PrivatePostgres::get() {
    static const std::unique_ptr<PrivatePostgres> instance = [] {
        std::unique_ptr<PrivatePostgres> made(new PrivatePostgres);
        if (!made->start()) made.reset();
        return made;
    }();
    return instance.get();
}

int PrivatePostgres::run(const std::string& program, const std::string& arguments) const {
    // PostgreSQL refuses to run as root.
    const std::string who = ::geteuid() == 0 ? "runuser -u postgres -- " : "";
    const std::string command = "cd " + folder_.path().string() + " && " + who + programs_ + "/" +
                                program + " " + arguments + " >" +
                                (folder_.path() / (program + ".out")).string() + " 2>&1 </dev/null";
    const pid_t pid = ::fork();
    if (pid == 0) {
        // It outlives this call, and must not keep the sockets of servers and clients in this program open.
        ::close_range(3, ~0U, 0);
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    int status = -1;
    ::waitpid(pid, &status, 0);
    return status;
}

bool PrivatePostgres::start() {
    if (!fs::exists("/usr/lib/postgresql")) return false;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql"))
        if (fs::exists(entry.path() / "bin/initdb")) programs_ = (entry.path() / "bin").string();
    if (programs_.empty()) return false;
    if (::geteuid() == 0 && std::system(("chown postgres " + folder_.path().string()).c_str()) != 0)
        return false;
    const std::string data = (folder_.path() / "db").string();
    if (run("initdb", "-D " + data + " -U postgres -A trust -N --no-instructions") != 0)
        return false;
    const std::string options =
        "-c listen_addresses= -c fsync=off -c unix_socket_directories=" + folder_.path().string();
    running_ = run("pg_ctl", "-D " + data + " -w -t 60 -o \"" + options + "\" start") == 0;
    return running_;
}

void PrivatePostgres::restart(bool in_good_order) {
    const std::string mode = in_good_order ? "fast" : "immediate";
    run("pg_ctl", "-D " + (folder_.path() / "db").string() + " -w -t 60 -m " + mode + " restart");
}

PrivatePostgres::~PrivatePostgres() {
    if (running_) run("pg_ctl", "-D " + (folder_.path() / "db").string() + " -w -m immediate stop");
}

std::string PrivatePostgres::fresh_url() {
    const std::string base = "postgresql:///postgres?user=postgres&host=" + folder_.path().string();
    const std::string schema = "t" + std::to_string(++schemas_);
    open_postgres(base)->script("CREATE SCHEMA " + schema);
    return base + "&options=-csearch_path%3D" + schema;
}

std::string PrivatePostgres::socket() const { return (folder_.path() / ".s.PGSQL.5432").string(); }

std::string PrivatePostgres::by_way_of(const std::string& url, std::uint16_t port) const {
    const std::string host = "host=" + folder_.path().string();
    std::string result = url;
    return result.replace(result.find(host), host.size(),
                          "sslmode=disable&host=127.0.0.1&port=" + std::to_string(port));
}

}  // namespace rokada::server::test
