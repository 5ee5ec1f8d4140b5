// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada lab perft-diff`: our move counts against those of another engine.
#include <fstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "chess/notation/epd.hpp"
#include "chess/notation/fen.hpp"
#include "cli/lab.hpp"
#include "lab/file_bytes.hpp"
#include "lab/perft/perft_diff.hpp"

namespace rokada::cli {

namespace {

struct DiffArguments {
    std::string engine = "stockfish", ours;
    std::vector<std::string> fens;
    std::string epd;
    std::size_t count = 100;
    std::uint64_t seed = 1;
    int depth = 3;
    int stop_after = 1;
    int patience = 60;
    bool chess960 = false;
};

int complain(const std::string& message) {
    fmt::print(stderr, "rokada lab perft-diff: {}\n", message);
    return 2;
}

Result<std::vector<Position>, std::string> positions_of(const DiffArguments& arguments) {
    std::vector<Position> positions;
    for (const std::string& fen : arguments.fens) {
        const auto position = parse_position(fen);
        if (!position) return Error{fmt::format("--fen: {}", position.error().to_string())};
        positions.push_back(*position);
    }
    if (!arguments.epd.empty()) {
        if (auto problem = lab::why_unreadable(arguments.epd); !problem.empty())
            return Error{std::move(problem)};
        std::ifstream file(arguments.epd);
        std::size_t number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            const std::size_t begin = line.find_first_not_of(" \t\r");
            if (begin == std::string::npos || line[begin] == '#') continue;
            const auto epd = parse_epd(line);
            if (!epd)
                return Error{
                    fmt::format("{}, line {}: {}", arguments.epd, number, epd.error().to_string())};
            positions.push_back(epd->position);
        }
        if (positions.empty()) return Error{fmt::format("{} holds no positions", arguments.epd)};
    }
    if (positions.empty())
        positions = lab::random_positions(arguments.count, arguments.seed, arguments.chess960);
    return positions;
}

void show(const lab::PerftDifference& difference, const std::string& ours,
          const std::string& theirs) {
    fmt::print("Difference: only {} has the move {}\n", difference.ours ? ours : theirs,
               difference.move);
    fmt::print("  position  {}\n",
               difference.position.empty() ? "(illegal by our rules)" : difference.position);
    fmt::print("  from      {}\n", difference.start);
    if (!difference.moves.empty()) fmt::print("  by        {}\n", fmt::join(difference.moves, " "));
}

int run(const DiffArguments& arguments) {
    const auto positions = positions_of(arguments);
    if (!positions) return complain(positions.error());

    char self[4096] = {};
    if (::readlink("/proc/self/exe", self, sizeof self - 1) < 0 && arguments.ours.empty())
        return complain("cannot find our own program; name it with --ours");
    const auto start = [&](const std::string& text) {
        using Started = Result<std::unique_ptr<lab::PerftEngine>, std::string>;
        const auto words = protocol::split_command(text);
        if (!words) return Started{Error{fmt::format("'{}': {}", text, words.error())}};
        if (words->empty()) return Started{Error{std::string("the engine's command is empty")}};
        auto command = *words;
        // Debian keeps its engines where the path of an administrator does not look.
        if (const std::string games = "/usr/games/" + command[0];
            command[0].find('/') == std::string::npos && ::access(games.c_str(), X_OK) == 0)
            command[0] = games;
        return lab::PerftEngine::start(command, arguments.chess960);
    };
    const auto ours = arguments.ours.empty()
                          ? lab::PerftEngine::start({self, "uci"}, arguments.chess960)
                          : start(arguments.ours);
    if (!ours) return complain(ours.error());
    const auto theirs = start(arguments.engine);
    if (!theirs) return complain(theirs.error());

    const bool shows_progress = isatty(STDERR_FILENO) != 0;
    int differences = 0;
    std::size_t done = 0;
    for (const Position& position : *positions) {
        if (shows_progress) {
            fmt::print(stderr, "\r\x1b[K{} of {} positions, {} differ", done, positions->size(),
                       differences);
            std::fflush(stderr);
        }
        const auto result =
            lab::find_difference(**ours, **theirs, to_fen(position), arguments.depth,
                                 std::chrono::seconds(arguments.patience));
        if (shows_progress) fmt::print(stderr, "\r\x1b[K");
        if (!result) return complain(result.error());
        ++done;
        if (!*result) continue;
        show(**result, (*ours)->name(), (*theirs)->name());
        if (++differences >= arguments.stop_after) break;
    }
    fmt::print("{} positions to depth {}, {} and {}: {} differ\n", done, arguments.depth,
               (*ours)->name(), (*theirs)->name(), differences);
    return differences == 0 ? 0 : 1;
}

}  // namespace

void add_lab_perft_diff(CLI::App& lab, int& exit_code) {
    auto* command =
        lab.add_subcommand("perft-diff", "compare our legal moves with those of another engine");
    auto arguments = std::make_shared<DiffArguments>();
    command->add_option("--engine", arguments->engine, "the other engine, with UCI's `go perft`")
        ->capture_default_str();
    command->add_option("--ours", arguments->ours, "the program to examine; this one unless given");
    command->add_option("--fen", arguments->fens, "a position; may come several times");
    command->add_option("--epd", arguments->epd, "a file of positions");
    command->add_option("--positions", arguments->count, "without those: so many by random moves")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}))
        ->capture_default_str();
    command->add_option("--seed", arguments->seed, "seed of the random moves")
        ->capture_default_str();
    command->add_option("--depth", arguments->depth, "plies to count")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
    command->add_option("--stop-after", arguments->stop_after, "end after so many differences")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--patience", arguments->patience, "seconds an engine may count")
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str();
    command->add_flag("--chess960", arguments->chess960, "positions of Chess960");
    command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace rokada::cli
