// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/spsa/spsa.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "engine/search/parameters.hpp"

namespace rokada::lab {

namespace {

// The customary exponents, and a tenth of the plan as the time in which the first steps are held back.
constexpr double kAlpha = 0.602, kGamma = 0.101, kHoldBack = 0.1;

// A whole number near the value: the odds of the two neighbours keep the mean.
int rounded_by_lot(double value, std::mt19937_64& random) {
    const double below = std::floor(value);
    const double lot = static_cast<double>(random() >> 11) * 0x1.0p-53;
    return static_cast<int>(below) + (lot < value - below ? 1 : 0);
}

}  // namespace

Spsa::Spsa(SpsaPlan plan, std::vector<SpsaParameter> parameters)
    : plan_(std::move(plan)), parameters_(std::move(parameters)) {}

std::string Spsa::save() const {
    if (plan_.state.empty()) return "";
    const std::string part = plan_.state + ".part";
    std::ofstream file(part);
    file << "iteration " << iteration_ << '\n';
    for (const SpsaParameter& p : parameters_) file << fmt::format("{} {:.6f}\n", p.name, p.value);
    file.close();
    if (!file || std::rename(part.c_str(), plan_.state.c_str()) != 0)
        return plan_.state + ": cannot be written";
    return "";
}

std::string Spsa::resume() {
    std::ifstream file(plan_.state);
    if (plan_.state.empty() || !file) return "";
    std::string name;
    double value = 0;
    int iteration = 0;
    if (!(file >> name >> iteration) || name != "iteration" || iteration < 0)
        return plan_.state + ": not a state of this command";
    std::vector<SpsaParameter> parameters = parameters_;
    std::size_t seen = 0;
    while (file >> name >> value) {
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const SpsaParameter& p) { return p.name == name; });
        if (found == parameters.end() || value < found->low || value > found->high)
            return plan_.state + ": belongs to other parameters (" + name + ")";
        found->value = value;
        ++seen;
    }
    if (seen != parameters.size()) return plan_.state + ": belongs to other parameters";
    parameters_ = std::move(parameters);
    iteration_ = iteration;
    return "";
}

std::string Spsa::run(const Play& play,
                      const std::function<void(int iteration, double result)>& on_step,
                      const std::function<bool()>& keep_going) {
    const double all = plan_.iterations, hold = kHoldBack * all;
    while (iteration_ < plan_.iterations) {
        if (!keep_going()) return "stopped";
        const double k = iteration_ + 1;
        std::mt19937_64 random(plan_.seed * 1'000'003 + static_cast<std::uint64_t>(iteration_));
        std::vector<int> plus, minus;
        std::vector<double> moved;
        for (const SpsaParameter& p : parameters_) {
            const double c = p.perturbation() * std::pow(all / k, kGamma);
            const double change = random() & 1 ? c : -c;
            moved.push_back(change);
            plus.push_back(std::clamp(rounded_by_lot(p.value + change, random),
                                      static_cast<int>(p.low), static_cast<int>(p.high)));
            minus.push_back(std::clamp(rounded_by_lot(p.value - change, random),
                                       static_cast<int>(p.low), static_cast<int>(p.high)));
        }
        const auto result = play(plus, minus, iteration_);
        if (!result) return result.error();
        const double rate = plan_.rate * std::pow((all + hold) / (k + hold), kAlpha);
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            SpsaParameter& p = parameters_[i];
            // One game's result moves a number by rate times its range of doubt.
            const double pull = rate * p.perturbation() * p.perturbation() / moved[i];
            p.value = std::clamp(p.value + 20 * pull * *result, p.low, p.high);
        }
        ++iteration_;
        if (auto problem = save(); !problem.empty()) return problem;
        if (on_step) on_step(iteration_, *result);
    }
    return "";
}

Result<std::vector<SpsaParameter>, std::string> search_parameters(
    const std::vector<std::string>& names) {
    std::vector<SpsaParameter> parameters;
    for (const std::string& name : names)
        if (std::none_of(std::begin(engine::kSearchParameterList),
                         std::end(engine::kSearchParameterList),
                         [&](const engine::ParameterInfo& info) { return info.name == name; }))
            return Error{"no number of the search is called " + name};
    for (const engine::ParameterInfo& info : engine::kSearchParameterList) {
        if (!names.empty() && std::find(names.begin(), names.end(), info.name) == names.end())
            continue;
        SpsaParameter p;
        p.name = std::string(info.name);
        p.value = p.start = info.value;
        p.low = info.low;
        p.high = info.high;
        parameters.push_back(std::move(p));
    }
    return parameters;
}

}  // namespace rokada::lab
