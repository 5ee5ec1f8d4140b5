// SPDX-License-Identifier: GPL-3.0-or-later
// Positions per second of `rokada lab train` for the network we ship, 768 -> 256x2 -> 1x8, with two threads, the median
// of five runs. Below the floor a billion positions take more than an hour.
#include <algorithm>
#include <chrono>
#include <ctime>

#include <benchmark/benchmark.h>

#include "lab/training/trainer.hpp"
#include "tests/lab/training_helpers.hpp"

namespace {

constexpr double kFloor = 0.3e6;
bool missed = false;

void train(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    rokada::lab::DataSet set;
    // More than any cache holds, as with real games.
    set.training = rokada::lab::some_records(1 << 20, 5);
    rokada::lab::TrainingPlan plan;
    plan.hidden = 256;
    plan.threads = 2;
    plan.samples = static_cast<std::uint64_t>(plan.batch) * 24;
    plan.report_every = plan.samples;
    rokada::lab::Trainer warm(plan, set);
    warm.run({}, [] { return false; });
    std::vector<double> speeds;
    const std::clock_t processor = std::clock();
    for ([[maybe_unused]] auto iteration : state) {
        rokada::lab::Trainer trainer(plan, set);
        const auto begin = Clock::now();
        trainer.run({}, [] { return true; });
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        state.SetIterationTime(seconds);
        speeds.push_back(static_cast<double>(plan.samples) / seconds);
    }
    std::sort(speeds.begin(), speeds.end());
    const double speed = speeds[speeds.size() / 2];
    missed = speed < kFloor;
    state.counters["positions/s"] = speed;
    // What a busy machine does not stretch.
    state.counters["positions/s of processor"] = static_cast<double>(plan.samples * speeds.size()) *
                                                 CLOCKS_PER_SEC /
                                                 static_cast<double>(std::clock() - processor);
    state.counters["floor"] = kFloor;
    state.SetLabel(missed ? "BELOW the floor" : "above the floor");
}
BENCHMARK(train)->Iterations(5)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int count, char** words) {
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
    return missed ? 1 : 0;
}
