// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/detail/server_core.hpp"

#include "net/detail/wire.hpp"

namespace rokada::net::detail {

ServerCore::ServerCore(Loops& on_loops, Router routes, ServerOptions given)
    : loops(on_loops),
      router(std::move(routes)),
      limits(given.limits),
      hooks(std::move(given.hooks)),
      trusted_proxies(std::move(given.trusted_proxies)),
      uncapped(std::move(given.uncapped)) {
    for (std::size_t i = 0; i < loops.size(); ++i)
        groups.push_back(std::make_shared<Group>(loops.executor(i)));
    if (given.tls) tls_ = given.tls->holder();
}

std::shared_ptr<void> ServerCore::take_slot(const Address& peer) {
    const bool exempt = contains(trusted_proxies, peer) || contains(uncapped, peer);
    std::string key = exempt ? std::string() : peer.limit_key();
    {
        const std::lock_guard lock(mutex_);
        if (connections_ >= limits.connections) return nullptr;
        if (!key.empty()) {
            std::size_t& count = per_address_[key];
            if (count >= limits.connections_per_address) return nullptr;
            ++count;
        }
        ++connections_;
    }
    struct Slot {
        std::shared_ptr<ServerCore> core;
        std::string key;
        Slot(std::shared_ptr<ServerCore> of, std::string by)
            : core(std::move(of)), key(std::move(by)) {}
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot() { core->release(key); }
    };
    return std::make_shared<Slot>(shared_from_this(), std::move(key));
}

void ServerCore::release(const std::string& key) {
    const std::lock_guard lock(mutex_);
    --connections_;
    if (const auto entry = per_address_.find(key);
        entry != per_address_.end() && --entry->second == 0)
        per_address_.erase(entry);
    changed_.notify_all();
}

std::size_t ServerCore::connections() const {
    const std::lock_guard lock(mutex_);
    return connections_;
}

bool ServerCore::wait_until_empty(Clock::time_point deadline) {
    if (!loops.threaded()) {
        while (connections() > 0 && Clock::now() < deadline) loops.poll_for(Milliseconds(10));
        return connections() == 0;
    }
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [this] { return connections_ == 0; });
}

void ServerCore::set_tls(std::shared_ptr<TlsContextHolder> holder) {
    const std::lock_guard lock(mutex_);
    tls_ = std::move(holder);
}

std::shared_ptr<TlsContextHolder> ServerCore::tls() const {
    const std::lock_guard lock(mutex_);
    return tls_;
}

void ServerCore::report(const std::string& what) const {
    if (hooks.on_error) hooks.on_error(what);
}

Response ServerCore::make_error(int status, const Request* request, std::string_view detail) const {
    Response response;
    const bool made = hooks.make_error && guarded(*this, "make_error", [&] {
                          response = hooks.make_error(status, request);
                      });
    return made ? response : default_error(status, detail);
}

void ServerCore::decorate(const Request* request, Response& response) const {
    if (hooks.on_response)
        guarded(*this, "on_response", [&] { hooks.on_response(request, response); });
}

}  // namespace rokada::net::detail
