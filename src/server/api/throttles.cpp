// SPDX-License-Identifier: GPL-3.0-or-later
#include "server/api/throttles.hpp"

namespace rokada::server {

net::RateLimiter::Verdict Throttle::take(std::string_view key, int cost) {
    const auto verdict = limiter_.take(key, cost);
    if (verdict.allowed && taken_) taken_(key, cost);
    return verdict;
}

void Throttle::forget(std::string_view key) {
    limiter_.forget(key);
    if (taken_) taken_(key, 0);
}

void Throttle::taken_elsewhere(std::string_view key, int cost) {
    if (cost == 0) return limiter_.forget(key);
    limiter_.take(key, cost);
}

Throttles::Throttles(const Limits& limits)
    : live_messages(limits.live_messages),
      login_account(limits.login_account),
      login_address(limits.login_address),
      register_address(limits.register_address),
      guest_address(limits.guest_address),
      new_game(limits.new_game),
      engine_address(limits.engine_address),
      chat(limits.chat) {}

template <class Visitor>
void Throttles::for_each_shared(Visitor visitor) {
    visitor("login_account", login_account);
    visitor("login_address", login_address);
    visitor("register_address", register_address);
    visitor("guest_address", guest_address);
    visitor("new_game", new_game);
    visitor("engine_address", engine_address);
    visitor("chat", chat);
}

void Throttles::tell(const Taken& taken) {
    for_each_shared([&taken](std::string_view name, Throttle& throttle) {
        throttle.tell([taken, name](std::string_view key, int cost) { taken(name, key, cost); });
    });
}

void Throttles::taken_elsewhere(std::string_view name, std::string_view key, int cost) {
    for_each_shared([name, key, cost](std::string_view known, Throttle& throttle) {
        if (known == name) throttle.taken_elsewhere(key, cost);
    });
}

}  // namespace rokada::server
