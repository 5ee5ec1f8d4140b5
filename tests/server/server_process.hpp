// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada serve` and `rokada worker` as processes of their own, to be killed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace rokada::server::test {

class ServerProcess {
  public:
    // Waits for the line that says it is ready; throws when it does not come.
    explicit ServerProcess(const std::filesystem::path& data, std::vector<std::string> more = {});
    ~ServerProcess();  // kill
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    const std::string& origin() const { return origin_; }
    void kill();  // -9: nothing is flushed, nobody is told
    int stop();   // SIGTERM; the exit code
    pid_t pid() const { return pid_; }

  protected:
    ServerProcess() = default;
    // The first line with this in it, from there on.
    std::string start(std::vector<std::string> words, const std::string& awaited);

  private:
    pid_t pid_ = -1;
    std::string origin_;
};

class WorkerProcess : public ServerProcess {
  public:
    explicit WorkerProcess(const std::vector<std::string>& words);
};

}  // namespace rokada::server::test
