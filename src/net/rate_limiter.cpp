// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/rate_limiter.hpp"

#include <algorithm>

namespace rokada::net {

RateLimiter::RateLimiter(RateLimit limit, std::size_t max_keys)
    : limit_(limit),
      per_second_(limit.burst / std::chrono::duration<double>(limit.period).count()),
      max_keys_(std::max<std::size_t>(max_keys, 1)) {}

double RateLimiter::refilled(const Bucket& bucket, Clock::time_point now) const {
    const double seconds =
        std::max(0.0, std::chrono::duration<double>(now - bucket.updated).count());
    return std::min(limit_.burst, bucket.tokens + seconds * per_second_);
}

RateLimiter::Verdict RateLimiter::verdict(double tokens, double cost) const {
    // A millionth of slack: refilling adds up fractions.
    if (tokens + 1e-6 >= cost) return {true, std::max(0.0, tokens - cost), {}};
    const std::chrono::duration<double> wait((cost - tokens) / per_second_);
    return {false, tokens, std::chrono::duration_cast<Clock::duration>(wait)};
}

RateLimiter::Verdict RateLimiter::take(std::string_view key, double cost, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    auto found = index_.find(key);
    if (found == index_.end()) {
        if (index_.size() >= max_keys_) {
            index_.erase(buckets_.back().key);
            buckets_.pop_back();
        }
        buckets_.push_front({std::string(key), limit_.burst, now});
        found = index_.emplace(buckets_.front().key, buckets_.begin()).first;
    } else {
        buckets_.splice(buckets_.begin(), buckets_, found->second);
    }
    Bucket& bucket = *found->second;
    bucket.tokens = refilled(bucket, now);
    bucket.updated = std::max(bucket.updated, now);
    const Verdict result = verdict(bucket.tokens, cost);
    if (result.allowed) bucket.tokens = result.remaining;
    return result;
}

RateLimiter::Verdict RateLimiter::peek(std::string_view key, double cost,
                                       Clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(key);
    return verdict(found == index_.end() ? limit_.burst : refilled(*found->second, now), cost);
}

void RateLimiter::forget(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    const Buckets::iterator bucket = found->second;
    index_.erase(found);
    buckets_.erase(bucket);
}

std::size_t RateLimiter::size() const {
    const std::lock_guard lock(mutex_);
    return index_.size();
}

}  // namespace rokada::net
