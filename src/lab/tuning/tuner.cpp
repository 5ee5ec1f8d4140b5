// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/tuning/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>

namespace rokada::lab {

namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-12;
// Units of danger are finer than centipawns.
constexpr double kDangerRate = 4;

struct CheckpointHeader {
    char magic[8];
    std::uint64_t values, positions, epochs, batch, seed, epoch, steps;
    double scale;
};
constexpr char kMagic[9] = "ROKTUNE1";

template <class F>
void in_threads(int threads, std::size_t count, F work) {
    std::vector<std::thread> helpers;
    const auto team = static_cast<std::size_t>(threads);
    for (std::size_t t = 1; t < team; ++t)
        helpers.emplace_back([&, t] { work(t, count * t / team, count * (t + 1) / team); });
    work(0, 0, count / team);
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace

Tuner::Tuner(TuningPlan plan, const LabelledSets& sets)
    : plan_(std::move(plan)),
      sets_(sets),
      values_(current_values()),
      mean_(kTunedCount),
      variance_(kTunedCount),
      gradients_(static_cast<std::size_t>(plan_.threads), std::vector<float>(kTunedCount)),
      errors_(static_cast<std::size_t>(plan_.threads)) {
    fit_scale();
    hold_terms();
}

void Tuner::hold_terms() {
    const auto kept = [&](std::string_view name) {
        return std::find(plan_.keep.begin(), plan_.keep.end(), name) != plan_.keep.end();
    };
    for (const engine::Term& term : engine::kTerms)
        if (kept(term.name))
            std::fill_n(held_.begin() + static_cast<std::ptrdiff_t>(2 * term.first), 2 * term.count,
                        true);
    for (std::size_t i = 0; i < engine::kDangerCount; ++i)
        if (kept(engine::kDangerTerms[i])) held_[kDangerBegin + i] = true;
}

std::string Tuner::unknown_term() const {
    for (const std::string& name : plan_.keep) {
        const bool term = std::any_of(engine::kTerms.begin(), engine::kTerms.end(),
                                      [&](const engine::Term& t) { return t.name == name; });
        const bool danger = std::find(engine::kDangerTerms.begin(), engine::kDangerTerms.end(),
                                      name) != engine::kDangerTerms.end();
        if (!term && !danger) return name;
    }
    return "";
}

double Tuner::error(const TuningSet& set, const TunedValues& values) const {
    if (set.size() == 0) return 0;
    std::vector<double> sums(static_cast<std::size_t>(plan_.threads));
    in_threads(plan_.threads, set.size(), [&](std::size_t t, std::size_t from, std::size_t to) {
        double sum = 0;
        for (std::size_t i = from; i < to; ++i) {
            const double p = 1 / (1 + std::exp(-set.evaluate(i, values) / scale_));
            const double miss = p - static_cast<double>(set[i].score);
            sum += miss * miss;
        }
        sums[t] = sum;
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(set.size());
}

// The error has one minimum as a function of the scale: golden section.
void Tuner::fit_scale() {
    const TuningSet& set = sets_.held_out.size() >= 2000 ? sets_.held_out : sets_.training;
    constexpr double kGolden = 0.6180339887498949;
    double low = 40, high = 800;
    const auto error_at = [&](double scale) {
        scale_ = scale;
        return error(set, values_);
    };
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double error_a = error_at(a), error_b = error_at(b);
    while (high - low > 1) {
        if (error_a < error_b) {
            high = b;
            b = a;
            error_b = error_a;
            a = high - kGolden * (high - low);
            error_a = error_at(a);
        } else {
            low = a;
            a = b;
            error_a = error_b;
            b = low + kGolden * (high - low);
            error_b = error_at(b);
        }
    }
    scale_ = (low + high) / 2;
}

void Tuner::step(const std::uint32_t* order, std::size_t count, double progress) {
    in_threads(plan_.threads, count, [&](std::size_t t, std::size_t from, std::size_t to) {
        std::vector<float>& gradient = gradients_[t];
        std::fill(gradient.begin(), gradient.end(), 0.0f);
        double sum = 0;
        const auto scale = static_cast<float>(scale_);
        for (std::size_t i = from; i < to; ++i)
            sets_.training.accumulate(
                order[i], values_,
                [&](float value, float wanted) {
                    const float p = 1 / (1 + std::exp(-value / scale));
                    const float miss = p - wanted;
                    sum += static_cast<double>(miss * miss);
                    return miss * p * (1 - p);
                },
                gradient);
        errors_[t] += sum;
    });
    ++steps_;
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
    const double rate = plan_.final_rate + (plan_.rate - plan_.final_rate) * cosine;
    const double correct1 = 1 / (1 - std::pow(kBeta1, static_cast<double>(steps_)));
    const double correct2 = 1 / (1 - std::pow(kBeta2, static_cast<double>(steps_)));
    // What was there before counts as much as one observation of a weight that is uncertain by `doubt`.
    double error_sum = 0, seen = 0;
    for (const double e : errors_) error_sum += e;
    seen = std::max(1.0, static_cast<double>(seen_ += count));
    const double noise = error_sum / seen / static_cast<double>(sets_.training.size());
    for (std::size_t n = 0; n < kTunedCount; ++n) {
        if (held_[n]) continue;
        double g = 0;
        for (const auto& gradient : gradients_) g += static_cast<double>(gradient[n]);
        g /= static_cast<double>(count);
        const double doubt = plan_.doubt * (n >= kDangerBegin ? kDangerRate : 1);
        // Weights that no position uses have no slope at all and stay.
        if (g != 0 || variance_[n] > 0)
            g += noise * scale_ * static_cast<double>(values_[n] - start_[n]) / (doubt * doubt);
        mean_[n] = kBeta1 * mean_[n] + (1 - kBeta1) * g;
        variance_[n] = kBeta2 * variance_[n] + (1 - kBeta2) * g * g;
        if (variance_[n] == 0) continue;  // never seen: stays as it is
        const double change = mean_[n] * correct1 / (std::sqrt(variance_[n] * correct2) + kEpsilon);
        values_[n] -= static_cast<float>((n >= kDangerBegin ? kDangerRate : 1) * rate * change);
    }
}

double Tuner::run_epoch() {
    std::vector<std::uint32_t> order(sets_.training.size());
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937_64 random(plan_.seed * 1'000'003 + static_cast<std::uint64_t>(epoch_));
    std::shuffle(order.begin(), order.end(), random);
    std::fill(errors_.begin(), errors_.end(), 0.0);
    seen_ = 0;
    const auto batch = static_cast<std::size_t>(plan_.batch);
    for (std::size_t begin = 0; begin < order.size(); begin += batch) {
        const double done = static_cast<double>(begin) / static_cast<double>(order.size());
        step(&order[begin], std::min(batch, order.size() - begin), (epoch_ + done) / plan_.epochs);
    }
    ++epoch_;
    return std::accumulate(errors_.begin(), errors_.end(), 0.0) / static_cast<double>(order.size());
}

std::string Tuner::save() const {
    if (plan_.checkpoint.empty()) return "";
    CheckpointHeader header{};
    std::memcpy(header.magic, kMagic, sizeof header.magic);
    header.values = kTunedCount;
    header.positions = sets_.training.size();
    header.epochs = static_cast<std::uint64_t>(plan_.epochs);
    header.batch = static_cast<std::uint64_t>(plan_.batch);
    header.seed = plan_.seed;
    header.epoch = static_cast<std::uint64_t>(epoch_);
    header.steps = steps_;
    header.scale = scale_;
    const std::string part = plan_.checkpoint + ".part";
    std::ofstream file(part, std::ios::binary);
    const auto write = [&](const void* data, std::size_t size) {
        file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    };
    write(&header, sizeof header);
    write(values_.data(), values_.size() * sizeof(float));
    write(mean_.data(), mean_.size() * sizeof(double));
    write(variance_.data(), variance_.size() * sizeof(double));
    file.close();
    if (!file || std::rename(part.c_str(), plan_.checkpoint.c_str()) != 0)
        return plan_.checkpoint + ": cannot be written";
    return "";
}

std::string Tuner::resume() {
    std::ifstream file(plan_.checkpoint, std::ios::binary);
    if (plan_.checkpoint.empty() || !file) return "";
    CheckpointHeader header{};
    const auto read = [&](void* data, std::size_t size) {
        file.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
    };
    read(&header, sizeof header);
    if (!file || std::memcmp(header.magic, kMagic, sizeof header.magic) != 0)
        return plan_.checkpoint + ": not a tuning checkpoint";
    if (header.values != kTunedCount || header.positions != sets_.training.size() ||
        header.epochs != static_cast<std::uint64_t>(plan_.epochs) ||
        header.batch != static_cast<std::uint64_t>(plan_.batch) || header.seed != plan_.seed)
        return plan_.checkpoint + ": belongs to another plan (data, epochs, batch or seed differ)";
    TunedValues values(kTunedCount);
    std::vector<double> mean(kTunedCount), variance(kTunedCount);
    read(values.data(), values.size() * sizeof(float));
    read(mean.data(), mean.size() * sizeof(double));
    read(variance.data(), variance.size() * sizeof(double));
    if (!file) return plan_.checkpoint + ": is cut off";
    values_ = std::move(values);
    mean_ = std::move(mean);
    variance_ = std::move(variance);
    epoch_ = static_cast<int>(header.epoch);
    steps_ = header.steps;
    scale_ = header.scale;
    return "";
}

std::string Tuner::run(const std::function<void(const TuningReport&)>& on_report,
                       const std::function<bool()>& keep_going) {
    if (sets_.training.size() == 0) return "no positions to tune on";
    const auto begin = std::chrono::steady_clock::now();
    const int first = epoch_;
    while (epoch_ < plan_.epochs) {
        if (!keep_going()) return "stopped";
        TuningReport report;
        report.training_error = run_epoch();
        report.held_out_error = error(sets_.held_out, values_);
        report.epoch = epoch_;
        report.epochs = plan_.epochs;
        report.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        report.seconds_left = report.seconds / (epoch_ - first) * (plan_.epochs - epoch_);
        if (auto problem = save(); !problem.empty()) return problem;
        if (on_report) on_report(report);
    }
    return "";
}

}  // namespace rokada::lab
