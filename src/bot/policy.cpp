// SPDX-License-Identifier: GPL-3.0-or-later
#include "bot/policy.hpp"

#include <algorithm>
#include <cmath>

namespace rokada::bot {

std::optional<std::string> reason_to_decline(const Policy& policy, const Challenge& challenge,
                                             int games_running) {
    const auto& variants = policy.variants;
    if (std::find(variants.begin(), variants.end(), challenge.variant) == variants.end())
        return variants == std::vector<std::string>{"standard"} ? "standard" : "variant";
    if (challenge.challenger.is_bot() && !policy.bots) return "noBot";
    if (!challenge.challenger.is_bot() && !policy.people) return "onlyBot";
    if (challenge.rated && !policy.rated) return "casual";
    if (!challenge.rated && !policy.casual) return "rated";
    if (challenge.limit) {
        const int limit = *challenge.limit, increment = challenge.increment.value_or(0);
        if (limit < policy.min_limit || increment < policy.min_increment) return "tooFast";
        if (limit > policy.max_limit || increment > policy.max_increment) return "tooSlow";
    } else if (!policy.correspondence) {
        return "timeControl";
    }
    if (games_running >= (challenge.limit ? policy.games : policy.correspondence_games))
        return "later";
    return std::nullopt;
}

int share_of_threads(int threads, int games) { return std::max(1, threads / std::max(1, games)); }

void Mood::add(int centipawns, std::size_t plies) {
    plies_ = plies;
    last_ = centipawns;
    bad_ = centipawns <= manners_.resign_score ? bad_ + 1 : 0;
    equal_ = std::abs(centipawns) <= manners_.draw_score ? equal_ + 1 : 0;
}

void Mood::take_back() { bad_ = equal_ = 0; }

bool Mood::wants_to_resign() const { return manners_.resign && bad_ >= manners_.resign_moves; }

bool Mood::wants_draw() const {
    return manners_.draw && equal_ >= manners_.draw_moves &&
           plies_ >= static_cast<std::size_t>(manners_.draw_from_ply);
}

bool Mood::would_claim() const { return manners_.draw && last_ <= manners_.draw_score; }

void Latency::add(Milliseconds answer) {
    const double time = static_cast<double>(answer.count());
    if (!any_) {
        any_ = true;
        mean_ = time;
        deviation_ = time / 2;
        return;
    }
    deviation_ += (std::abs(time - mean_) - deviation_) / 4;
    mean_ += (time - mean_) / 8;
}

Milliseconds Latency::overhead() const {
    constexpr double least = 50, unknown = 200, most = 2000;
    if (!any_) return Milliseconds(static_cast<int>(unknown));
    return Milliseconds(static_cast<int>(std::clamp(mean_ + 4 * deviation_, least, most)));
}

}  // namespace rokada::bot
