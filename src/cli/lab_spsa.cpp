// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab spsa`: tunes numbers of the search by games.
#include <csignal>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/lab.hpp"
#include "cli/lab_engine_path.hpp"
#include "lab/match/tournament.hpp"
#include "lab/spsa/spsa.hpp"

namespace rokada::cli {

namespace {

struct SpsaArguments {
    std::vector<std::string> names;
    std::string engine, terms = "tc=1+0.01", openings;
    int pairs = 4, concurrency = 1;
    bool list = false, fresh = false;
    lab::SpsaPlan plan;
};

volatile std::sig_atomic_t interrupted = 0;

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab spsa: {}\n", problem);
    return 2;
}

void show(const std::vector<lab::SpsaParameter>& parameters) {
    for (const auto& p : parameters)
        fmt::print("{:32} {:8.0f} -> {:8.1f}   ({:.0f} to {:.0f})\n", p.name, p.start, p.value,
                   p.low, p.high);
}

int run(SpsaArguments& arguments) {
    auto parameters = lab::search_parameters(arguments.names);
    if (!parameters) return fail(parameters.error());
    if (arguments.list) {
        show(*parameters);
        return 0;
    }
    const auto engine = lab_engine(arguments.engine);
    if (!engine) return fail(engine.error());
    const auto base = lab::parse_engine_spec("cmd=x", arguments.terms);
    if (!base) return fail(base.error());
    if (arguments.fresh) std::remove(arguments.plan.state.c_str());
    lab::Spsa spsa(arguments.plan, *parameters);
    if (auto problem = spsa.resume(); !problem.empty())
        return fail(problem + " (--fresh starts anew)");

    const auto play = [&](const std::vector<int>& first, const std::vector<int>& second,
                          int iteration) -> Result<double, std::string> {
        lab::TournamentSettings settings;
        for (const std::vector<int>* values : {&first, &second}) {
            lab::EngineSpec spec = *base;
            spec.command = *engine;
            spec.name = values == &first ? "plus" : "minus";
            for (std::size_t i = 0; i < values->size(); ++i)
                spec.options.emplace_back(spsa.parameters()[i].name, std::to_string((*values)[i]));
            settings.engines.push_back(std::move(spec));
        }
        settings.schedule.engines = 2;
        settings.schedule.games = 2 * arguments.pairs;
        settings.openings.path = arguments.openings;
        settings.openings.seed = arguments.plan.seed + static_cast<std::uint64_t>(iteration);
        settings.concurrency = arguments.concurrency;
        settings.pin = false;
        settings.play.adjudication.resign = lab::AdjudicationSettings::Resign{3, 800, true};
        settings.play.adjudication.draw = lab::AdjudicationSettings::Draw{40, 8, 10};
        lab::Tournament tournament(settings);
        if (auto problem = tournament.prepare()) return Error{*problem};
        const auto result = tournament.run(nullptr);
        if (!result) return Error{result.error()};
        const auto games = result->standings.encounter(0, 1).games;
        return games.games() == 0 ? 0.0
                                  : static_cast<double>(games.wins - games.losses) /
                                        static_cast<double>(games.games());
    };
    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    const std::string problem = spsa.run(
        play,
        [&](int iteration, double result) {
            if (terminal)
                fmt::print("\r\x1b[K{} of {}  {:+.2f}", iteration, arguments.plan.iterations,
                           result);
            else if (iteration % 100 == 0)
                fmt::print("{} of {}\n", iteration, arguments.plan.iterations);
            std::fflush(stdout);
        },
        [] { return interrupted == 0; });
    if (terminal) fmt::print("\r\x1b[K");
    if (!problem.empty() && problem != "stopped") return fail(problem);
    show(spsa.parameters());
    if (!problem.empty()) fmt::print("stopped; the same command goes on from here\n");
    return 0;
}

}  // namespace

void add_lab_spsa(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("spsa", "tune numbers of the search by games");
    auto arguments = std::make_shared<SpsaArguments>();
    arguments->plan.state = "spsa.txt";
    command->add_flag("--list", arguments->list, "only show the numbers and their ranges");
    command->add_option("--only", arguments->names, "these numbers; all unless given")
        ->delimiter(',');
    command->add_option("--engine", arguments->engine,
                        "the lab's engine; rokada-lab-engine beside this program unless given");
    command->add_option("--iterations", arguments->plan.iterations, "steps of the whole plan")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    command->add_option("--pairs", arguments->pairs, "pairs of games per step")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--each", arguments->terms, "terms of the games, as in `rokada match`")
        ->capture_default_str();
    command->add_option("--openings", arguments->openings, "openings of the games");
    command->add_option("--concurrency", arguments->concurrency, "games at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--rate", arguments->plan.rate, "how far a result pulls at the end")
        ->check(CLI::Range(1e-6, 1.0))
        ->capture_default_str();
    command->add_option("--seed", arguments->plan.seed, "seed")->capture_default_str();
    command->add_option("--state", arguments->plan.state, "where the values stand")
        ->capture_default_str();
    command->add_flag("--fresh", arguments->fresh, "ignore an earlier state");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
