// SPDX-License-Identifier: GPL-3.0-or-later
// Texel tuning: finds the weights with which the evaluation, as a win expectancy, is nearest to the
// labels. Adam over shuffled positions in all threads; the same data, seed and thread count give the
// same weights. Resumable through a checkpoint.
#pragma once

#include <functional>
#include <string>

#include "lab/tuning/positions.hpp"

namespace rokada::lab {

struct TuningPlan {
    int epochs = 40;
    int batch = 16384;
    double rate = 1.5;  // centipawns per step at the start
    double final_rate = 0.02;
    double doubt = 40;  // centipawns by which a weight may be wrong before its positions speak
    std::vector<std::string> keep;  // terms that stay as they are
    int threads = 2;
    std::uint64_t seed = 1;
    std::string checkpoint;  // empty: none
};

struct TuningReport {
    int epoch = 0, epochs = 0;
    double seconds = 0;  // since this run began
    double seconds_left = 0;
    double training_error = 0, held_out_error = 0;  // mean squared, in shares of a point
};

class Tuner {
  public:
    Tuner(TuningPlan plan, const LabelledSets& sets);

    // Centipawns that mean 73 % of the points, fitted to the labels with the values at the start
    // and kept: so the scale of the evaluation, on which the search's margins depend, stays the same.
    double scale() const { return scale_; }
    // The first name of `keep` that is no term; empty if all are.
    std::string unknown_term() const;
    // Mean squared error of these values.
    double error(const TuningSet& set, const TunedValues& values) const;

    std::string resume();  // goes on from the checkpoint, if there is one of this plan
    // "stopped" when keep_going said no; else empty or what went wrong.
    std::string run(const std::function<void(const TuningReport&)>& on_report,
                    const std::function<bool()>& keep_going);

    const TunedValues& values() const { return values_; }

  private:
    double run_epoch();
    void step(const std::uint32_t* order, std::size_t count, double progress);
    std::string save() const;
    void fit_scale();
    void hold_terms();

    TuningPlan plan_;
    const LabelledSets& sets_;
    double scale_ = 200;
    TunedValues values_;
    const TunedValues start_ = current_values();
    std::vector<bool> held_ = std::vector<bool>(kTunedCount);
    std::vector<double> mean_, variance_;
    std::vector<std::vector<float>> gradients_;  // per thread
    std::vector<double> errors_;
    int epoch_ = 0;
    std::uint64_t steps_ = 0;
    std::size_t seen_ = 0;  // positions of this epoch
};

}  // namespace rokada::lab
