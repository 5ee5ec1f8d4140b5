// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab calibrate` and the reference players it needs, `rokada lab dilute`.
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/lab.hpp"
#include "cli/lab_jobs.hpp"
#include "cli/live_line.hpp"
#include "lab/calibration/calibration.hpp"
#include "lab/calibration/dilution.hpp"

namespace rokada::cli {

namespace {

struct CalibrateArguments {
    lab::CalibrationSettings settings;
    std::string scale, plot;
    std::string workers;  // the database of their jobs
};

lab::Calibration* running = nullptr;

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab calibrate: {}\n", problem);
    return 2;
}

std::string own_program() {
    char path[4096];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "rokada";
}

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    return static_cast<bool>(file.flush());
}

int calibrate(CalibrateArguments& arguments) {
    std::function<std::string()> workers;
    if (!arguments.workers.empty()) {
        auto made = play_with_workers(arguments.workers, "calibration");
        if (!made) return fail(made.error());
        arguments.settings.elsewhere = std::move(made->elsewhere);
        workers = std::move(made->progress);
    }
    lab::Calibration calibration(arguments.settings);
    if (auto problem = calibration.load()) return fail(*problem);
    running = &calibration;
    std::signal(SIGINT, [](int) { running->stop(); });
    std::signal(SIGTERM, [](int) { running->stop(); });
    const auto problem = [&] {
        LiveLine live(workers);
        return calibration.run([&live](const lab::CalibrationProgress& p) {
            live.print(fmt::format("{} of {}  {} v {}: {:g} of {:g}\n", p.done, p.planned, p.first,
                                   p.second, p.points, p.games));
        });
    }();
    if (problem) return fail(*problem);
    fmt::print("{}", calibration.table());
    if (!arguments.scale.empty() && !write_file(arguments.scale, calibration.scale()))
        return fail("cannot write " + arguments.scale);
    if (!arguments.plot.empty() && !write_file(arguments.plot, calibration.plot()))
        return fail("cannot write " + arguments.plot);
    return 0;
}

}  // namespace

void add_lab_calibrate(CLI::App& lab, int& exit_code) {
    auto arguments = std::make_shared<CalibrateArguments>();
    lab::CalibrationSettings& s = arguments->settings;
    s.program = own_program();
    s.concurrency = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    auto* command = lab.add_subcommand(
        "calibrate", "measure the playing levels against players of known strength");
    command->add_option("--reference", s.reference, "Stockfish 15.1")->capture_default_str();
    command->add_option("--openings", s.openings, "EPD or PGN file; 8 plies of each are used");
    command->add_option("--results", s.results, "where scores are kept; it goes on from there")
        ->capture_default_str();
    command->add_option("--terms", s.reference_terms,
                        "how all play, as for `match`: 'tc=3+0.03'; without it the references "
                        "search as deep as their level chooses");
    command->add_option("--dials", s.dials, "only these")
        ->delimiter(',')
        ->check(CLI::Range(0, 1000));
    command->add_option("--from", s.lowest, "players below this Elo rest")
        ->check(CLI::Range(-10'000, 10'000));
    command->add_option("--to", s.highest, "players above this Elo rest")
        ->check(CLI::Range(-10'000, 10'000));
    command->add_option("--games", s.games, "games of each encounter")
        ->check(CLI::Range(2, 100000))
        ->capture_default_str();
    command->add_option("--rounds", s.rounds, "encounters of each player; 0 only fits")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str();
    command
        ->add_option(
            "--doubt", s.doubt,
            "Elo by which the labels of the references may be off, as a standard deviation")
        ->check(CLI::Range(0.1, 1000.0))
        ->capture_default_str();
    auto* concurrency =
        command->add_option("--concurrency", s.concurrency, "games at the same time")
            ->check(CLI::Range(1, 1024))
            ->capture_default_str();
    command->add_option("--scale", arguments->scale, "writes the table that UCI_Elo uses");
    command->add_option("--plot", arguments->plot, "writes an SVG picture");
    command
        ->add_option(
            "--workers", arguments->workers,
            "postgres://...: the games are played by workers (rokada worker --kinds match) "
            "of this database")
        ->envname("ROKADA_WORKERS_DB");
    command->callback([arguments, concurrency, &exit_code] {
        if (!arguments->workers.empty() && concurrency->count() == 0)
            arguments->settings.concurrency = kUsualJobs;
        exit_code = calibrate(*arguments);
    });
}

void add_lab_dilute(CLI::App& lab, int& exit_code) {
    auto settings = std::make_shared<lab::DilutionSettings>();
    settings->seed = std::random_device{}();
    auto* command =
        lab.add_subcommand("dilute", "a UCI engine with a share of random moves mixed in");
    command->add_option("--random", settings->random_percent, "percent of the moves")
        ->check(CLI::Range(0, 100))
        ->required();
    command->add_option("engine", settings->command, "program and arguments")->required();
    command->callback([settings, &exit_code] {
        const auto problem = lab::run_dilution(*settings);
        if (problem) fmt::print(stderr, "rokada lab dilute: {}\n", *problem);
        exit_code = problem ? 2 : 0;
    });
}

}  // namespace rokada::cli
