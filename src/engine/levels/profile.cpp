// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels/profile.hpp"

#include <algorithm>
#include <array>

#include "engine/levels/scale.hpp"

namespace rokada::engine {

namespace {

constexpr int chance(int per_mille) { return per_mille * 65536 / 1000; }

// clang-format off
constexpr std::array<Profile, 11> kKnots{{
    // dial    nodes  percept fading chain noise temp  cap  knowl  recapture     guarded       take free     own mate      prevent       queen         stalemate
    {   0,        20,   -180,  500,    1,  120, 3000, 1400,    0, chance(650),  chance(10),   chance(300),  chance(300),  chance(50),   chance(700),  chance(600)},
    {  60,        30,    -30,  400,    1,   80, 1800, 1200,    0, chance(930),  chance(100),  chance(900),  chance(500),  chance(200),  chance(900),  chance(700)},
    { 150,       200,    300,  150,    2,   50,  350,  800,  200, chance(990),  chance(970),  chance(970),  chance(900),  chance(700),  chance(970),  chance(950)},
    { 300,       800,    450,  140,    3,   35,  220,  600,  450, chance(1000), chance(1000), chance(995),  chance(970),  chance(900),  chance(995),  chance(1000)},
    { 420,      3000,    580,  125,    5,   20,  130,  400,  700, chance(1000), chance(1000), chance(1000), chance(1000), chance(985),  chance(1000), chance(1000)},
    { 520,     10000,    720,  110,   10,   10,   70,  250, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    { 599,     30000,    800,  100,   30,    0,   30,  120, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    { 600,      1500,    800,  100,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    { 799,     24000,    800,  100,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    { 800,      8000,    800,  100,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
    {1000,   1000000,    800,  100,   30,    0,    0,    0, 1000, chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000), chance(1000)},
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

Profile profile_for_dial(int dial) {
    dial = std::clamp(dial, 0, kHighestDial);
    std::size_t i = 0;
    while (i + 2 < kKnots.size() && dial >= kKnots[i + 1].dial) ++i;
    const Profile &low = kKnots[i], &high = kKnots[i + 1];
    const int part = dial - low.dial, whole = high.dial - low.dial;
    const auto mix = [&](int a, int b) { return a + (b - a) * part / whole; };
    Profile p;
    p.dial = dial;
    p.nodes = part == whole ? high.nodes : geometric(low.nodes, high.nodes, part, whole);
    p.perception = mix(low.perception, high.perception);
    p.fading = mix(low.fading, high.fading);
    p.capture_chain = mix(low.capture_chain, high.capture_chain);
    p.noise = mix(low.noise, high.noise);
    p.temperature = mix(low.temperature, high.temperature);
    p.cap = mix(low.cap, high.cap);
    p.knowledge = mix(low.knowledge, high.knowledge);
    p.recapture = mix(low.recapture, high.recapture);
    p.guarded = mix(low.guarded, high.guarded);
    p.take_free = mix(low.take_free, high.take_free);
    p.own_mate = mix(low.own_mate, high.own_mate);
    p.prevent_mate = mix(low.prevent_mate, high.prevent_mate);
    p.notice_queen = mix(low.notice_queen, high.notice_queen);
    p.avoid_stalemate = mix(low.avoid_stalemate, high.avoid_stalemate);
    p.elo = elo_of_dial(dial);
    return p;
}

namespace {

// Between two points of the scale along a straight line, beyond its ends not at all.
int along(int ScalePoint::* from, int ScalePoint::* to, int value) {
    if (value <= kScale.front().*from) return kScale.front().*to;
    for (std::size_t i = 1; i < kScale.size(); ++i) {
        const ScalePoint &low = kScale[i - 1], &high = kScale[i];
        if (value > high.*from) continue;
        return low.*to + (high.*to - low.*to) * (value - low.*from) / (high.*from - low.*from);
    }
    return kScale.back().*to;
}

}  // namespace

int dial_for_elo(int elo) {
    return along(&ScalePoint::elo, &ScalePoint::dial, std::clamp(elo, kWeakestElo, kStrongestElo));
}

int elo_of_dial(int dial) { return along(&ScalePoint::dial, &ScalePoint::elo, dial); }

}  // namespace rokada::engine
