// SPDX-License-Identifier: GPL-3.0-or-later
// How many centipawns of the teacher's scores mean which share of the points, as the games themselves say. Used by
// `rokada lab train`, so that data of another teacher needs no guess.
#pragma once

#include <vector>

#include "lab/training/records.hpp"

namespace rokada::lab {

inline constexpr double kSmallestScale = 10, kLargestScale = 2000;

// The scale with which sigmoid(score / scale) is nearest to the results, in the mean of squares; without results, or if
// the scores say nothing about them, one of the two limits.
double fit_score_scale(const std::vector<Record>& records);

}  // namespace rokada::lab
