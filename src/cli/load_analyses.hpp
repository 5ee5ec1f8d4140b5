// SPDX-License-Identifier: GPL-3.0-or-later
// Visitors who keep the engine's queue of a server full for as long as this object lives. Used by
// `rokada lab load`.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "net/client.hpp"

namespace rokada::cli {

class FullAnalysisQueue {
  public:
    // Comes back when the server has refused the first one; throws when it takes them without end.
    explicit FullAnalysisQueue(std::string url);
    ~FullAnalysisQueue();
    FullAnalysisQueue(const FullAnalysisQueue&) = delete;
    FullAnalysisQueue& operator=(const FullAnalysisQueue&) = delete;
    int open() const { return open_; }  // analyses that were taken until then

  private:
    int post(const std::string& path, const std::string& body, std::string& cookie);
    int ask(std::string& cookie);
    void fill();
    void keep_full();

    const std::string url_;
    net::Loops loops_{1};
    net::HttpClient client_{loops_};
    std::vector<std::string> users_;  // by their cookies
    int open_ = 0;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace rokada::cli
