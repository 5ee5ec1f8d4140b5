// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a model: AdamW with a cosine schedule over fully shuffled records, all threads, checkpoints, resume.
// The same seed, thread count and data give the same network, bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lab/training/gradient.hpp"

namespace rokada::lab {

struct TrainingPlan {
    int hidden = 256;
    std::uint64_t samples = 1'000'000'000;
    int batch = 16384;
    double rate = 1e-3;
    double final_rate = 2.4e-6;
    Target target;
    int threads = 2;
    std::uint64_t seed = 1;
    std::string name = "rokada";
    std::string output;      // the quantised network, written at the end and with each checkpoint
    std::string checkpoint;  // for resuming; empty: none
    std::string log;         // CSV; empty: none
    std::uint64_t report_every = 20'000'000;  // samples
};

struct TrainingReport {
    std::uint64_t samples = 0, total = 0;
    double seconds = 0;  // since this run began
    double samples_per_second = 0;
    double rate = 0;
    double training_loss = 0;  // mean squared error since the last report
    double held_out_loss = 0;
};

// The losses of such a CSV as an SVG plot; the text is empty if there is nothing to plot.
std::string loss_plot(const std::string& log_path);

class Trainer {
  public:
    Trainer(TrainingPlan plan, const DataSet& data);
    ~Trainer();

    // Continues from the checkpoint if there is one, and only with the very plan it was begun with; the text is empty
    // if all is well.
    std::string resume();
    // Runs to the end, or until `keep_going` says no (a checkpoint is written then too).
    std::string run(const std::function<void(const TrainingReport&)>& on_report,
                    const std::function<bool()>& keep_going);

    const Model& model() const { return model_; }
    double held_out_loss();

  private:
    class Team;
    std::string save();
    void step(std::uint64_t begin);
    void start_epoch(std::uint64_t epoch);

    TrainingPlan plan_;
    const DataSet& data_;
    Model model_;
    std::vector<float> mean_, variance_;
    std::vector<std::uint32_t> order_;
    std::uint64_t epoch_ = ~std::uint64_t{0};
    std::uint64_t samples_ = 0;
    double loss_sum_ = 0;
    std::unique_ptr<Team> team_;
};

}  // namespace rokada::lab
