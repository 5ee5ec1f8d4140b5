// SPDX-License-Identifier: GPL-3.0-or-later
// Token buckets by key (account, address, route). Used by the server's throttles. Thread-safe;
// memory is bounded: when full, the bucket unused for longest is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "net/loop.hpp"

namespace rokada::net {

struct RateLimit {
    double burst = 20;                                  // tokens in a full bucket
    Clock::duration period = std::chrono::minutes(15);  // time in which an empty bucket fills
};

class RateLimiter {
  public:
    explicit RateLimiter(RateLimit limit, std::size_t max_keys = 65'536);

    struct Verdict {
        bool allowed = true;
        double remaining = 0;
        Clock::duration retry_after{};  // until the cost asked for is there
    };
    // Takes `cost` tokens, or none if there are not enough.
    Verdict take(std::string_view key, double cost = 1, Clock::time_point now = Clock::now());
    // Looks without taking.
    Verdict peek(std::string_view key, double cost = 1, Clock::time_point now = Clock::now()) const;
    void forget(std::string_view key);  // a full bucket again (after a successful login)
    std::size_t size() const;

  private:
    struct Bucket {
        std::string key;
        double tokens = 0;
        Clock::time_point updated;
    };
    using Buckets = std::list<Bucket>;  // most recently used first

    double refilled(const Bucket& bucket, Clock::time_point now) const;
    Verdict verdict(double tokens, double cost) const;

    RateLimit limit_;
    double per_second_;
    std::size_t max_keys_;
    mutable std::mutex mutex_;
    Buckets buckets_;
    std::unordered_map<std::string_view, Buckets::iterator> index_;
};

}  // namespace rokada::net
