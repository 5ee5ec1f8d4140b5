// SPDX-License-Identifier: GPL-3.0-or-later
// Tunes numbers of the search by games: all of them are moved a little at once, in random directions,
// the engine plays itself moved the other way, and the winner pulls the numbers along (simultaneous
// perturbation stochastic approximation). Resumable. Used by `rokada lab spsa`.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "chess/result.hpp"

namespace rokada::lab {

struct SpsaParameter {
    std::string name;
    double value = 0;  // where it stands now
    double start = 0, low = 0, high = 0;
    double perturbation() const { return (high - low) / 20; }  // at the end of the plan
};

struct SpsaPlan {
    int iterations = 1000;
    double rate = 0.002;  // how far a result pulls at the end, against the perturbation squared
    std::uint64_t seed = 1;
    std::string state;  // text file with iteration and values; empty: none
};

class Spsa {
  public:
    Spsa(SpsaPlan plan, std::vector<SpsaParameter> parameters);

    // Plays some games of the first values against the second and says wins minus losses of the
    // first per game; an error ends the tuning.
    using Play = std::function<Result<double, std::string>(
        const std::vector<int>& first, const std::vector<int>& second, int iteration)>;

    std::string resume();  // from the state file, if there is one
    // "stopped" when keep_going said no.
    std::string run(const Play& play,
                    const std::function<void(int iteration, double result)>& on_step,
                    const std::function<bool()>& keep_going);

    int iteration() const { return iteration_; }
    const std::vector<SpsaParameter>& parameters() const { return parameters_; }

  private:
    std::string save() const;

    SpsaPlan plan_;
    std::vector<SpsaParameter> parameters_;
    int iteration_ = 0;
};

// All numbers of the search, or those named; the error names one that does not exist.
Result<std::vector<SpsaParameter>, std::string> search_parameters(
    const std::vector<std::string>& names);

}  // namespace rokada::lab
