// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/load_analyses.hpp"

#include <stdexcept>
#include <utility>

namespace rokada::cli {
namespace {

// Three for each (docs/server.md): more than twice as many as the queue holds.
constexpr int kMostUsers = 200, kAnalysesOfOne = 3;
constexpr int kFull = 503;

}  // namespace

FullAnalysisQueue::FullAnalysisQueue(std::string url) : url_(std::move(url)) {
    fill();
    thread_ = std::thread([this] { keep_full(); });
}

FullAnalysisQueue::~FullAnalysisQueue() {
    stop_ = true;
    thread_.join();
}

int FullAnalysisQueue::post(const std::string& path, const std::string& body, std::string& cookie) {
    net::ClientRequest request;
    request.method = net::Method::kPost;
    request.url = url_ + path;
    request.headers.set("Origin", url_);
    request.headers.set("Content-Type", "application/json");
    if (!cookie.empty()) request.headers.set("Cookie", cookie);
    request.body = body;
    const auto answer = client_.fetch(std::move(request));
    if (!answer) throw std::runtime_error("analyses: " + answer.error().message);
    if (const std::string_view set = answer->headers.get("Set-Cookie"); !set.empty())
        cookie = std::string(set.substr(0, set.find(';')));
    return answer->status;
}

int FullAnalysisQueue::ask(std::string& cookie) {
    return post("/api/v1/analyses", R"({"movetime":60000,"live":false})", cookie);
}

void FullAnalysisQueue::fill() {
    for (int i = 0; i < kMostUsers; ++i) {
        std::string cookie;
        // Users, because all guests of one address may have as many analyses together as one user.
        const std::string account =
            R"({"username":"asker)" + std::to_string(i) + R"(","password":"one question more"})";
        if (const int status = post("/api/v1/register", account, cookie); status != 201)
            throw std::runtime_error("a user was refused: " + std::to_string(status));
        for (int n = 0; n < kAnalysesOfOne; ++n) {
            const int status = ask(cookie);
            if (status == kFull) {
                users_.push_back(cookie);
                return;
            }
            if (status != 201)
                throw std::runtime_error("an analysis was refused: " + std::to_string(status));
            ++open_;
        }
        users_.push_back(cookie);
    }
    throw std::runtime_error("the queue of analyses never was full");
}

void FullAnalysisQueue::keep_full() {
    // Whoever has ended one asks again; all others are refused, which costs little.
    for (std::size_t next = 0; !stop_; next = (next + 1) % users_.size()) {
        try {
            if (ask(users_[next]) != 201)
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
        } catch (const std::runtime_error&) {
            return;  // the server has ended
        }
    }
}

}  // namespace rokada::cli
