// SPDX-License-Identifier: GPL-3.0-or-later
// How often one account, address or player may do something. Used by the routes. What is taken at one
// of several servers is told to the others, which take it from theirs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "net/rate_limiter.hpp"

namespace rokada::server {

struct Limits {
    net::RateLimit login_account{20, std::chrono::minutes(15)};
    net::RateLimit login_address{300, std::chrono::minutes(10)};
    net::RateLimit register_address{120, std::chrono::minutes(10)};
    net::RateLimit guest_address{300, std::chrono::minutes(10)};
    net::RateLimit new_game{60, std::chrono::minutes(2)};
    net::RateLimit engine_address{120, std::chrono::minutes(1)};
    net::RateLimit chat{10, std::chrono::seconds(20)};
    double live_messages = 100;  // in 20 s on one live socket; half as many for spectators
};

class Throttle {
  public:
    explicit Throttle(net::RateLimit limit) : limiter_(limit) {}

    net::RateLimiter::Verdict take(std::string_view key, int cost = 1);
    void forget(std::string_view key);  // a clean slate, after a successful login

    // Cost 0: forgotten. Set before use.
    using Taken = std::function<void(std::string_view key, int cost)>;
    void tell(Taken taken) { taken_ = std::move(taken); }
    void taken_elsewhere(std::string_view key, int cost);

  private:
    net::RateLimiter limiter_;
    Taken taken_;
};

struct Throttles {
    explicit Throttles(const Limits& limits);
    double live_messages;
    Throttle login_account, login_address, register_address, guest_address, new_game,
        engine_address, chat;

    // Everything taken here is told under the name of the limit. Before use.
    using Taken = std::function<void(std::string_view name, std::string_view key, int cost)>;
    void tell(const Taken& taken);
    void taken_elsewhere(std::string_view name, std::string_view key, int cost);

  private:
    template <class Visitor>
    void for_each_shared(Visitor visitor);
};

}  // namespace rokada::server
