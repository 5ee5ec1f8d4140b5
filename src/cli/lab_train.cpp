// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/lab.hpp"
#include "lab/plot.hpp"
#include "lab/training/score_scale.hpp"
#include "lab/training/trainer.hpp"

namespace rokada::cli {

namespace {

struct TrainArguments {
    std::vector<std::string> data;
    lab::TrainingPlan plan;
    lab::RecordFilter filter;
    double samples = 1e9;
    std::optional<double> score_scale;
    bool fresh = false;
};

volatile std::sig_atomic_t interrupted = 0;

void show(const lab::TrainingReport& report) {
    // The last batch may go beyond the plan.
    const auto rest = report.total - std::min(report.total, report.samples);
    const double left = static_cast<double>(rest) / report.samples_per_second;
    fmt::print(
        "{:6.1f} of {:.1f} M samples  {:4.0f} k/s  rate {:.1e}  loss {:.5f}  held out {:.5f}  "
        "{:%H:%M:%S} left\n",
        static_cast<double>(report.samples) / 1e6, static_cast<double>(report.total) / 1e6,
        report.samples_per_second / 1e3, report.rate, report.training_loss, report.held_out_loss,
        std::chrono::seconds(static_cast<long>(left)));
    std::fflush(stdout);
}

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab train: {}\n", problem);
    return 2;
}

int run(TrainArguments& arguments) {
    lab::TrainingPlan& plan = arguments.plan;
    plan.samples = static_cast<std::uint64_t>(arguments.samples);
    plan.checkpoint = plan.output + ".checkpoint";
    plan.log = plan.output + ".csv";
    plan.report_every =
        std::max<std::uint64_t>(plan.samples / 100, static_cast<std::uint64_t>(plan.batch));
    lab::DataSet data;
    for (const std::string& path : arguments.data) {
        if (auto problem = lab::load_records(path, arguments.filter, data); !problem.empty())
            return fail(problem);
        fmt::print("{}: {} games, {} positions, {} kept\n", path, data.games, data.positions,
                   data.training.size() + data.held_out.size());
    }
    if (data.training.empty()) return fail("no quiet positions in these files");
    plan.target.score_scale = static_cast<float>(
        arguments.score_scale ? *arguments.score_scale : lab::fit_score_scale(data.training));
    fmt::print("score scale {:.1f}{}\n", plan.target.score_scale,
               arguments.score_scale ? "" : ", fitted to the results");
    if (arguments.fresh) std::remove(plan.checkpoint.c_str());
    lab::Trainer trainer(plan, data);
    if (auto problem = trainer.resume(); !problem.empty())
        return fail(problem + " (--fresh starts anew)");
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    const std::string problem = trainer.run(show, [] { return interrupted == 0; });
    if (const std::string plot = lab::loss_plot(plan.log); !plot.empty())
        if (auto trouble = lab::write_text(plan.output + ".svg", plot); !trouble.empty())
            return fail(trouble);
    if (problem == "stopped") {
        fmt::print("stopped; the same command goes on from here\n");
        return 0;
    }
    if (!problem.empty()) return fail(problem);
    fmt::print("{} written\n", plan.output);
    return 0;
}

}  // namespace

void add_lab_train(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("train", "train a network from games with scores");
    auto arguments = std::make_shared<TrainArguments>();
    lab::TrainingPlan& plan = arguments->plan;
    plan.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    plan.output = "rokada.nn";
    command->add_option("data", arguments->data, "files of training games, plain or zstd")
        ->required();
    command
        ->add_option("--out", plan.output,
                     "the network; checkpoint, log and loss plot stand beside it")
        ->capture_default_str();
    command->add_option("--name", plan.name, "the network's name, in its header")
        ->capture_default_str();
    command->add_option("--hidden", plan.hidden, "neurons per view, a multiple of 64")
        ->check([](const std::string& text) {
            const int value = std::atoi(text.c_str());
            return value >= 64 && value <= 1024 && value % 64 == 0
                       ? ""
                       : "must be a multiple of 64, 64 to 1024";
        })
        ->capture_default_str();
    command->add_option("--samples", arguments->samples, "positions to learn from, repeats counted")
        ->check(CLI::Range(1.0, 1e12))
        ->capture_default_str();
    command->add_option("--batch", plan.batch, "positions per step")
        ->check(CLI::Range(64, 1 << 20))
        ->capture_default_str();
    command->add_option("--rate", plan.rate, "learning rate at the start")
        ->check(CLI::Range(1e-6, 1e-1))
        ->capture_default_str();
    command
        ->add_option("--result-share", plan.target.result_share,
                     "weight of the game's result against the score")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        ->add_option("--score-scale", arguments->score_scale,
                     "centipawns that mean 73 % of the points; fitted to the results of the games "
                     "if not given")
        ->check(CLI::Range(lab::kSmallestScale, lab::kLargestScale));
    command->add_option("--threads", plan.threads, "threads")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_option("--seed", plan.seed, "seed of weights and shuffling")
        ->capture_default_str();
    command->add_flag("--fresh", arguments->fresh, "ignore an earlier checkpoint");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
