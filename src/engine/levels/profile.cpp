// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/profile.hpp"

#include <algorithm>
#include <array>

namespace rokada::engine {

namespace {

constexpr int chance(int per_mille) { return per_mille * 65536 / 1000; }

// clang-format off
constexpr std::array<Profile, 8> kKnots{{
    //  Elo   nodes  percept chain noise temp  cap  knowl  recapture     own mate      prevent       queen         stalemate
    { 400,      60,    110,    1,   70,  500, 1000,    0, chance(850),  chance(550),  chance(350),  chance(800),  chance(600)},
    { 800,     200,    220,    2,   50,  350,  800,  200, chance(970),  chance(820),  chance(650),  chance(940),  chance(900)},
    {1200,     800,    318,    3,   35,  220,  600,  450, chance(1000), chance(950),  chance(870),  chance(990),  chance(1000)},
    {1600,    3000,    460,    5,   20,  130,  400,  700, chance(1000), chance(995),  chance(970),  chance(1000), chance(1000)},
    {2000,    5000,    800,   30,    0,   70,  250, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    {2400,   16000,    800,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    {2800,   80000,    800,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    {3200,  600000,    800,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
}};
// clang-format on

// Nodes grow by a factor from knot to knot, everything else by a difference. Integers only: no logarithm.
int geometric(int low, int high, int part, int whole) {
    // Halve the interval until the part is reached: the middle of two values is their geometric mean.
    std::int64_t a = low, b = high;
    int left = 0, right = whole * 64;
    const int wanted = part * 64;
    for (int i = 0; i < 12 && right - left > 1; ++i) {
        std::int64_t mean = 1;
        while ((mean + 1) * (mean + 1) <= a * b) mean = mean + std::max<std::int64_t>(1, mean / 64);
        while (mean * mean > a * b) --mean;
        const int middle = (left + right) / 2;
        if (wanted < middle) {
            b = mean;
            right = middle;
        } else {
            a = mean;
            left = middle;
        }
    }
    return static_cast<int>(a);
}

}  // namespace

Profile profile_for(int elo) {
    elo = std::clamp(elo, kWeakestElo, kStrongestElo);
    std::size_t i = 0;
    while (i + 2 < kKnots.size() && elo >= kKnots[i + 1].elo) ++i;
    const Profile &low = kKnots[i], &high = kKnots[i + 1];
    const int part = elo - low.elo, whole = high.elo - low.elo;
    const auto mix = [&](int a, int b) { return a + (b - a) * part / whole; };
    Profile p;
    p.elo = elo;
    p.nodes = part == whole ? high.nodes : geometric(low.nodes, high.nodes, part, whole);
    p.perception = mix(low.perception, high.perception);
    p.capture_chain = mix(low.capture_chain, high.capture_chain);
    p.noise = mix(low.noise, high.noise);
    p.temperature = mix(low.temperature, high.temperature);
    p.cap = mix(low.cap, high.cap);
    p.knowledge = mix(low.knowledge, high.knowledge);
    p.recapture = mix(low.recapture, high.recapture);
    p.own_mate = mix(low.own_mate, high.own_mate);
    p.prevent_mate = mix(low.prevent_mate, high.prevent_mate);
    p.notice_queen = mix(low.notice_queen, high.notice_queen);
    p.avoid_stalemate = mix(low.avoid_stalemate, high.avoid_stalemate);
    return p;
}

}  // namespace rokada::engine
