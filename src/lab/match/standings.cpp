// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "lab/match/tournament.hpp"

namespace rokada::lab {

namespace {

void count(WinsDrawsLosses& games, int points) {
    if (points == 2)
        ++games.wins;
    else if (points == 1)
        ++games.draws;
    else
        ++games.losses;
}

Encounter reversed(const Encounter& e) {
    Encounter r{{e.games.losses, e.games.draws, e.games.wins}, e.pairs};
    std::reverse(r.pairs.begin(), r.pairs.end());
    return r;
}

}  // namespace

Standings::Standings(std::size_t engines) : totals_(engines) {}

void Standings::add(const Pairing& pairing, int white_points, Ending ending) {
    ++finished_;
    count(totals_[pairing.white].games, white_points);
    count(totals_[pairing.black].games, 2 - white_points);
    // The loser is the one who failed; a flag that fell without a winner stays uncounted here.
    EngineTotals& loser = totals_[white_points == 2 ? pairing.black : pairing.white];
    if (white_points != 1) {
        if (ending == Ending::TimeLoss)
            ++loser.time_losses;
        else if (ending == Ending::IllegalMove)
            ++loser.illegal_moves;
        else if (ending == Ending::Crash)
            ++loser.crashes;
        else if (ending == Ending::Hang)
            ++loser.hangs;
        else if (ending == Ending::Garbage || ending == Ending::FalseClaim ||
                 ending == Ending::StartFailure)
            ++loser.other_failures;
    }
    const std::size_t first = std::min(pairing.white, pairing.black);
    const std::size_t second = std::max(pairing.white, pairing.black);
    Encounter& encounter = encounters_[{first, second}];
    const int first_points = pairing.white == first ? white_points : 2 - white_points;
    count(encounter.games, first_points);

    const auto half = half_pairs_.find(pairing.pair);
    if (half == half_pairs_.end()) {
        half_pairs_.emplace(pairing.pair, std::make_pair(pairing, first_points));
    } else {
        // Only two games with swapped colours make a pair.
        if (half->second.first.white == pairing.black)
            ++encounter.pairs[static_cast<std::size_t>(half->second.second + first_points)];
        half_pairs_.erase(half);
    }
}

Encounter Standings::encounter(std::size_t first, std::size_t second) const {
    const auto found = encounters_.find({std::min(first, second), std::max(first, second)});
    if (found == encounters_.end()) return {};
    return first < second ? found->second : reversed(found->second);
}

PairCounts Standings::pairs_of(std::size_t engine) const {
    PairCounts sum{};
    for (std::size_t other = 0; other < totals_.size(); ++other) {
        if (other == engine) continue;
        const Encounter e = encounter(engine, other);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += e.pairs[i];
    }
    return sum;
}

std::vector<std::size_t> Standings::ranking() const {
    std::vector<std::size_t> order(totals_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        const auto points = [this](std::size_t i) {
            return 2 * totals_[i].games.wins + totals_[i].games.draws;
        };
        const double score_a = totals_[a].games.score(), score_b = totals_[b].games.score();
        return score_a != score_b ? score_a > score_b : points(a) > points(b);
    });
    return order;
}

}  // namespace rokada::lab
