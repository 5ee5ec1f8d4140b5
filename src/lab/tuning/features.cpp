// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/tuning/features.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/evaluation/classical.hpp"
#include "engine/evaluation/endgame.hpp"

namespace rokada::lab {

namespace {

using engine::kDangerCount;
using engine::kTerms;
using engine::kWeightCount;
using engine::Term;
using engine::TermGroup;

constexpr std::size_t kShelterPercent =
    offsetof(engine::DangerWeights, shelter_percent) / sizeof(int);
static_assert(engine::kDangerTerms[kShelterPercent] == "shelter_percent");
constexpr std::size_t kComplexity[4] = {
    offsetof(engine::Weights, complexity_pawn) / sizeof(engine::Tapered),
    offsetof(engine::Weights, complexity_both_flanks) / sizeof(engine::Tapered),
    offsetof(engine::Weights, complexity_pawn_ending) / sizeof(engine::Tapered),
    offsetof(engine::Weights, complexity_base) / sizeof(engine::Tapered)};
constexpr float kMaxPhase = 24;

// Below this a king is so safe that no tuning step brings it into danger.
constexpr int kSafeUnits = -250;

float middlegame(const TunedValues& v, std::size_t weight) { return v[2 * weight]; }
float endgame(const TunedValues& v, std::size_t weight) { return v[2 * weight + 1]; }

template <class F>
void for_group(TermGroup group, F f) {
    for (const Term& term : kTerms)
        if (term.group == group)
            for (std::size_t i = term.first; i < term.first + term.count; ++i) f(i);
}

// The danger in centipawns, and its slopes.
struct Danger {
    float middlegame = 0, endgame = 0, slope_middlegame = 0, slope_endgame = 0;
};
Danger danger_of(float units) {
    if (units <= static_cast<float>(engine::kDangerThreshold)) return {};
    const bool capped = units > static_cast<float>(engine::kDangerMost);
    const float u = capped ? static_cast<float>(engine::kDangerMost) : units;
    const float square = engine::kDangerSquareDivisor, line = engine::kDangerEndgameDivisor;
    return {-u * u / square, -u / line, capped ? 0 : -2 * u / square, capped ? 0 : -1 / line};
}

}  // namespace

TunedValues current_values() {
    TunedValues values(kTunedCount);
    const engine::Tapered* const weights = engine::kWeights.material.data();
    for (std::size_t i = 0; i < kWeightCount; ++i) {
        values[2 * i] = static_cast<float>(weights[i].middlegame());
        values[2 * i + 1] = static_cast<float>(weights[i].endgame());
    }
    const int* const danger = &engine::kDanger.knight_attacker;
    for (std::size_t i = 0; i < kDangerCount; ++i)
        values[kDangerBegin + i] = static_cast<float>(danger[i]);
    return values;
}

bool TuningSet::add(const Position& position, float score) {
    engine::Trace trace;
    const engine::ClassicalResult result = engine::trace_classical(position, trace);
    if (result.special) return false;

    TuningPosition out;
    out.score = score;
    out.first = static_cast<std::uint32_t>(features_.size());
    out.phase = static_cast<std::uint8_t>(result.phase);
    out.scale_white = static_cast<std::uint8_t>(trace.scale[Color::White]);
    out.scale_black = static_cast<std::uint8_t>(trace.scale[Color::Black]);
    for (std::size_t i = 0; i < 4; ++i) {
        PerColor<int>& count = trace.counts[kComplexity[i]];
        out.complexity[i] = static_cast<std::uint8_t>(count[Color::White] + count[Color::Black]);
        count = PerColor<int>{};
    }
    const auto push = [&](std::size_t weight, int count, std::uint16_t& list) {
        if (count == 0) return;
        features_.push_back({static_cast<std::uint16_t>(weight), static_cast<std::int16_t>(count)});
        ++list;
    };
    for (std::size_t i = 0; i < kWeightCount; ++i)
        push(i, trace.counts[i][Color::White] - trace.counts[i][Color::Black], out.plain);

    const engine::Tapered* const weights = engine::kWeights.material.data();
    const int* const danger = &engine::kDanger.knight_attacker;
    for (const Color king : kColors) {
        const auto& halves = trace.danger_halves[king];
        int shelter = 0;
        for_group(TermGroup::King, [&](std::size_t i) {
            shelter += weights[i].middlegame() * trace.counts[i][king];
        });
        int units = danger[kShelterPercent] * shelter / 100;
        for (std::size_t i = 0; i < kDangerCount; ++i)
            if (i != kShelterPercent) units += halves[i] * danger[i] / 2;
        if (units < kSafeUnits) continue;
        std::uint16_t& list = king == Color::White ? out.danger_white : out.danger_black;
        for (std::size_t i = 0; i < kDangerCount; ++i)
            if (i != kShelterPercent) push(i, halves[i], list);
        for_group(TermGroup::King,
                  [&](std::size_t i) { push(kDangerCount + i, trace.counts[i][king], list); });
    }
    positions_.push_back(out);
    return true;
}

TuningSet::Forward TuningSet::forward(const TuningPosition& p, const TunedValues& v) const {
    Forward state;
    const Feature* feature = &features_[p.first];
    float mg = 0, eg = 0;
    for (int i = 0; i < p.plain; ++i, ++feature) {
        mg += middlegame(v, feature->weight) * feature->count;
        eg += endgame(v, feature->weight) * feature->count;
    }
    const float percent = v[kDangerBegin + kShelterPercent] / 100;
    const auto units = [&](int count, float& shelter) {
        float sum = 0;
        for (int i = 0; i < count; ++i, ++feature)
            if (feature->weight < kDangerCount)
                sum += v[kDangerBegin + feature->weight] * feature->count / 2;
            else
                shelter += middlegame(v, feature->weight - kDangerCount) * feature->count;
        return sum + percent * shelter;
    };
    state.units_white = units(p.danger_white, state.shelter_white);
    state.units_black = units(p.danger_black, state.shelter_black);
    const Danger white = danger_of(state.units_white), black = danger_of(state.units_black);
    mg += white.middlegame - black.middlegame;
    eg += white.endgame - black.endgame;

    float change = 0;
    for (std::size_t i = 0; i < 4; ++i) change += endgame(v, kComplexity[i]) * p.complexity[i];
    const float size = std::abs(eg), side = eg >= 0 ? 1.0f : -1.0f;
    float endgame_slope = 1;
    if (change <= -size) {
        endgame_slope = 0;
        eg = 0;
    } else if (change >= size) {
        endgame_slope = 2;
        eg *= 2;
    } else {
        eg += side * change;
        state.complexity_slope = side;
    }
    const auto scale = static_cast<float>(side > 0 ? p.scale_white : p.scale_black);
    const float late = scale / engine::kFullScale * (kMaxPhase - p.phase) / kMaxPhase;
    state.endgame_factor = late * endgame_slope;
    state.complexity_slope *= late;
    state.value = mg * p.phase / kMaxPhase + eg * late;
    return state;
}

void TuningSet::backward(const TuningPosition& p, const TunedValues& v, const Forward& state,
                         float slope, std::vector<float>& gradient) const {
    const Feature* feature = &features_[p.first];
    const float mg = slope * p.phase / kMaxPhase, eg = slope * state.endgame_factor;
    for (int i = 0; i < p.plain; ++i, ++feature) {
        gradient[2u * feature->weight] += mg * feature->count;
        gradient[2u * feature->weight + 1] += eg * feature->count;
    }
    const float percent = v[kDangerBegin + kShelterPercent] / 100;
    const auto danger = [&](int count, float units, float shelter, float sign) {
        const Danger d = danger_of(units);
        const float by_unit = sign * (mg * d.slope_middlegame + eg * d.slope_endgame);
        if (by_unit == 0) {
            feature += count;
            return;
        }
        for (int i = 0; i < count; ++i, ++feature)
            if (feature->weight < kDangerCount)
                gradient[kDangerBegin + feature->weight] += by_unit * feature->count / 2;
            else
                gradient[2u * (feature->weight - kDangerCount)] +=
                    by_unit * percent * feature->count;
        gradient[kDangerBegin + kShelterPercent] += by_unit * shelter / 100;
    };
    danger(p.danger_white, state.units_white, state.shelter_white, 1);
    danger(p.danger_black, state.units_black, state.shelter_black, -1);
    for (std::size_t i = 0; i < 4; ++i)
        gradient[2 * kComplexity[i] + 1] += slope * state.complexity_slope * p.complexity[i];
}

double TuningSet::evaluate(std::size_t index, const TunedValues& values) const {
    return forward(positions_[index], values).value;
}

}  // namespace rokada::lab
