// SPDX-License-Identifier: GPL-3.0-or-later
// Loss and gradient of a model on some records, in one thread, tile by tile.
#pragma once

#include <memory>
#include <vector>

#include "lab/training/model.hpp"
#include "lab/training/records.hpp"

namespace rokada::lab {

// What the network should answer: a mix of the game's result and the teacher's score as a win expectancy; the score alone
// where there is no result.
struct Target {
    float result_share = 0.1f;   // 0: the score only, 1: the result only
    float score_scale = 240.0f;  // centipawns at which the expectancy is 73 %
    float operator()(const Record& record) const;
};

class GradientWorker {
  public:
    explicit GradientWorker(int hidden);
    ~GradientWorker();
    GradientWorker(GradientWorker&&) noexcept;

    // Adds the gradient of the summed squared error over the records to `gradient` (same layout as model.values)
    // and returns that sum. Without a gradient only the loss is computed.
    double run(const Model& model, const Record* const* records, std::size_t count,
               const Target& target, float* gradient);

  private:
    struct Scratch;
    std::unique_ptr<Scratch> scratch_;
};

}  // namespace rokada::lab
