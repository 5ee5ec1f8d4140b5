// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab tune`: fits the weights of the classical evaluation to labelled positions.
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/lab.hpp"
#include "lab/tuning/tuner.hpp"
#include "lab/tuning/weights_file.hpp"

namespace rokada::cli {

namespace {

struct TuneArguments {
    std::vector<std::string> data;
    std::string weights = "src/engine/evaluation/weights.hpp";
    std::string output;
    lab::LabelSettings labels;
    lab::TuningPlan plan;
    bool fresh = false;
};

volatile std::sig_atomic_t interrupted = 0;

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab tune: {}\n", problem);
    return 2;
}

void show(const lab::TuningReport& report) {
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    if (!terminal && report.epoch % 5 != 0 && report.epoch != report.epochs) return;
    fmt::print("{}epoch {} of {}  error {:.6f}  held out {:.6f}  {:%H:%M:%S} left{}",
               terminal ? "\r\x1b[K" : "", report.epoch, report.epochs, report.training_error,
               report.held_out_error, std::chrono::seconds(static_cast<long>(report.seconds_left)),
               terminal && report.epoch < report.epochs ? "" : "\n");
    std::fflush(stdout);
}

int run(TuneArguments& arguments) {
    std::ifstream file(arguments.weights);
    if (!file) return fail(arguments.weights + ": cannot be opened (--weights names the header)");
    const std::string header{std::istreambuf_iterator<char>(file), {}};
    // Whether the file fits is better known before than after.
    if (const auto trial = lab::with_values(header, lab::current_values()); !trial)
        return fail(arguments.weights + ": " + trial.error());
    if (arguments.output.empty()) arguments.output = arguments.weights;
    arguments.plan.checkpoint = arguments.output + ".checkpoint";

    lab::LabelledSets sets;
    for (const std::string& path : arguments.data) {
        if (auto problem = lab::load_positions(path, arguments.labels, sets); !problem.empty())
            return fail(problem);
        fmt::print("{}: {} positions so far, {} kept\n", path, sets.seen,
                   sets.training.size() + sets.held_out.size());
    }
    if (sets.training.size() == 0) return fail("no quiet positions with labels in these files");
    fmt::print("{:.0f} features per position\n",
               static_cast<double>(sets.training.feature_count()) /
                   static_cast<double>(sets.training.size()));
    if (arguments.fresh) std::remove(arguments.plan.checkpoint.c_str());
    lab::Tuner tuner(arguments.plan, sets);
    if (const std::string name = tuner.unknown_term(); !name.empty())
        return fail("--keep: no term is called " + name);
    if (auto problem = tuner.resume(); !problem.empty())
        return fail(problem + " (--fresh starts anew)");
    fmt::print("scale {:.1f} centipawns, error at the start {:.6f}\n", tuner.scale(),
               tuner.error(sets.held_out, tuner.values()));
    std::fflush(stdout);
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    const std::string problem = tuner.run(show, [] { return interrupted == 0; });
    if (!problem.empty() && problem != "stopped") return fail(problem);
    const auto text = lab::with_values(header, tuner.values());
    if (!text) return fail(arguments.weights + ": " + text.error());
    const std::string target =
        problem.empty() ? arguments.output : arguments.output + ".unfinished";
    std::ofstream out(target);
    out << *text;
    out.close();
    if (!out) return fail(target + ": cannot be written");
    fmt::print("{} written{}\n", target,
               problem.empty() ? "" : "; stopped, the same command goes on from here");
    if (problem.empty()) std::remove(arguments.plan.checkpoint.c_str());
    return 0;
}

}  // namespace

void add_lab_tune(CLI::App& lab, int& exit_code) {
    auto* command =
        lab.add_subcommand("tune", "fit the classical evaluation to labelled positions");
    auto arguments = std::make_shared<TuneArguments>();
    lab::TuningPlan& plan = arguments->plan;
    lab::LabelSettings& labels = arguments->labels;
    plan.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    command
        ->add_option("data", arguments->data,
                     "training games (plain or zstd), or lines of EPD with results")
        ->required();
    command->add_option("--weights", arguments->weights, "the header with the present weights")
        ->capture_default_str();
    command->add_option("--out", arguments->output,
                        "where the new header goes; over the present one unless given");
    command->add_option("--epochs", plan.epochs, "passes over all positions")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command->add_option("--batch", plan.batch, "positions per step")
        ->check(CLI::Range(16, 1 << 24))
        ->capture_default_str();
    command->add_option("--rate", plan.rate, "centipawns per step at the start")
        ->check(CLI::Range(1e-4, 100.0))
        ->capture_default_str();
    command->add_option("--every", labels.every, "of a game's quiet positions, one in so many")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--most", labels.most, "positions at most")
        ->check(CLI::Range(std::size_t{1}, std::size_t{4'000'000'000}));
    command
        ->add_option("--result-share", labels.result_share,
                     "weight of the game's result against the score")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        ->add_option("--score-scale", labels.score_scale,
                     "centipawns of the labels that mean 73 % of the points")
        ->check(CLI::Range(10.0, 2000.0))
        ->capture_default_str();
    command->add_option("--keep", plan.keep, "terms that stay as they are")->delimiter(',');
    command
        ->add_option(
            "--doubt", plan.doubt,
            "centipawns by which the present weights may be wrong; rare ones stay near them")
        ->check(CLI::Range(0.1, 1e6))
        ->capture_default_str();
    command->add_option("--threads", plan.threads, "threads")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_option("--seed", plan.seed, "seed of the shuffling")->capture_default_str();
    command->add_flag("--fresh", arguments->fresh, "ignore an earlier checkpoint");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
