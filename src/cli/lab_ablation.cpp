// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab ablation`: one technique at a time is switched off.
#include <algorithm>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "chess/notation/fen.hpp"
#include "chess/notation/uci_move.hpp"
#include "cli/bench_positions.hpp"
#include "cli/lab.hpp"
#include "cli/lab_engine_path.hpp"
#include "lab/ablation/ablation.hpp"
#include "lab/plot.hpp"
#include "protocol/driver/process.hpp"

namespace rokada::cli {

namespace {

struct AblationArguments {
    std::vector<std::string> only;
    std::string engine, output = "ablation";
    int threads = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
    std::size_t positions = 12;
    bool list = false;
    lab::AblationSettings settings;
};

lab::Ablation* running = nullptr;

int fail(const std::string& problem) {
    fmt::print(stderr, "rokada lab ablation: {}\n", problem);
    return 2;
}

int run(AblationArguments& arguments) {
    auto entries = lab::ablation_entries(arguments.threads);
    if (arguments.list) {
        for (const auto& entry : entries) fmt::print("{:22} {}\n", entry.key, entry.text);
        return 0;
    }
    for (const std::string& key : arguments.only)
        if (std::none_of(entries.begin(), entries.end(),
                         [&](const auto& entry) { return entry.key == key; }))
            return fail(fmt::format("no technique '{}'; --list shows them", key));
    if (!arguments.only.empty())
        entries.erase(std::remove_if(entries.begin(), entries.end(),
                                     [&](const auto& entry) {
                                         return std::count(arguments.only.begin(),
                                                           arguments.only.end(), entry.key) == 0;
                                     }),
                      entries.end());
    auto engine = lab_engine(arguments.engine);
    if (!engine) return fail(engine.error());
    arguments.settings.engine = *engine;
    // Evenly from the benchmark; Chess960 is another matter.
    std::vector<std::string> usual;
    for (const std::string_view fen : kBenchPositions)
        if (const auto position = parse_position(fen);
            position && castling_notation_for(*position) == CastlingNotation::KingMove)
            usual.emplace_back(fen);
    const std::size_t count = std::min(arguments.positions, usual.size());
    for (std::size_t i = 0; i < count; ++i)
        arguments.settings.positions.push_back(usual[i * usual.size() / count]);

    const bool terminal = isatty(STDERR_FILENO) != 0;
    lab::Ablation ablation(arguments.settings);
    running = &ablation;
    std::signal(SIGINT, [](int) { running->stop(); });
    std::signal(SIGTERM, [](int) { running->stop(); });
    const auto results = ablation.run(
        entries,
        [&](const std::string& doing) {
            if (!terminal) return;
            fmt::print(stderr, "\r\x1b[K{}", doing);
            std::fflush(stderr);
        },
        [&](const lab::AblationResult& result) {
            if (!terminal) {
                fmt::print(stderr, "{} done\n", result.entry.key);
                std::fflush(stderr);
            }
        });
    if (terminal) fmt::print(stderr, "\r\x1b[K");
    if (!results) return fail(results.error());
    fmt::print("{}", lab::ablation_table(*results));
    const std::string& prefix = arguments.output;
    for (const auto& [ending, text] :
         {std::pair{std::string(".csv"), lab::ablation_csv(*results)},
          {std::string(".svg"), lab::ablation_svg(*results)},
          {std::string(".html"), lab::ablation_html(arguments.settings, *results)}})
        if (auto problem = lab::write_text(prefix + ending, text); !problem.empty())
            return fail(problem);
    fmt::print("{0}.csv, {0}.svg and {0}.html written\n", prefix);
    return 0;
}

}  // namespace

Result<std::vector<std::string>, std::string> lab_engine(const std::string& command) {
    if (!command.empty()) {
        auto words = protocol::split_command(command);
        if (!words) return Error{words.error()};
        if (words->empty()) return Error{std::string("the engine's command is empty")};
        return *words;
    }
    char self[4096] = {};
    if (::readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return Error{std::string("cannot find our own folder; name the engine with --engine")};
    // Packages have one program for every level of processors (rokada-v3), each with its own engine of the lab.
    std::string path = self;
    const std::size_t name = path.rfind('/') + 1, dash = path.find('-', name);
    const std::string level = dash == std::string::npos ? "" : path.substr(dash);
    path = path.substr(0, name) + "rokada-lab-engine" + level;
    if (::access(path.c_str(), X_OK) != 0)
        return Error{path + " is not there; install it beside this program (target " +
                     "rokada-lab-engine), or name another place with --engine"};
    return std::vector<std::string>{path};
}

void add_lab_ablation(CLI::App& lab, int& exit_code) {
    auto* command = lab.add_subcommand("ablation", "what each technique is worth");
    auto arguments = std::make_shared<AblationArguments>();
    lab::AblationSettings& settings = arguments->settings;
    command->add_flag("--list", arguments->list, "only show the techniques");
    command->add_option("--only", arguments->only, "these techniques; all unless given")
        ->delimiter(',');
    command->add_option("--engine", arguments->engine,
                        "the lab's engine; rokada-lab-engine beside this program unless given");
    command->add_option("--out", arguments->output, "where NAME.csv, NAME.svg and NAME.html go")
        ->capture_default_str();
    command->add_option("--positions", arguments->positions, "how many of the benchmark's")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000}))
        ->capture_default_str();
    command->add_option("--depth", settings.depth, "plies at which nodes and time are compared")
        ->check(CLI::Range(1, 60))
        ->capture_default_str();
    command->add_option("--most-nodes", settings.most_nodes, "per position, even if not so deep")
        ->check(CLI::Range(std::uint64_t{1000}, std::uint64_t{1'000'000'000'000}))
        ->capture_default_str();
    command->add_option("--nodes", settings.nodes, "nodes with which depths are compared")
        ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{1'000'000'000'000}))
        ->capture_default_str();
    command->add_option("--games", settings.games, "games with and without each technique")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    command->add_option("--each", settings.terms, "terms of the games, as in `rokada match`")
        ->capture_default_str();
    command->add_option("--openings", settings.openings.path, "openings of the games");
    command->add_option("--concurrency", settings.concurrency, "games at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--threads", arguments->threads, "threads of the entry of that name")
        ->check(CLI::Range(2, 1024))
        ->capture_default_str();
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
