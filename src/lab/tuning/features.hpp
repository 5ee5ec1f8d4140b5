// SPDX-License-Identifier: GPL-3.0-or-later
// A position as the tuner sees it: how often each weight of the classical evaluation counts, and
// what the evaluation should have said. Evaluating it with other weights is then arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/evaluation/weights.hpp"

namespace rokada {
class Position;
}

namespace rokada::lab {

// All numbers that are tuned, flat: middlegame and endgame value of every weight, then the units of
// danger to a king.
inline constexpr std::size_t kDangerBegin = 2 * engine::kWeightCount;
inline constexpr std::size_t kTunedCount = kDangerBegin + engine::kDangerCount;
using TunedValues = std::vector<float>;
TunedValues current_values();  // those compiled into this program

struct Feature {
    std::uint16_t weight = 0;
    std::int16_t count = 0;
};

struct TuningPosition {
    float score = 0;  // what it should be worth for White, 0 (lost) to 1 (won)
    std::uint32_t first = 0;
    std::uint16_t plain = 0;                           // features counted White minus Black
    std::uint16_t danger_white = 0, danger_black = 0;  // features of each king's danger
    std::uint8_t phase = 0;                            // 0 to 24
    std::uint8_t scale_white = 64, scale_black = 64;
    // How often complexity_pawn, _both_flanks, _pawn_ending and _base count.
    std::uint8_t complexity[4] = {};
};

// In a danger list, an index from kDangerCount on is a weight of the king's shelter, whose
// middlegame value is part of the danger.
class TuningSet {
  public:
    // False if the position has an evaluation of its own, which no weight changes.
    bool add(const Position& position, float score);

    std::size_t size() const { return positions_.size(); }
    std::size_t feature_count() const { return features_.size(); }
    const TuningPosition& operator[](std::size_t i) const { return positions_[i]; }

    // Centipawns for White with these values.
    double evaluate(std::size_t index, const TunedValues& values) const;
    // Adds slope times the gradient of evaluate() to `gradient`; returns the evaluation.
    // `slope_of` gives the slope once the evaluation is known.
    template <class SlopeOf>
    double accumulate(std::size_t index, const TunedValues& values, SlopeOf slope_of,
                      std::vector<float>& gradient) const;

  private:
    struct Forward;
    Forward forward(const TuningPosition& position, const TunedValues& values) const;
    void backward(const TuningPosition& position, const TunedValues& values, const Forward& state,
                  float slope, std::vector<float>& gradient) const;

    std::vector<TuningPosition> positions_;
    std::vector<Feature> features_;
};

struct TuningSet::Forward {
    float units_white = 0, units_black = 0;
    float shelter_white = 0, shelter_black = 0;
    float endgame_factor = 1;    // of the endgame sum in the value, phase and scale included
    float complexity_slope = 0;  // of a change of complexity in the endgame sum
    float value = 0;
};

template <class SlopeOf>
double TuningSet::accumulate(std::size_t index, const TunedValues& values, SlopeOf slope_of,
                             std::vector<float>& gradient) const {
    const TuningPosition& position = positions_[index];
    const Forward state = forward(position, values);
    backward(position, values, state, slope_of(state.value, position.score), gradient);
    return state.value;
}

}  // namespace rokada::lab
