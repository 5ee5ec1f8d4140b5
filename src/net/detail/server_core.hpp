// SPDX-License-Identifier: GPL-3.0-or-later
// What all connections of one server share: routes, limits, hooks, counters. Lives as long as the
// last of them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/detail/group.hpp"
#include "net/server.hpp"

namespace rokada::net::detail {

struct ServerCore : std::enable_shared_from_this<ServerCore> {
    ServerCore(Loops& on_loops, Router routes, ServerOptions given);

    Loops& loops;
    const Router router;
    const ServerLimits limits;
    const ServerHooks hooks;
    const std::vector<AddressRange> trusted_proxies, uncapped;
    std::vector<std::shared_ptr<Group>> groups;  // one for each loop
    std::atomic<bool> stopping{false};

    std::atomic<std::size_t> websockets{0};
    std::atomic<std::size_t> streams{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> bad_requests{0};
    std::atomic<std::uint64_t> timeouts{0};
    std::atomic<std::uint64_t> slow_readers{0};

    // The right to one connection, given back when it is destroyed. Null: over a cap.
    std::shared_ptr<void> take_slot(const Address& peer);
    std::size_t connections() const;
    bool wait_until_empty(Clock::time_point deadline);

    void set_tls(std::shared_ptr<TlsContextHolder> holder);
    std::shared_ptr<TlsContextHolder> tls() const;

    // Hooks, with exceptions caught and reported.
    void report(const std::string& what) const;
    Response make_error(int status, const Request* request, std::string_view detail = {}) const;
    void decorate(const Request* request, Response& response) const;

  private:
    void release(const std::string& key);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t connections_ = 0;
    std::unordered_map<std::string, std::size_t> per_address_;
    std::shared_ptr<TlsContextHolder> tls_;
};

// Runs something of the application; an exception is reported and gives false.
template <typename Run>
bool guarded(const ServerCore& core, const char* where, Run run) {
    try {
        run();
        return true;
    } catch (const std::exception& error) {
        core.report(std::string(where) + ": " + error.what());
    } catch (...) {
        core.report(std::string(where) + ": unknown exception");
    }
    return false;
}

}  // namespace rokada::net::detail
