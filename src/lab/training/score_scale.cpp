// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/training/score_scale.hpp"

#include <cmath>
#include <map>
#include <numbers>

namespace rokada::lab {

namespace {

// Results of all records with the same score.
struct Bin {
    double count = 0, points = 0;
};

// But for what does not depend on the scale.
double error(const std::map<int, Bin>& bins, double scale) {
    double sum = 0;
    for (const auto& [score, bin] : bins) {
        const double p = 1 / (1 + std::exp(-score / scale));
        sum += p * (bin.count * p - 2 * bin.points);
    }
    return sum;
}

}  // namespace

double fit_score_scale(const std::vector<Record>& records) {
    std::map<int, Bin> bins;
    for (const Record& record : records) {
        if (record.result == kNoResult) continue;
        Bin& bin = bins[record.score];
        bin.count += 1;
        bin.points += record.result * 0.5;
    }
    // The error has one valley over the scale: golden section, in equal ratios.
    constexpr double inside = 1 / std::numbers::phi;
    double low = std::log(kSmallestScale), high = std::log(kLargestScale);
    double left = high - inside * (high - low), right = low + inside * (high - low);
    double left_error = error(bins, std::exp(left)), right_error = error(bins, std::exp(right));
    while (high - low > 1e-6) {
        if (left_error < right_error) {
            high = right;
            right = left;
            right_error = left_error;
            left = high - inside * (high - low);
            left_error = error(bins, std::exp(left));
        } else {
            low = left;
            left = right;
            left_error = right_error;
            right = low + inside * (high - low);
            right_error = error(bins, std::exp(right));
        }
    }
    return std::exp((low + high) / 2);
}

}  // namespace rokada::lab
